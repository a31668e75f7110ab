//! What the words beside a figure say about its sign and its exactness.

use super::figure::{Drift, Nearness};
use regex::Regex;
use std::sync::LazyLock;

/// Bytes looked at before and behind a figure.
const REACH: usize = 96;

const FALL: &str = r"decreas[[:alpha:]]*|declin[[:alpha:]]*|fell|fallen|falls|falling|fall|drop[[:alpha:]]*|reduc[[:alpha:]]*|shrank|shrunk|shrink[[:alpha:]]*|shrinkage|slipp[[:alpha:]]*|slid|contracted|contraction|lowered|sank|down|cut|cuts|plunge[[:alpha:]]*|weaken[[:alpha:]]*|gesunken|sinkt|rückgang|verringer[[:alpha:]]*|baiss[[:alpha:]]*|recul[[:alpha:]]*|diminu[[:alpha:]]*";
const RISE: &str = r"increas[[:alpha:]]*|rose|rise|rises|risen|rising|grew|grow|grows|grown|growth|growing|climb[[:alpha:]]*|jump[[:alpha:]]*|gained|up|improved|improves|improving|expand[[:alpha:]]*|expansion|surg[[:alpha:]]*|advanc[[:alpha:]]*|gestiegen|stieg|anstieg|hausse|augment[[:alpha:]]*|progress[[:alpha:]]*";
const LOSS: &str = r"loss|losses|deficit|deficits|outflow|outflows|shortfall|used\s+in|verlust|perte";
const GAIN: &str = r"profit|profits|income|earnings|gain|gains|surplus|inflow|inflows|gewinn|bénéfice";
/// Words between a direction and its figure.
const LINK: &str = r"(?:by|of|was|were|is|about|approximately|approx\.|roughly|around|nearly|almost|some|over|more\s+than|less\s+than|another|an?|additional|further|total(?:l?ed|l?ing)?|amounted\s+to|amounting\s+to|came\s+to|came\s+in\s+at|reached|only|just|um|von|de|year\s+over\s+year|year-over-year|sharply|slightly|significantly|at\s+least|equal\s+to|equivalent\s+to|reported)";

#[expect(clippy::expect_used, reason = "the patterns are constants")]
fn regex(pattern: &str) -> Regex {
    Regex::new(&format!("(?i){pattern}")).expect("BUG: the pattern of directions is valid")
}

/// Any word of direction: most figures have none near them.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?-u:\b)(?:{FALL}|{RISE}|{LOSS}|{GAIN}|lower|less|fewer|below|higher|above|weniger|niedriger|mehr|höher)(?-u:\b)"
    ))
});

/// A direction directly before the figure: "decreased by about", "a loss of".
static DIRECT: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?-u:\b)(?:(?P<fall>{FALL})|(?P<rise>{RISE})|(?P<loss>{LOSS})|(?P<gain>{GAIN}))[\s:(]+(?:{LINK}[\s:(]+)*\(?$"
    ))
});

/// A direction with its object between: "decreased net sales by", "a reduction in headcount of", "the net loss for the year was".
static AROUND: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?-u:\b)(?:(?P<fall>{FALL})|(?P<rise>{RISE})|(?P<loss>{LOSS})|(?P<gain>{GAIN}))\s+(?:[^0-9\s.;:]+\s+){{1,6}}(?:(?P<by>by|um)|of|was|were|is|amounted\s+to|total(?:l?ed)?|reached)\s+(?:{LINK}\s+)*$"
    ))
});

/// "made up 5%" is a share, "ended up at 5%" a level.
static IDIOM: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?-u:\b)(?:ma[dk]e|makes|making|ended|ends|summed|adds?|added|set|sets)\s+up\s+(?:to\s+|about\s+|some\s+)?$",
    )
});

static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[\s)]*(?:(?:year[\s-]over[\s-]year|year[\s-]on[\s-]year|sequential|net|annual|overall|operating)\s+){0,2}(?:(?P<fall>decreases?|declines?|drops?|reductions?|fall|lower|less|fewer|down|weniger|niedriger|below)|(?P<rise>increases?|growth|rise|higher|jump|up|improvement|mehr|höher|above)|(?:(?:of|in)\s+(?:net\s+|operating\s+|pre-?tax\s+)?)?(?P<loss>loss|losses|deficit|outflows?|shortfall)|(?P<gain>profits?|gains?|surplus|inflows?)|(?:of|in)\s+(?:net\s+|operating\s+|pre-?tax\s+)?(?P<gain2>income|earnings|profits?|gains?))(?-u:\b)",
    )
});

/// The direction that the words around a figure give it. `before` and `behind` are its sentence or row.
pub(super) fn drift(before: &str, behind: &str) -> Drift {
    let named = |captures: &regex::Captures<'_>| {
        [
            ("fall", Drift::Fall),
            ("rise", Drift::Rise),
            ("loss", Drift::Loss),
            ("gain", Drift::Gain),
            ("gain2", Drift::Gain),
        ]
        .into_iter()
        .find(|(name, _)| captures.name(name).is_some())
        .map_or(Drift::None, |(_, drift)| drift)
    };
    if !ANY.is_match(tail(before)) && !ANY.is_match(head(behind)) {
        return Drift::None;
    }
    if let Some(captures) = BEHIND.captures(head(behind)) {
        return named(&captures);
    }
    let before = tail(before);
    if IDIOM.is_match(before) {
        return Drift::None;
    }
    if let Some(captures) = DIRECT.captures(before) {
        // "a decrease in net income of": the nearest word is what the figure is of, the first what happened to it.
        let drift = named(&captures);
        if matches!(drift, Drift::Fall | Drift::Rise) {
            return drift;
        }
        return around(before, &named)
            .filter(|outer| matches!(outer, Drift::Fall | Drift::Rise))
            .unwrap_or(drift);
    }
    around(before, &named).unwrap_or(Drift::None)
}

/// The last direction with its object before the figure.
fn around(before: &str, named: &dyn Fn(&regex::Captures<'_>) -> Drift) -> Option<Drift> {
    let mut from = 0;
    let mut found = None;
    while let Some(captures) = AROUND.captures(&before[from..]) {
        let drift = named(&captures);
        // A verb's object is followed by "by": "increased its dividend of 5" says nothing about the 5.
        let verb = captures.get(0).is_some_and(|whole| {
            let word = whole
                .as_str()
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_lowercase();
            word.ends_with("ed") || matches!(word.as_str(), "fell" | "rose" | "grew")
        });
        if !verb || captures.name("by").is_some() {
            found = Some(drift);
            if matches!(drift, Drift::Fall | Drift::Rise) {
                break;
            }
        }
        let word = ["fall", "rise", "loss", "gain"]
            .into_iter()
            .find_map(|name| captures.name(name))?;
        from += word.end();
    }
    found
}

/// Whether the words behind a rate say what it comes on top of: "175 basis points above the base rate".
pub(super) fn is_spread(behind: &str) -> bool {
    let word = behind.split_whitespace().next().unwrap_or_default();
    matches!(word, "above" | "over" | "below" | "plus")
}

static NEAR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:(?P<about>(?-u:\b)(?:about|approximately|approx\.?|around|roughly|some|circa|ca\.|nearly|almost|close\s+to|rund|etwa|fast|knapp|environ|près\s+de|presque|quasi)|[~≈])|(?-u:\b)(?P<over>over|more\s+than|above|exceed(?:s|ed|ing)?|at\s+least|just\s+over|greater\s+than|über|mehr\s+als|plus\s+de)|(?-u:\b)(?P<under>under|below|less\s+than|fewer\s+than|at\s+most|up\s+to|weniger\s+als|moins\s+de))\s*(?:a\s+|an\s+)?[(]?\s*$",
    )
});

/// How exactly the words before a figure want it to be taken.
pub(super) fn nearness(before: &str) -> Nearness {
    let before = tail(before);
    if !NEAR.is_match(before) {
        return Nearness::AsWritten;
    }
    match NEAR.captures(before) {
        Some(captures) if captures.name("about").is_some() => Nearness::About,
        Some(captures) if captures.name("over").is_some() => Nearness::Over,
        Some(_) => Nearness::Under,
        None => Nearness::AsWritten,
    }
}

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(REACH);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

fn head(text: &str) -> &str {
    let mut to = text.len().min(REACH);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    &text[..to]
}

/// Words of rows and sentences whose bracketed figures are what goes out: a person writes them without a sign.
static OUTGOING: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?-u:\b)(?:purchas[[:alpha:]]*|paid|pay|payments?|repayments?|repaid|repurchas[[:alpha:]]*|buybacks?|dividends?|expens[[:alpha:]]*|costs?|tax|taxes|depreciation|amorti[sz]ation|provisions?|charges?|used|spen[dt][[:alpha:]]*|outflows?|loss|losses|deficit|decreas[[:alpha:]]*|declin[[:alpha:]]*|reduc[[:alpha:]]*|fell|drop[[:alpha:]]*|impairments?|write-?downs?|write-?offs?|capex|capital\s+expenditures?|expenditures?|acquisitions?|invest(?:ed|ments?)|withh[[:alpha:]]*|deduct[[:alpha:]]*|less|interest\s+expense|negative|lower|aufwand|auszahlung[[:alpha:]]*|kosten|verlust|charges|perte)(?-u:\b)",
    )
});

/// Whether the text speaks of what goes out.
pub(super) fn is_outgoing(text: &str) -> bool {
    OUTGOING.is_match(text)
}

/// Whether the clause around a figure speaks of what goes out.
pub(super) fn is_outgoing_beside(before: &str, behind: &str) -> bool {
    let clause = tail(before).rsplit([',', ';', '.']).next().unwrap_or_default();
    let rest = head(behind).split([',', ';', '.']).next().unwrap_or_default();
    is_outgoing(clause) || is_outgoing(rest)
}

static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?-u:\b)(?:(?P<fall>decreases?|declines?|reductions?|drop)|(?P<rise>increases?|growth)|(?P<loss>{LOSS})|(?P<gain>{GAIN}))(?-u:\b)"
    ))
});

/// The direction that the label of a row gives its unsigned figures: "Decrease in receivables" falls; "Net income (loss)"
/// and "Cash provided by (used in)" are gains where the cell has no brackets.
pub(super) fn label_drift(label: &str) -> Drift {
    let outside = without_brackets(label);
    match (directions(&outside), directions(label)) {
        (Drift::None, Drift::Fall) => Drift::Rise,
        (Drift::None, Drift::Loss) => Drift::Gain,
        (Drift::None, both) => both,
        (outside, _) => outside,
    }
}

fn directions(label: &str) -> Drift {
    let (mut fall, mut rise, mut loss, mut gain) = (false, false, false, false);
    for captures in LABEL.captures_iter(label) {
        fall |= captures.name("fall").is_some();
        rise |= captures.name("rise").is_some();
        loss |= captures.name("loss").is_some();
        gain |= captures.name("gain").is_some();
    }
    match (fall, rise, loss, gain) {
        (_, true, ..) => Drift::Rise,
        (true, ..) => Drift::Fall,
        (_, _, _, true) => Drift::Gain,
        (_, _, true, _) => Drift::Loss,
        _ => Drift::None,
    }
}

static SIGNED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?-u:\b)(?:changes?|growth|increase|variance|difference|yoy|y/y|veränderung|variation|évolution)(?-u:\b)")
});

/// Whether figures under such a heading are changes, so that one without a sign is a rise.
pub(super) fn is_of_changes(heading: &str) -> bool {
    SIGNED.is_match(heading)
}

/// A label without what stands in brackets.
pub(super) fn without_brackets(label: &str) -> String {
    let mut depth = 0_usize;
    label
        .chars()
        .filter(|c| {
            match c {
                '(' => depth += 1,
                ')' => {
                    depth = depth.saturating_sub(1);
                    return false;
                }
                _ => {}
            }
            depth == 0
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_belongs_to_the_figure_it_leads_to() {
        for (before, behind, wanted) in [
            ("Net sales decreased by ", " in", Drift::Fall),
            ("Net sales fell about ", " in", Drift::Fall),
            ("a decline of approximately ", "", Drift::Fall),
            ("It reduced its headcount by ", "", Drift::Fall),
            ("a decrease in net income of ", "", Drift::Fall),
            ("Sales rose ", " to", Drift::Rise),
            ("a net loss of ", "", Drift::Loss),
            ("The net loss for the year was ", "", Drift::Loss),
            ("Net income was ", "", Drift::Gain),
            ("Sales were ", " lower than", Drift::Fall),
            ("a ", " increase in", Drift::Rise),
            ("Sales decreased to ", ".", Drift::None),
            ("decreased from ", " to", Drift::None),
            ("Sales were ", " in", Drift::None),
        ] {
            assert_eq!(drift(before, behind), wanted, "{before}…{behind}");
        }
    }

    #[test]
    fn words_say_how_exact_a_figure_is() {
        assert_eq!(nearness("It was about "), Nearness::About);
        assert_eq!(nearness("It was more than "), Nearness::Over);
        assert_eq!(nearness("less than "), Nearness::Under);
        assert_eq!(nearness("It was "), Nearness::AsWritten);
    }

    #[test]
    fn labels_of_rows_give_a_direction() {
        assert_eq!(label_drift("Decrease in receivables"), Drift::Fall);
        assert_eq!(label_drift("Net income (loss)"), Drift::Gain);
        assert_eq!(label_drift("Net loss"), Drift::Loss);
        assert_eq!(label_drift("Increase/(decrease) in cash"), Drift::Rise);
        assert_eq!(label_drift("Net cash provided by (used in) operations"), Drift::Gain);
        assert_eq!(label_drift("Total"), Drift::None);
    }
}

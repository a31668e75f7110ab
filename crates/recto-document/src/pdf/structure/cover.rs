//! The cover of a filing with a securities commission: a form whose fields are named in brackets below what is filled in.
//!
//! The rules of the forms prescribe the wording, so it is the same in every filing: "(Exact name of registrant as
//! specified in its charter)". What stands above it names the company; nothing else on that page heads a section.

use super::blocks::Block;
use recto_core::Item;

/// Pages at the beginning on which a cover is looked for.
const PAGES: usize = 3;
/// What the field of the company is called, by its letters.
const COMPANY_FIELD: &str = "name of registrant as specified in its charter";
/// Longest name of a company, in characters.
const LONGEST_NAME: usize = 120;

/// The cover of a filing.
pub(super) struct Cover {
    pub(super) page_index: usize,
    /// The block with the company's name.
    pub(super) company: Option<usize>,
}

/// Finds the cover among the blocks.
pub(super) fn find(blocks: &[Block<'_>]) -> Option<Cover> {
    let early = blocks.iter().take_while(|block| block.page_index < PAGES);
    let (field, block) = early.enumerate().find(|(_, block)| names_company(&block.text))?;
    let own_line = block.text.trim_start().starts_with('(');
    let company = (0..field)
        .rev()
        .take_while(|&index| own_line && blocks[index].page_index == block.page_index)
        .find(|&index| is_name(&blocks[index].text))
        .filter(|&index| block.overlaps_across(&blocks[index].rect));
    Some(Cover {
        page_index: block.page_index,
        company,
    })
}

fn names_company(text: &str) -> bool {
    text.to_lowercase().contains(COMPANY_FIELD)
}

fn is_name(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2 && text.len() <= LONGEST_NAME && !text.contains('(')
}

/// What a filing is called: the company, the form, and the time it is about. `None` where the items have no such cover.
pub(super) fn title(items: &[Item]) -> Option<String> {
    let early = |item: &&Item| item.provenance.first().is_some_and(|p| p.at.page as usize <= PAGES);
    let field = items
        .iter()
        .take_while(early)
        .position(|item| names_company(&item.text))?;
    let text = items[field].text.trim();
    let company = if text.starts_with('(') {
        let above = items[..field].iter().rev();
        let name = above
            .filter(|item| !item.label.is_furniture())
            .find(|item| is_name(&item.text))?;
        name.text.trim().to_owned()
    } else {
        // The name and what it is called are one item.
        let name = text.split('(').next().unwrap_or_default();
        name.lines().last().filter(|name| is_name(name))?.trim().to_owned()
    };
    let on_cover = || {
        let page = items[field].provenance.first().map(|p| p.at.page);
        items
            .iter()
            .filter(move |item| item.provenance.first().map(|p| p.at.page) == page)
    };
    let form = on_cover().find_map(|item| form(&item.text));
    let period = on_cover().find_map(|item| period(&item.text));
    Some(match (form, period) {
        (Some(form), Some(period)) => format!("{company}, {form} {period}"),
        (Some(form), None) => format!("{company}, {form}"),
        (None, Some(period)) => format!("{company}, {period}"),
        (None, None) => company,
    })
}

/// "Form 10-Q" of a line that says no more.
fn form(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| {
        line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("form "))
            && line.split_whitespace().count() == 2
            && line.chars().any(|c| c.is_ascii_digit())
    })?;
    Some(format!("Form {}", &line[5..].trim()))
}

/// "for the quarterly period ended June 25, 2022": the words up to the year.
fn period(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let spans = ["quarterly period", "fiscal quarter", "fiscal year", "year"];
    let (span, from) = spans.iter().find_map(|span| {
        let wanted = format!("for the {span} ended");
        let wanted: Vec<&str> = wanted.split(' ').collect();
        let at = words.windows(wanted.len()).position(|window| {
            let mut pairs = window.iter().zip(&wanted);
            pairs.all(|(word, wanted)| word.eq_ignore_ascii_case(wanted))
        })?;
        Some((span, at + wanted.len()))
    })?;
    let date = &words[from..];
    let year = date.iter().take(5).position(|word| is_year(word))?;
    let date = date[..=year].join(" ");
    Some(format!(
        "for the {span} ended {}",
        date.trim_end_matches(|c: char| !c.is_ascii_digit())
    ))
}

fn is_year(word: &str) -> bool {
    let bare = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    bare.len() == 4 && bare.chars().all(|c| c.is_ascii_digit()) && (bare.starts_with("19") || bare.starts_with("20"))
}

impl Cover {
    /// Whether a block stands on the cover and is not the company's name: a field of the form, no heading.
    pub(super) fn is_field(&self, index: usize, block: &Block<'_>) -> bool {
        block.page_index == self.page_index && self.company != Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_periods_are_read_from_their_lines() {
        assert_eq!(form("FORM 10-Q").as_deref(), Some("Form 10-Q"));
        assert_eq!(form("Form 10-K is filed each year"), None);
        let quarter = "For the Quarterly Period Ended June 25, 2022 or";
        assert_eq!(
            period(quarter).as_deref(),
            Some("for the quarterly period ended June 25, 2022")
        );
        assert_eq!(period("For the transition period from to"), None);
    }
}

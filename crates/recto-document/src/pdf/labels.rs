//! Page labels and the title, as far as the file itself tells them.

use super::page::PageLayout;
use crate::furniture;
use recto_core::Page;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The labels of `/PageLabels`, if they say more than the position of each page.
pub(crate) fn written(labels: Vec<Option<String>>) -> Vec<Option<String>> {
    let all = labels.iter().all(Option::is_some);
    let mere_positions = labels
        .iter()
        .enumerate()
        .all(|(index, label)| label.as_deref() == Some((index + 1).to_string().as_str()));
    if all && !mere_positions {
        labels
    } else {
        vec![None; labels.len()]
    }
}

/// Whether the numbers printed on the pages say something else than their labels, on most pages that have both.
pub(crate) fn disagree(pages: &[Page], printed: &[(u32, String)]) -> bool {
    let both = printed.iter().filter_map(|(number, printed)| {
        let page = pages.iter().find(|page| page.number == *number)?;
        Some(!page.label.as_ref()?.eq_ignore_ascii_case(printed))
    });
    let (all, other) = both.fold((0, 0), |(all, other), differs| (all + 1, other + usize::from(differs)));
    2 * other > all
}

/// Fewest pages whose printed numbers must count up.
const RUN: usize = 3;
/// Largest number taken for that of a page.
const MAX_NUMBER: i64 = 50_000;

/// Labels from the numbers printed on the pages, where at least three count up with the pages: 1-based page and label. A
/// page without its number, between two that have one, is filled in.
///
/// Each number at the beginning or the end of a line of furniture, on the left on one page and on the right on the next,
/// votes for its distance from the page's position; years and report numbers do not count up and are outvoted.
pub(crate) fn extrapolate(pages: &[Page], layouts: &[PageLayout]) -> Vec<(u32, String)> {
    let found = furniture::find(pages);
    // Distance to the page's position, per page; Roman and Arabic numbers count apart.
    let mut votes: Vec<(usize, i64, bool)> = Vec::new();
    for (index, ((page, layout), furniture)) in pages.iter().zip(layouts).zip(&found).enumerate() {
        let mut here: Vec<(i64, bool)> = Vec::new();
        for line in furniture.keys() {
            let Some(line) = layout.lines.get(*line as usize) else {
                continue;
            };
            let text = page.text.get(line.text.clone()).unwrap_or_default();
            here.extend(numbers_at_the_ends(text));
        }
        here.sort_unstable();
        here.dedup();
        votes.extend(
            here.into_iter()
                .map(|(number, roman)| (index, number - i64::from(page.number), roman)),
        );
    }
    // Runs of one distance, from page to page, with gaps of a page or two.
    let mut runs: BTreeMap<(bool, i64), Vec<usize>> = BTreeMap::new();
    for (index, distance, roman) in votes {
        runs.entry((roman, distance)).or_default().push(index);
    }
    let mut stretches: Vec<(usize, usize, usize, bool, i64)> = Vec::new();
    for ((roman, distance), indices) in runs {
        let mut start = 0;
        for end in 1..=indices.len() {
            if end < indices.len() && indices[end] - indices[end - 1] <= 3 {
                continue;
            }
            if end - start >= RUN {
                stretches.push((end - start, indices[start], indices[end - 1], roman, distance));
            }
            start = end;
        }
    }
    // The best attested run wins where two overlap.
    stretches.sort_by_key(|(count, first, ..)| (Reverse(*count), *first));
    let mut labels: BTreeMap<u32, String> = BTreeMap::new();
    let mut taken = vec![false; pages.len()];
    for (_, first, last, roman, distance) in stretches {
        if taken[first..=last].iter().any(|taken| *taken) {
            continue;
        }
        taken[first..=last].fill(true);
        for page in &pages[first..=last] {
            let number = i64::from(page.number) + distance;
            let label = if roman {
                furniture::to_roman(number)
            } else {
                number.to_string()
            };
            labels.insert(page.number, label);
        }
    }
    labels.into_iter().collect()
}

/// The numbers a line of furniture begins and ends with, and whether they are Roman: "12 | Annual Report 2019",
/// "Page 3 of 20", "– iv –".
fn numbers_at_the_ends(text: &str) -> Vec<(i64, bool)> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '|' | '–' | '—' | '•' | '·' | '[' | ']'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mut at: Vec<&str> = words.first().into_iter().chain(words.last()).copied().collect();
    let after_page = words.windows(2).find(|pair| pair[0].eq_ignore_ascii_case("page"));
    at.extend(after_page.map(|pair| pair[1]));
    let mut out = Vec::new();
    for word in at {
        if word.chars().all(|c| c.is_ascii_digit()) && word.len() <= 5 {
            out.extend(
                word.parse()
                    .ok()
                    .filter(|number| *number <= MAX_NUMBER)
                    .map(|number| (number, false)),
            );
        } else if word.chars().all(|c| c.is_ascii_lowercase()) {
            // Roman numbers in capitals are chapters more often than pages.
            out.extend(furniture::roman(word).map(|number| (number, true)));
        }
    }
    out
}

/// A title from the metadata, if a person wrote it: not a file name, not what a program puts there by itself.
pub(crate) fn usable_title(title: &str) -> Option<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = title.to_lowercase();
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let file_name = [
        "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "indd", "qxd", "tex", "dvi", "htm", "html", "fm", "wpd",
        "rtf",
    ]
    .iter()
    .any(|extension| lower.ends_with(&format!(".{extension}")));
    let by_program = [
        "microsoft word",
        "powerpoint presentation",
        "untitled",
        "document1",
        "slide 1",
        "layout 1",
    ]
    .iter()
    .any(|start| lower.starts_with(start));
    let one_odd_word = !title.contains(' ') && title.chars().any(|c| c.is_ascii_digit() || c == '_');
    (letters >= 3 && title.len() <= 300 && !file_name && !by_program && !one_odd_word && !title.contains('\u{fffd}'))
        .then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_at_either_end_of_a_running_line() {
        assert_eq!(
            numbers_at_the_ends("12 | Annual Report 2019"),
            [(12, false), (2019, false)]
        );
        assert_eq!(numbers_at_the_ends("– iv –"), [(4, true), (4, true)]);
        assert_eq!(numbers_at_the_ends("Page 3 of 20"), [(20, false), (3, false)]);
        assert_eq!(numbers_at_the_ends("Annual Report"), []);
    }

    #[test]
    fn labels_that_only_repeat_the_position_are_none() {
        let some = |labels: &[&str]| labels.iter().map(|l| Some((*l).to_owned())).collect::<Vec<_>>();
        assert_eq!(written(some(&["1", "2"])), vec![None, None]);
        assert_eq!(written(some(&["i", "1"])), some(&["i", "1"]));
        assert_eq!(written(vec![None, Some("1".into())]), vec![None, None]);
    }

    #[test]
    fn titles_made_by_programs_are_not_used() {
        for title in [
            "Microsoft Word - report.doc",
            "report_final.pdf",
            "a10-k2019",
            "Untitled",
            "  ",
        ] {
            assert_eq!(usable_title(title), None, "{title}");
        }
        assert_eq!(
            usable_title("Annual  Report 2022").as_deref(),
            Some("Annual Report 2022")
        );
    }
}

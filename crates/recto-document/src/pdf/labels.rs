//! Page labels and the title, as far as the file itself tells them.

use super::page::PageLayout;
use crate::furniture;
use recto_core::Page;

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

/// Fewest pages in a row whose printed numbers must count up.
const RUN: usize = 3;

/// Labels from the numbers printed on the pages, where at least three in a row count up: 1-based page and label. A gap
/// inside a run, a page without its number, is filled.
pub(crate) fn extrapolate(pages: &[Page], layouts: &[PageLayout]) -> Vec<(u32, String)> {
    let found = furniture::find(pages);
    let printed: Vec<Option<i64>> = pages
        .iter()
        .zip(layouts)
        .zip(&found)
        .map(|((page, layout), furniture)| {
            let number = |line: usize| {
                let text = page.text.get(layout.lines[line].text.clone())?;
                let number = furniture::only_number(text).or_else(|| last_number(text))?;
                text.chars().any(|c| c.is_ascii_digit()).then_some(number)
            };
            let mut lines: Vec<usize> = furniture.keys().map(|line| *line as usize).collect();
            lines.sort_unstable();
            lines
                .into_iter()
                .filter(|line| *line < layout.lines.len())
                .find_map(number)
        })
        .collect();
    let mut out = Vec::new();
    let mut index = 0;
    while index < printed.len() {
        let Some(first) = printed[index] else {
            index += 1;
            continue;
        };
        let expected = |at: usize| first + i64::from(pages[at].number) - i64::from(pages[index].number);
        let mut end = index + 1;
        let mut last = index;
        while end < printed.len() && printed[end].is_none_or(|number| number == expected(end)) {
            if printed[end].is_some() {
                last = end;
            }
            end += 1;
        }
        let counted = (index..=last).filter(|&at| printed[at].is_some()).count();
        if counted >= RUN {
            out.extend((index..=last).map(|at| (pages[at].number, expected(at).to_string())));
        }
        index = last + 1;
    }
    out
}

/// "Apple Inc. | Q3 2022 Form 10-Q | 12" ends in the page's number.
fn last_number(text: &str) -> Option<i64> {
    let last = text.split_whitespace().last()?;
    (last.len() <= 4).then(|| last.parse().ok()).flatten()
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

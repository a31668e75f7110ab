//! A document's sections as a person reads them.

use crate::output::human::page_names;
use crate::output::terminal::{View, block, one_line};
use recto_engine::contract::{DocumentOutline, OutlineSection, PageName, SectionText};

/// Every section in a line, its first sentence below it.
pub(crate) fn outline(outline: &DocumentOutline, view: View) -> String {
    let widest = outline
        .sections
        .last()
        .map_or(1, |section| section.number.to_string().len());
    let mut lines = vec![view.bold(&one_line(&outline.title))];
    for section in &outline.sections {
        let indent = "  ".repeat(section.level.saturating_sub(1).min(8) as usize);
        let place = place(section)
            .map(|place| view.dim(&format!(" · {place}")))
            .unwrap_or_default();
        lines.push(format!(
            "{:>widest$}  {indent}{}{place}",
            section.number,
            one_line(&section.title)
        ));
        let said = said(section);
        if !said.is_empty() {
            let margin = format!("{}  {indent}", " ".repeat(widest));
            lines.push(view.dim(&view.wrap(&said, &margin)));
        }
    }
    lines.join("\n")
}

/// The text of a section under its path.
pub(crate) fn section(section: &SectionText, view: View) -> String {
    let path: Vec<String> = section.headings.iter().map(|heading| one_line(heading)).collect();
    let place = place(&section.section)
        .map(|place| format!(" · {place}"))
        .unwrap_or_default();
    let head = format!("{} › {}", one_line(&section.title), path.join(" › "));
    format!("{}{}\n\n{}", view.bold(&head), view.dim(&place), block(&section.text))
}

fn place(section: &OutlineSection) -> Option<String> {
    let (first, last) = (section.first_page.clone()?, section.last_page.clone()?);
    if first.number == last.number {
        return page_names(&[first]);
    }
    let printed = |page: &PageName| page.label.as_deref().map(one_line);
    let position = format!("PDF {}–{}", first.number, last.number);
    match (printed(&first), printed(&last)) {
        (Some(from), Some(to)) => Some(format!("pp. {from}–{to} · {position}")),
        _ => Some(position),
    }
}

fn said(section: &OutlineSection) -> String {
    let mut said = one_line(&section.summary);
    if !section.figures.is_empty() {
        said.push_str(&format!(" [{}]", one_line(&section.figures.join(", "))));
    }
    said.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_section(number: u32, level: u32, pages: (u32, u32)) -> OutlineSection {
        let page = |number| Some(PageName { number, label: None });
        OutlineSection {
            number,
            level,
            title: format!("Section\u{1b}[31m {number}"),
            first_page: page(pages.0),
            last_page: page(pages.1),
            tokens: 10,
            summary: "It says something.".into(),
            figures: vec!["$5".into()],
            self_ref: None,
        }
    }

    #[test]
    fn sections_are_indented_by_level_and_name_their_pages() {
        let shown = DocumentOutline {
            collection: "c".into(),
            document_id: "d".into(),
            title: "Report".into(),
            tokens: 20,
            sections: vec![a_section(1, 1, (1, 3)), a_section(2, 2, (2, 2))],
            text: String::new(),
        };
        assert_eq!(
            outline(&shown, View::PLAIN),
            "Report\n1  Section 1 · PDF 1–3\n   It says something. [$5]\n2    Section 2 · PDF 2\n     It says something. [$5]"
        );
    }
}

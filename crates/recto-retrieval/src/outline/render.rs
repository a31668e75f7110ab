//! An outline as a model reads it: a line for each section, with the number to name it by.

use super::build::shortened;
use super::{Outline, OutlineSection, estimated_tokens};

/// Longest summary where room is short, in characters.
const SHORT: usize = 60;

/// An outline in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// A line for each section that is shown, indented by its level.
    pub text: String,
    /// The numbers in it, ascending: all that may be named.
    pub numbers: Vec<u32>,
    /// Sections not shown for lack of room. All but those past the end of a list that had to be cut lie in one shown.
    pub hidden: u32,
}

#[derive(Clone, Copy)]
enum Detail {
    Full,
    Short,
    Titles,
}

impl Outline {
    /// The outline in at most `budget` tokens: as deep as there is room for, the deepest levels go first. A level is kept
    /// with shorter summaries rather than lost. One line at least is shown.
    #[must_use]
    pub fn render(&self, budget: usize) -> Rendered {
        let deepest = self.sections.iter().map(|section| section.level).max().unwrap_or(1);
        for level in (1..=deepest).rev() {
            for detail in [Detail::Full, Detail::Short] {
                let shown = self.lines(level, detail);
                if cost(&shown) <= budget {
                    return self.rendered(shown);
                }
            }
        }
        let mut shown = self.lines(1, Detail::Titles);
        while shown.len() > 1 && cost(&shown) > budget {
            shown.pop();
        }
        self.rendered(shown)
    }

    /// The outline as Markdown for people: the title, then a heading with its summary for each section.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for section in &self.sections {
            let marks = usize::try_from(section.level + 1).unwrap_or(6).min(6);
            text.push_str(&format!(
                "\n{} {}. {}\n",
                "#".repeat(marks),
                section.number,
                section.title
            ));
            let pages = section
                .pages
                .map(|pages| format!("{}. ", page_range(pages)))
                .unwrap_or_default();
            let facts = summary_line(section, usize::MAX);
            if !facts.is_empty() || !pages.is_empty() {
                text.push_str(&format!("\n{pages}{facts}\n"));
            }
        }
        text
    }

    fn lines(&self, level: u32, detail: Detail) -> Vec<(u32, String)> {
        self.sections
            .iter()
            .filter(|section| section.level <= level)
            .map(|section| (section.number, line(section, detail)))
            .collect()
    }

    fn rendered(&self, shown: Vec<(u32, String)>) -> Rendered {
        let hidden = self.sections.len() - shown.len();
        let (numbers, lines): (Vec<u32>, Vec<String>) = shown.into_iter().unzip();
        Rendered {
            text: lines.concat(),
            numbers,
            hidden: u32::try_from(hidden).unwrap_or(u32::MAX),
        }
    }
}

fn cost(lines: &[(u32, String)]) -> usize {
    lines.iter().map(|(_, line)| estimated_tokens(line)).sum()
}

fn line(section: &OutlineSection, detail: Detail) -> String {
    let indent = "  ".repeat(usize::try_from(section.level.saturating_sub(1)).unwrap_or(0).min(6));
    let pages = section
        .pages
        .map(|pages| format!(" ({})", page_range(pages)))
        .unwrap_or_default();
    let said = match detail {
        Detail::Full => summary_line(section, usize::MAX),
        Detail::Short => summary_line(section, SHORT),
        Detail::Titles => String::new(),
    };
    let said = if said.is_empty() { said } else { format!(": {said}") };
    format!("{indent}[{}] {}{pages}{said}\n", section.number, section.title)
}

fn summary_line(section: &OutlineSection, most: usize) -> String {
    let summary = shortened(&section.summary, most);
    if section.figures.is_empty() || most < usize::MAX {
        return summary;
    }
    format!("{summary} Figures: {}.", section.figures.join(", "))
        .trim_start()
        .to_owned()
}

fn page_range((first, last): (u32, u32)) -> String {
    if first == last {
        format!("p. {first}")
    } else {
        format!("pp. {first}-{last}")
    }
}

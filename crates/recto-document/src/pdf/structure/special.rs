//! Code and formulas, by font and layout.

use super::blocks::Block;

/// Whether a block is source code or the like: all of it in a fixed pitch.
pub(super) fn is_code(block: &Block<'_>, mostly_fixed: bool) -> bool {
    // A document written on a typewriter is not code.
    if mostly_fixed || !block.upright || block.edge.is_some() || !block.lines.iter().all(|l| l.fixed_pitch) {
        return false;
    }
    block.lines.len() > 1 || block.text.contains(['{', '}', '=', '(', ';', '<', '$', '/', '|', '_'])
}

/// Whether most text of a document has a fixed pitch.
pub(super) fn mostly_fixed(blocks: &[Block<'_>]) -> bool {
    let lines = || blocks.iter().flat_map(|block| block.lines);
    let all: usize = lines().map(|l| l.text.len()).sum();
    let fixed: usize = lines().filter(|l| l.fixed_pitch).map(|l| l.text.len()).sum();
    fixed * 2 > all
}

/// Whether a block is a formula on a line of its own: signs of mathematics, hardly a word, set in from the left of the
/// text around it.
pub(super) fn is_formula(block: &Block<'_>, text_left: Option<f32>) -> bool {
    if !block.upright || block.edge.is_some() || block.lines.len() > 4 || block.text.len() > 300 {
        return false;
    }
    let signs = block.text.chars().filter(|c| is_maths(*c)).count();
    let equals = block.text.contains(['=', '≈', '≤', '≥', '∝', '∈', '→']);
    let words = block
        .text
        .split_whitespace()
        .filter(|word| {
            word.chars().filter(|c| c.is_ascii_alphabetic()).count() >= 4
                && word.chars().all(|c| c.is_ascii_alphabetic() || ",.;".contains(c))
        })
        .count();
    let pieces = block.text.split_whitespace().count();
    let set_in = text_left.is_none_or(|left| block.rect.left - left > block.size());
    let money = block.text.contains(['$', '€', '£', '%']);
    signs >= 1 && equals && !money && words * 4 <= pieces && pieces >= 3 && set_in
}

fn is_maths(c: char) -> bool {
    matches!(
        c,
        '=' | '∑'
            | '∫'
            | '∏'
            | '√'
            | '±'
            | '≤'
            | '≥'
            | '≈'
            | '∈'
            | '→'
            | '∂'
            | '∇'
            | '∞'
            | '∝'
            | '×'
            | '÷'
            | '·'
            | '−'
            | '⊂'
            | '∪'
            | '∩'
    ) || ('α'..='ω').contains(&c)
        || ('Α'..='Ω').contains(&c)
        || ('\u{1d400}'..='\u{1d7ff}').contains(&c)
}

//! A table as Markdown and as HTML.

use recto_core::{TableCell, TableGrid};

/// The table as a Markdown pipe table. Markdown has one head line and no spans: the rows of the head become one, a
/// name that spans columns stands over each of them, and other spanning cells stand once.
#[must_use]
pub fn table_markdown(grid: &TableGrid) -> String {
    let columns = grid.columns.max(1) as usize;
    let head_rows = head_rows(grid).max(1);
    let mut head = vec![Vec::<String>::new(); columns];
    for cell in grid.cells.iter().filter(|cell| cell.row < head_rows) {
        let text = escaped_markdown(&cell.text);
        let covered = cell.column as usize..((cell.column + cell.column_span) as usize).min(columns);
        for names in head.get_mut(covered).unwrap_or_default() {
            if !text.is_empty() && names.last() != Some(&text) {
                names.push(text.clone());
            }
        }
    }
    let mut out = line(head.iter().map(|names| names.join(" ")));
    out.push('\n');
    out.push_str(&line(std::iter::repeat_n("---".to_owned(), columns)));
    let mut body = vec![vec![String::new(); columns]; grid.rows.saturating_sub(head_rows) as usize];
    for cell in grid.cells.iter().filter(|cell| cell.row >= head_rows) {
        let row = body.get_mut((cell.row - head_rows) as usize);
        if let Some(place) = row.and_then(|row| row.get_mut(cell.column as usize)) {
            *place = escaped_markdown(&cell.text);
        }
    }
    for row in body {
        out.push('\n');
        out.push_str(&line(row.into_iter()));
    }
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut out = "|".to_owned();
    for cell in cells {
        out.push(' ');
        out.push_str(&cell);
        if !cell.is_empty() {
            out.push(' ');
        }
        out.push('|');
    }
    out
}

fn escaped_markdown(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    flat.replace('\\', "\\\\").replace('|', "\\|")
}

/// Rows at the top that hold heads of columns only.
fn head_rows(grid: &TableGrid) -> u32 {
    let body = grid.cells.iter().filter(|cell| !cell.column_header);
    let first = body.map(|cell| cell.row).min().unwrap_or(grid.rows);
    let head = grid.cells.iter().filter(|cell| cell.column_header);
    head.map(|cell| cell.row + cell.row_span)
        .filter(|end| *end <= first)
        .max()
        .unwrap_or(0)
}

/// The table as an HTML `table` element, spans kept and text escaped.
#[must_use]
pub fn table_html(grid: &TableGrid) -> String {
    let head_rows = head_rows(grid);
    let mut out = "<table>".to_owned();
    let mut cells = grid.cells.iter().peekable();
    // A position covered by a cell that began further up or left has no element of its own.
    let columns = grid.columns as usize;
    let mut covered = vec![0u32; columns];
    for row in 0..grid.rows {
        if row == 0 {
            out.push_str(if head_rows > 0 { "<thead>" } else { "<tbody>" });
        } else if row == head_rows {
            out.push_str("</thead><tbody>");
        }
        out.push_str("<tr>");
        let mut column = 0;
        while column < columns {
            let starts = |cell: &&TableCell| cell.row == row && cell.column as usize == column;
            if let Some(cell) = cells.next_if(starts) {
                element(cell, &mut out);
                let end = (column + cell.column_span.max(1) as usize).min(columns);
                covered[column..end].fill(row + cell.row_span.max(1));
                column = end;
            } else {
                if covered[column] <= row {
                    out.push_str("<td></td>");
                }
                column += 1;
            }
        }
        // A grid from elsewhere may have cells that lie beyond its edges or upon each other; they must not stop the rest.
        while cells.next_if(|cell| cell.row <= row).is_some() {}
        out.push_str("</tr>");
    }
    out.push_str(if grid.rows > 0 && head_rows >= grid.rows {
        "</thead></table>"
    } else if grid.rows > 0 {
        "</tbody></table>"
    } else {
        "</table>"
    });
    out
}

fn element(cell: &TableCell, out: &mut String) {
    let name = if cell.column_header || cell.row_header {
        "th"
    } else {
        "td"
    };
    out.push('<');
    out.push_str(name);
    if cell.column_span > 1 {
        out.push_str(&format!(" colspan=\"{}\"", cell.column_span));
    }
    if cell.row_span > 1 {
        out.push_str(&format!(" rowspan=\"{}\"", cell.row_span));
    }
    if cell.row_header {
        out.push_str(" scope=\"row\"");
    }
    out.push('>');
    for character in cell.text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: u32, column: u32, spans: (u32, u32), head: bool, text: &str) -> TableCell {
        TableCell {
            row,
            column,
            row_span: spans.0,
            column_span: spans.1,
            column_header: head,
            row_header: !head && column == 0,
            text: text.into(),
            at: None,
        }
    }

    fn grid() -> TableGrid {
        TableGrid {
            rows: 3,
            columns: 3,
            cells: vec![
                cell(0, 0, (2, 1), true, "Region"),
                cell(0, 1, (1, 2), true, "Sales"),
                cell(1, 1, (1, 1), true, "2022"),
                cell(1, 2, (1, 1), true, "2023"),
                cell(2, 0, (1, 1), false, "A|B <c>"),
                cell(2, 2, (1, 1), false, "$5"),
            ],
        }
    }

    #[test]
    fn markdown_has_one_head_line_with_spanning_names_over_each_column() {
        assert_eq!(
            table_markdown(&grid()),
            "| Region | Sales 2022 | Sales 2023 |\n| --- | --- | --- |\n| A\\|B <c> | | $5 |"
        );
    }

    #[test]
    fn html_keeps_spans_and_escapes_text() {
        assert_eq!(
            table_html(&grid()),
            "<table><thead><tr><th rowspan=\"2\">Region</th><th colspan=\"2\">Sales</th></tr>\
             <tr><th>2022</th><th>2023</th></tr></thead><tbody>\
             <tr><th scope=\"row\">A|B &lt;c&gt;</th><td></td><td>$5</td></tr></tbody></table>"
        );
    }

    #[test]
    fn a_table_without_a_head_and_cells_beyond_the_grid_are_written_all_the_same() {
        let grid = TableGrid {
            rows: 1,
            columns: 1,
            cells: vec![cell(0, 0, (1, 1), false, "a"), cell(0, 7, (1, 1), false, "lost")],
        };
        assert_eq!(
            table_html(&grid),
            "<table><tbody><tr><th scope=\"row\">a</th></tr></tbody></table>"
        );
        assert_eq!(table_html(&TableGrid::default()), "<table></table>");
    }
}

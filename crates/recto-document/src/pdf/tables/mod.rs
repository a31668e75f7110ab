//! Tables: from the words of a page and what is drawn there to grids of cells.
//!
//! Two ways lead to a table. [`lattice`] follows plumb and level rules (and the edges of filled cells) that cross: they
//! give rows and columns, and text decides only where a ruled cell holds several. [`flow`] works on the lines of one
//! column of the page, after reading order is known: rows whose words stand below each other are a table when the
//! white space between them runs through at least three rows; level rules and bands of colour help where there are any.
//! [`grid`] is what both make; [`group`](super::groups) never sees the words that became a table.
//!
//! A false table is worse than a missed one, because rows of prose cut into cells can no longer be read.

mod atoms;
mod flow;
mod grid;
mod header;
mod lattice;
mod rows;
mod rules;

pub(crate) use flow::{Part, split};
pub(crate) use grid::Table;
pub(crate) use lattice::take;
pub(crate) use rules::Rules;

/// Whether two words of a cell are read together without a space: "$" and "1,577".
pub(crate) use atoms::adheres;

//! How a place is named to a person.

use recto_core::Locator;

/// Pages where there are any, else the heading path.
pub(crate) fn locator(pages: &[u32], headings: &[String]) -> Locator {
    if pages.is_empty() {
        Locator::Heading {
            path: headings.to_vec(),
        }
    } else {
        Locator::Page { pages: pages.to_vec() }
    }
}

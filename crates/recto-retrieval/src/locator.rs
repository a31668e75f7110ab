//! How a place is named to a person.

use recto_core::Locator;

/// Pages where there are any, else the name the items themselves give the place (`own`), else the heading path.
pub(crate) fn locator(pages: &[u32], headings: &[String], own: Option<&Locator>) -> Locator {
    match (pages, own) {
        ([], Some(own)) => own.clone(),
        ([], None) => Locator::Heading {
            path: headings.to_vec(),
        },
        _ => Locator::Page { pages: pages.to_vec() },
    }
}

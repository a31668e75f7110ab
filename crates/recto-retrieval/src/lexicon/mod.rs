//! What words of a domain mean, as data.
//!
//! A question says "capex", the page says "purchases of property, plant and equipment": no embedding model of a handy
//! size brings the two together. Packs in TOML say it. A pack holds *terms* (phrases that mean the same, what else to look
//! for when one is named, and the kinds of page it stands on), *pages* (kinds of page, told by title and typical row
//! labels) and *documents* (kinds of document, told by what they call themselves). Packs come from general knowledge of
//! a field; more of them can be put beside the built-in ones.

use crate::phrase::{self, Phrase};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// The packs that are always there.
const BUILT_IN: [&str; 4] = [
    include_str!("../../lexicon/general.toml"),
    include_str!("../../lexicon/finance.toml"),
    include_str!("../../lexicon/legal.toml"),
    include_str!("../../lexicon/science.toml"),
];

static STANDARD: LazyLock<Arc<Lexicon>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    for pack in BUILT_IN {
        lexicon.add(pack).expect("BUG: a built-in pack is not valid");
    }
    Arc::new(lexicon)
});

/// A pack that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("A lexicon is not valid: {0}")]
pub struct InvalidPack(#[from] toml::de::Error);

/// Packs ready for use.
#[derive(Debug, Default)]
pub struct Lexicon {
    terms: Vec<Term>,
    pages: Vec<PageKind>,
    documents: Vec<DocumentKind>,
    places: Vec<PlaceKind>,
    qualifiers: BTreeSet<String>,
    breadth: Vec<Phrase>,
    latest: Vec<Phrase>,
}

#[derive(Debug)]
struct Term {
    phrases: Vec<(String, Phrase)>,
    find: Vec<String>,
    pages: Vec<String>,
}

/// A kind of page.
#[derive(Debug)]
pub(crate) struct PageKind {
    pub(crate) name: String,
    pub(crate) titles: Vec<Phrase>,
    pub(crate) rows: Vec<Phrase>,
    asked: Vec<Phrase>,
}

#[derive(Debug)]
struct DocumentKind {
    name: String,
    phrases: Vec<Phrase>,
}

/// What pages, figures, sections and the like are called.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlaceKind {
    words: Vec<String>,
    /// Pages and slides, which are told by their place in the document and not by a caption or heading.
    pub(crate) is_page: bool,
    /// Headings may bear the number alone: "4.2 Liability".
    pub(crate) is_bare: bool,
}

impl PlaceKind {
    /// Whether `name` is one of its words, whatever its capitals and the full stop of an abbreviation.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let name = name
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '§')
            .to_lowercase();
        self.words.contains(&name)
    }
}

/// A pack as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    #[serde(default)]
    term: Vec<TermData>,
    #[serde(default)]
    page: Vec<PageData>,
    #[serde(default)]
    document: Vec<DocumentData>,
    #[serde(default)]
    place: Vec<PlaceData>,
    #[serde(default)]
    qualifiers: Vec<String>,
    #[serde(default)]
    breadth: Vec<String>,
    #[serde(default)]
    latest: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermData {
    phrases: Vec<String>,
    #[serde(default)]
    find: Vec<String>,
    #[serde(default)]
    pages: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageData {
    kind: String,
    titles: Vec<String>,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    asked: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentData {
    kind: String,
    phrases: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceData {
    words: Vec<String>,
    #[serde(default)]
    is_page: bool,
    #[serde(default)]
    is_bare: bool,
}

/// What a question means by the lexicon.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Meaning<'a> {
    /// Phrases to look for besides, in the order of the lexicon; none stands in the question.
    pub related: Vec<&'a str>,
    /// Kinds of page the answer may stand on.
    pub pages: Vec<&'a str>,
    /// Kinds of document named.
    pub documents: Vec<&'a str>,
    /// It asks about several documents or periods, or a development over them.
    pub is_broad: bool,
    /// It asks for the newest.
    pub latest: bool,
}

impl Lexicon {
    /// The built-in packs.
    #[must_use]
    pub fn standard() -> Arc<Self> {
        Arc::clone(&STANDARD)
    }

    /// The built-in packs and `packs` (TOML) besides.
    ///
    /// # Errors
    /// [`InvalidPack`] for the first pack that cannot be read.
    pub fn with<'a>(packs: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidPack> {
        let mut lexicon = Self::default();
        for pack in BUILT_IN.into_iter().chain(packs) {
            lexicon.add(pack)?;
        }
        Ok(lexicon)
    }

    fn add(&mut self, pack: &str) -> Result<(), InvalidPack> {
        let pack: Pack = toml::from_str(pack)?;
        let phrases = |texts: &[String]| -> Vec<Phrase> { texts.iter().map(|text| Phrase::new(text)).collect() };
        self.terms.extend(pack.term.into_iter().map(|term| {
            Term {
                phrases: term
                    .phrases
                    .into_iter()
                    .map(|text| {
                        let phrase = Phrase::new(&text);
                        (text, phrase)
                    })
                    .collect(),
                find: term.find,
                pages: term.pages,
            }
        }));
        self.pages.extend(pack.page.into_iter().map(|page| PageKind {
            titles: phrases(&page.titles),
            rows: phrases(&page.rows),
            asked: phrases(&page.asked),
            name: page.kind,
        }));
        self.documents
            .extend(pack.document.into_iter().map(|kind| DocumentKind {
                phrases: phrases(&kind.phrases),
                name: kind.kind,
            }));
        self.places.extend(pack.place.into_iter().map(|place| PlaceKind {
            words: place.words,
            is_page: place.is_page,
            is_bare: place.is_bare,
        }));
        let qualifiers = pack.qualifiers.iter().flat_map(|word| phrase::words(word));
        self.qualifiers.extend(qualifiers);
        self.breadth.extend(phrases(&pack.breadth));
        self.latest.extend(phrases(&pack.latest));
        Ok(())
    }

    /// What `question` means.
    #[must_use]
    pub fn read(&self, question: &str) -> Meaning<'_> {
        let words = phrase::words(question);
        let says = |phrase: &Phrase| phrase.is_in(&words);
        let mut meaning = Meaning {
            is_broad: self.breadth.iter().any(says),
            latest: self.latest.iter().any(says),
            ..Meaning::default()
        };
        let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
        for term in &self.terms {
            if !term.phrases.iter().any(|(_, phrase)| says(phrase)) {
                continue;
            }
            let synonyms = term.phrases.iter().map(|(text, _)| text.as_str());
            for text in synonyms.chain(term.find.iter().map(String::as_str)) {
                let phrase = Phrase::new(text);
                if !says(&phrase) && seen.insert(phrase.words().to_vec()) {
                    meaning.related.push(text);
                }
            }
            push_new(&mut meaning.pages, term.pages.iter().map(String::as_str));
        }
        let named = self.pages.iter().filter(|kind| kind.asked.iter().any(says));
        push_new(&mut meaning.pages, named.map(|kind| kind.name.as_str()));
        let documents = self.documents.iter().filter(|kind| kind.phrases.iter().any(says));
        push_new(&mut meaning.documents, documents.map(|kind| kind.name.as_str()));
        meaning
    }

    /// The kinds of document named in `words`, by where they are first named.
    pub(crate) fn document_kinds(&self, words: &[String]) -> Vec<&str> {
        let mut found: Vec<(usize, &str)> = self
            .documents
            .iter()
            .filter_map(|kind| {
                let first = kind.phrases.iter().filter_map(|phrase| phrase.find(words)).min()?;
                Some((first, kind.name.as_str()))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, kind)| kind).collect()
    }

    /// Whether every word belongs to the name of a kind of document ("Form 10-Q", "Annual Report").
    pub(crate) fn names_only_a_kind(&self, text: &str) -> bool {
        let words = phrase::words(text);
        !words.is_empty()
            && words.iter().all(|word| {
                let in_kind = |kind: &DocumentKind| kind.phrases.iter().any(|phrase| phrase.words().contains(word));
                self.documents.iter().any(in_kind)
            })
    }

    pub(crate) fn page_kinds(&self) -> &[PageKind] {
        &self.pages
    }

    /// Whether titles of pages may have this word anywhere: "Statements of *Consolidated* Income (*Unaudited*)".
    pub(crate) fn is_qualifier(&self, word: &str) -> bool {
        self.qualifiers.contains(word)
    }

    /// The kind of place called `name`.
    pub(crate) fn place_kind(&self, name: &str) -> Option<&PlaceKind> {
        self.places.iter().find(|kind| kind.is_called(name))
    }
}

fn push_new<'a>(list: &mut Vec<&'a str>, more: impl Iterator<Item = &'a str>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

#[cfg(test)]
mod tests;

//! The registry of collections.

use crate::{Error, Library};
use recto_core::CollectionName;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::PathBuf;

/// A collection as the library knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionEntry {
    /// The name it is addressed by.
    pub name: CollectionName,
    /// Its folder's name, made once from the first name and kept through renames.
    pub slug: String,
    /// Where an attached collection lies; `None` for a local one.
    pub location: Option<String>,
    /// When it was registered, Unix milliseconds.
    pub created_at_ms: i64,
}

impl Library {
    /// Every collection, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn collections(&self) -> Result<Vec<CollectionEntry>, Error> {
        self.read("list the collections", |connection| {
            let mut statement = connection.prepare(&format!("{SELECT} ORDER BY name"))?;
            let entries = statement.query_map([], entry)?.collect::<Result<_, _>>()?;
            Ok(entries)
        })
    }

    /// The collection of that name.
    ///
    /// # Errors
    /// [`Error::UnknownCollection`] when there is none.
    pub fn collection(&self, name: &CollectionName) -> Result<CollectionEntry, Error> {
        self.read("look up a collection", |connection| {
            let found = connection
                .query_row(&format!("{SELECT} WHERE name = ?1"), [&name.0], entry)
                .optional()?;
            found.ok_or_else(|| unknown(name).into())
        })
    }

    /// The folder of a collection: where it was attached from, or `collections/<slug>` of the library.
    #[must_use]
    pub fn collection_folder(&self, entry: &CollectionEntry) -> PathBuf {
        match &entry.location {
            Some(location) => PathBuf::from(location),
            None => self.folder().join("collections").join(&entry.slug),
        }
    }

    /// Registers a collection. With a `location` it is an attached one.
    ///
    /// # Errors
    /// [`Error::CollectionName`] or [`Error::CollectionExists`]; [`Error::ReadOnly`].
    pub fn create_collection(
        &self,
        name: &CollectionName,
        location: Option<&str>,
        now_ms: i64,
    ) -> Result<CollectionEntry, Error> {
        check_name(name)?;
        self.write("create a collection", |transaction| {
            if is_taken(transaction, name)? {
                return Err(exists(name).into());
            }
            let slug = free_slug(transaction, name)?;
            transaction.execute(
                "INSERT INTO collections (name, slug, location, created_at) VALUES (?1, ?2, ?3, ?4)",
                params![name.0, slug, location, now_ms],
            )?;
            Ok(CollectionEntry {
                name: name.clone(),
                slug,
                location: location.map(str::to_owned),
                created_at_ms: now_ms,
            })
        })
    }

    /// Gives a collection another name. Its folder, jobs and remembered failures stay with it.
    ///
    /// # Errors
    /// [`Error::UnknownCollection`], [`Error::CollectionName`], [`Error::CollectionExists`] or [`Error::ReadOnly`].
    pub fn rename_collection(&self, from: &CollectionName, to: &CollectionName) -> Result<(), Error> {
        check_name(to)?;
        self.write("rename a collection", |transaction| {
            if from != to && is_taken(transaction, to)? {
                return Err(exists(to).into());
            }
            let changed = transaction.execute("UPDATE collections SET name = ?2 WHERE name = ?1", [&from.0, &to.0])?;
            if changed == 0 {
                return Err(unknown(from).into());
            }
            for table in ["cited_originals", "removed_documents"] {
                let update = format!("UPDATE {table} SET collection = ?2 WHERE collection = ?1");
                transaction.execute(&update, [&from.0, &to.0])?;
            }
            Ok(())
        })
    }

    /// Takes a collection and its jobs out of the registry. The folder of one of the library's own is the caller's to
    /// delete; an attached one is somebody else's. Returns what it was.
    ///
    /// # Errors
    /// [`Error::UnknownCollection`] or [`Error::ReadOnly`].
    pub fn remove_collection(&self, name: &CollectionName) -> Result<CollectionEntry, Error> {
        self.write("remove a collection", |transaction| {
            let removed = transaction
                .query_row(
                    "DELETE FROM collections WHERE name = ?1 RETURNING name, slug, location, created_at",
                    [&name.0],
                    entry,
                )
                .optional()?;
            removed.ok_or_else(|| unknown(name).into())
        })
    }
}

const SELECT: &str = "SELECT name, slug, location, created_at FROM collections";

fn entry(row: &Row<'_>) -> rusqlite::Result<CollectionEntry> {
    Ok(CollectionEntry {
        name: CollectionName(row.get(0)?),
        slug: row.get(1)?,
        location: row.get(2)?,
        created_at_ms: row.get(3)?,
    })
}

fn unknown(name: &CollectionName) -> Error {
    Error::UnknownCollection { name: name.0.clone() }
}

fn exists(name: &CollectionName) -> Error {
    Error::CollectionExists { name: name.0.clone() }
}

fn check_name(name: &CollectionName) -> Result<(), Error> {
    let length = name.0.chars().count();
    let usable = (1..=100).contains(&length) && name.0.trim() == name.0 && !name.0.chars().any(char::is_control);
    if usable { Ok(()) } else { Err(Error::CollectionName) }
}

fn is_taken(connection: &Connection, name: &CollectionName) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM collections WHERE name = ?1)",
        [&name.0],
        |row| row.get(0),
    )
}

/// A folder name of ASCII letters, digits and single hyphens that no collection uses yet. A name is data: nothing of
/// it that could mean something in a path survives.
fn free_slug(connection: &Connection, name: &CollectionName) -> rusqlite::Result<String> {
    let words: Vec<String> = name
        .0
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let mut base: String = words.join("-").chars().take(40).collect();
    // Windows gives a few names (`con`, `nul`, `com1`) a meaning of their own; a prefix takes it away.
    if base.len() < 5 {
        base = format!("collection-{base}");
    }
    let base = base.trim_end_matches('-');
    let mut slug = base.to_owned();
    for number in 2_u32.. {
        let used: bool = connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM collections WHERE slug = ?1)",
            [&slug],
            |row| row.get(0),
        )?;
        if !used {
            break;
        }
        slug = format!("{base}-{number}");
    }
    Ok(slug)
}

//! What a maker's list of models says about one of them.

use crate::failure::Failure;
use crate::server::Server;
use serde_json::Value;

/// The models a key opens, and the entry of one of them.
pub(super) struct Listing {
    /// By name, in the server's order.
    pub(super) models: Vec<String>,
    /// What the server says of the model asked for; `None` where it does not know it.
    pub(super) entry: Option<Value>,
}

/// How a maker lists its models.
pub(super) struct ListFormat<'a> {
    /// The path of the list.
    pub(super) path: &'a str,
    /// The field that holds its entries.
    pub(super) entries: &'a str,
    /// The field of an entry that names its model.
    pub(super) name: &'a str,
    /// What stands before a name there.
    pub(super) prefix: &'a str,
}

impl Listing {
    /// Asks for the list, and for the model `id` by itself where that is not in it: aliases are in no list.
    ///
    /// # Errors
    /// A failure of the server, or an answer that is no list.
    pub(super) async fn ask(
        server: &Server,
        format: &ListFormat<'_>,
        id: &str,
        own_path: &str,
        is_shown: impl Fn(&Value) -> bool,
    ) -> Result<Self, Failure> {
        let list = server.get(format.path).await?;
        let Some(entries) = list[format.entries].as_array() else {
            return Err(server.foreign().into());
        };
        let name = |entry: &Value| {
            let name = entry[format.name].as_str()?;
            Some(name.strip_prefix(format.prefix).unwrap_or(name).to_owned())
        };
        let entry = match entries.iter().find(|entry| entry[format.name] == id) {
            Some(entry) => Some(entry.clone()),
            None => match server.get(own_path).await {
                Ok(entry) => Some(entry),
                Err(Failure::Refusal(refusal)) if refusal.is_unknown() => None,
                Err(failure) => return Err(failure),
            },
        };
        Ok(Self {
            models: entries
                .iter()
                .filter(|entry| is_shown(entry))
                .filter_map(name)
                .collect(),
            entry,
        })
    }

    /// Tokens that a field of the entry tells; 0 is no telling.
    pub(super) fn tokens(&self, field: &str) -> Option<u32> {
        let told = self.entry.as_ref()?[field].as_u64()?;
        u32::try_from(told).ok().filter(|&tokens| tokens > 0)
    }
}

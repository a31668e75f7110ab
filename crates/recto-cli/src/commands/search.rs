//! `search`: passages, best first.

use crate::args::{Mode, Search};
use crate::commands::scope;
use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};
use recto_engine::contract::{Coverage, SearchMode, SearchQuery, SearchReport, UnitStats};

pub(crate) async fn run(context: &Context, output: &Output, arguments: Search) -> Result<Ending> {
    let checked = scope::without_documents(context, &arguments.filters)?;
    let mut query = SearchQuery {
        query: arguments.query,
        mode: arguments.mode.into(),
        limit: arguments.limit,
        scope: checked,
        expand: arguments.expand,
    };
    let report = if context.is_missing() {
        output.note("No documents yet. Add some: recto add PATH");
        nothing(query)
    } else {
        context
            .with_engine(Need::Read, async |engine| {
                query.scope = scope::read(context, engine, &arguments.filters).await?;
                Ok(engine.search(query).await?)
            })
            .await?
    };
    output.result(&report, |view| human::search_report(&report, view))?;
    Ok(Ending::Done)
}

/// What a library that is not there answers.
fn nothing(query: SearchQuery) -> SearchReport {
    SearchReport {
        query: query.query,
        mode: query.mode,
        unit_stats: UnitStats {
            cap: query.limit,
            ..UnitStats::default()
        },
        results: Vec::new(),
        coverage: Coverage::default(),
    }
}

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Vector => Self::Vector,
            Mode::Fts => Self::Fts,
        }
    }
}

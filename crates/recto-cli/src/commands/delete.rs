//! `delete`: documents leave search, lists and disk.

use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::json::{DeleteReport, DeletedDocument};
use crate::output::{Output, human};

pub(crate) async fn run(context: &Context, output: &Output, documents: &[String]) -> Result<Ending> {
    let report = context
        .with_engine(Need::Change, async |engine| {
            let collection = [context.one_collection(engine, false).await?];
            // All are looked up before the first is deleted: a mistyped id deletes nothing.
            let mut found: Vec<DeletedDocument> = Vec::new();
            for id in documents {
                let document = engine.show(Some(&collection), id).await?;
                let Some(document_id) = document.document_id else {
                    return Err(Failure::not_found(format!("“{id}” has not become a document yet.")));
                };
                if found.iter().all(|known| known.document_id != document_id) {
                    found.push(DeletedDocument {
                        collection: document.collection,
                        document_id,
                        title: document.title,
                    });
                }
            }
            for document in &found {
                engine.delete(Some(&collection), &document.document_id).await?;
            }
            Ok(DeleteReport { deleted: found })
        })
        .await?;
    output.result(&report, |view| human::delete_report(&report, view))?;
    Ok(Ending::Done)
}

//! The process in which everything that touches untrusted bytes runs. Started by the application's worker pool, never
//! by a person.

use anyhow::Context;
use recto_worker::server::{self, Connection};

fn main() -> anyhow::Result<()> {
    let mut connection = Connection::take_over().context("the protocol could not be set up")?;
    // Standard output is standard error from here on.
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    if let Some(bytes) = server::memory_limit_from(std::env::args()) {
        server::limit_memory(bytes).context("the memory ceiling could not be set")?;
    }
    recto_document::worker::serve(&mut connection).context("the application cannot be reached")
}

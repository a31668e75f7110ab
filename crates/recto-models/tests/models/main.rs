//! The public interface: the embedder with the bundled files, the chat client against real HTTP servers on loopback.

mod chat;
mod embedder;

//! The facade that the application, the command line and the MCP server share.

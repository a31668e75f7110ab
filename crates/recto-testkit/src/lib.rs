//! Development only: scripted chat model over real HTTP, fakes, fixtures.

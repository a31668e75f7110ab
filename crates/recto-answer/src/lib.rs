//! Question to cited answer: strategies, citations, verification, events.

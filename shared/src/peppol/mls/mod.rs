//! Message Level Status documents.

//! `access-point events`: what happened.

use super::{Error, credentials_usage, documents::list};

pub(in crate::cli) const USAGE: &str = concat!(
    "\
access-point events [OPTION…]

The events of the organization of the last 30 days, the newest first.

  --type TYPE             such as document.sent, document.reported, taxpayer.updated
  --taxpayer-id ID        those of a taxpayer
  --document-id ID        those about a document
  --created-from TIME     --created-to TIME    such as 2026-11-20T08:00:00Z
  --limit N               so many at most (20)
  --json                  a line of JSON for each, with what is delivered as its payload
",
    credentials_usage!()
);

const FILTERS: [&str; 5] = ["type", "taxpayer-id", "document-id", "created-from", "created-to"];
const COLUMNS: [&str; 6] = ["created_at", "event_id", "type", "taxpayer_id", "document_id", "test"];

/// Lists events.
pub(in crate::cli) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    list(arguments, "/events", &FILTERS, &COLUMNS, USAGE)
}

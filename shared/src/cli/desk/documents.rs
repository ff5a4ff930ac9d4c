//! `access-point documents`: what was sent and received.

use super::{Error, Given, api::Api, credentials::credentials, credentials_usage, print, show};
use crate::{cli::block_on, environment::Environment};

pub(in crate::cli) const USAGE: &str = concat!(
    "\
access-point documents [OPTION…]

The documents of the taxpayer, the newest first.

  --direction DIRECTION   outbound or inbound
  --type TYPE             invoice, credit_note, self_billed_invoice, self_billed_credit_note
  --status STATUS         such as sent, delivered, rejected, failed, received
  --source-id ID          what the sender calls it
  --number NUMBER         its number
  --issued-from DATE      --issued-to DATE     YYYY-MM-DD
  --created-from TIME     --created-to TIME    such as 2026-11-20T08:00:00Z
  --limit N               so many at most (20)
  --json                  a line of JSON for each
",
    credentials_usage!()
);

/// Each is a filter of the interface, by the name that it has there with hyphens.
const FILTERS: [&str; 9] = [
    "direction",
    "type",
    "status",
    "source-id",
    "number",
    "issued-from",
    "issued-to",
    "created-from",
    "created-to",
];
const COLUMNS: [&str; 8] = [
    "created_at",
    "document_id",
    "type",
    "number",
    "direction",
    "status",
    "total_with_vat",
    "currency",
];

/// Lists documents.
pub(in crate::cli) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    list(arguments, "/invoices", &FILTERS, &COLUMNS, USAGE)
}

/// Lists what is at a path: its filters are the command's options.
pub(super) fn list(
    arguments: lexopt::Parser,
    path: &str,
    filters: &[&str],
    columns: &[&str],
    usage: &'static str,
) -> Result<(), Error> {
    let valued: Vec<_> = filters.iter().copied().chain(["limit"]).collect();
    let Some(given) = Given::read(arguments, &valued, &["json"], usage)? else {
        return print(usage.as_bytes());
    };
    given.at_most(0)?;
    let limit = given.limit()?;
    let names: Vec<_> = filters.iter().map(|filter| filter.replace('-', "_")).collect();
    let query = names.iter().zip(filters);
    let query = query.filter_map(|(name, filter)| Some((name.as_str(), given.option(filter)?)));
    let query: Vec<_> = query.collect();
    let items = block_on(async {
        let api = Api::new(&credentials(&Environment::of_process())?)?;
        Ok(api.list(path, &query, Some(limit)).await?)
    })?;
    show(given.has("json"), columns, &items, columns)
}

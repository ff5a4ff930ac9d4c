//! `access-point documents`: what was sent and received.

use super::{CREDENTIALS, Error, api::Api, credentials::credentials, show};
use crate::{cli::block_on, environment::Environment};

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

/// List documents
///
/// Lists the documents that the taxpayer sent and received, the newest first.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// outbound or inbound
    #[arg(long)]
    direction: Option<String>,
    /// invoice, credit_note, self_billed_invoice or self_billed_credit_note
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Such as sent, delivered, rejected, failed, received
    #[arg(long)]
    status: Option<String>,
    /// The sender's own identifier of the document
    #[arg(long, value_name = "ID")]
    source_id: Option<String>,
    /// Number of the document
    #[arg(long)]
    number: Option<String>,
    /// First issue date, YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    issued_from: Option<String>,
    /// Last issue date
    #[arg(long, value_name = "DATE")]
    issued_to: Option<String>,
    #[command(flatten)]
    listing: Listing,
}

// From when to when a list goes, how much of it is shown, and how.
#[derive(clap::Args)]
pub(super) struct Listing {
    /// First instant of their creation, such as 2026-11-20T08:00:00Z
    #[arg(long, value_name = "TIME")]
    created_from: Option<String>,
    /// Last instant of their creation
    #[arg(long, value_name = "TIME")]
    created_to: Option<String>,
    /// Maximum number of items, up to 100000
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Print a line of JSON for each item
    #[arg(long)]
    json: bool,
}

/// Lists documents.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let filters = [
        ("direction", &args.direction),
        ("type", &args.kind),
        ("status", &args.status),
        ("source_id", &args.source_id),
        ("number", &args.number),
        ("issued_from", &args.issued_from),
        ("issued_to", &args.issued_to),
    ];
    list("/invoices", filters, &COLUMNS, &args.listing)
}

/// Lists what is at a path and passes the filters of the interface.
pub(super) fn list<const N: usize>(
    path: &str,
    filters: [(&str, &Option<String>); N],
    columns: &[&str],
    listing: &Listing,
) -> Result<(), Error> {
    let created = [("created_from", &listing.created_from), ("created_to", &listing.created_to)];
    let given = filters
        .into_iter()
        .chain(created)
        .filter_map(|(name, value)| Some((name, value.as_deref()?)));
    let query: Vec<_> = given.collect();
    let items = block_on(async {
        let api = Api::new(&credentials(&Environment::of_process())?)?;
        Ok(api.list(path, &query, Some(listing.limit as usize)).await?)
    })?;
    show(listing.json, columns, &items, columns)
}

//! `access-point events`: what happened.

use super::{
    CREDENTIALS, Error,
    documents::{Listing, list},
};

const COLUMNS: [&str; 6] = ["created_at", "event_id", "type", "taxpayer_id", "document_id", "test"];

/// List events
///
/// Lists the events of the organization of the last 30 days, the newest first. With --json each has its webhook payload.
#[derive(clap::Args)]
#[command(after_help = CREDENTIALS)]
pub(in crate::cli) struct Args {
    /// Such as document.sent, document.reported, taxpayer.updated
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Events of a taxpayer
    #[arg(long, value_name = "ID")]
    taxpayer_id: Option<String>,
    /// Events about a document
    #[arg(long, value_name = "ID")]
    document_id: Option<String>,
    #[command(flatten)]
    listing: Listing,
}

/// Lists events.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    let filters = [
        ("type", &args.kind),
        ("taxpayer_id", &args.taxpayer_id),
        ("document_id", &args.document_id),
    ];
    list("/events", filters, &COLUMNS, &args.listing)
}

//! `access-point taxdata`: what would be filed with the tax authority about UBL documents.

use super::{
    Error,
    out::{Documents, made},
};
use crate::{
    taxdata::{
        check,
        write::{Kind, Report, Role, reporter, write},
    },
    types::{Clock, ParticipantId, SystemClock},
};

/// Convert UBL to the Tax Data Documents that report it
///
/// Creates the Tax Data Document that reports an invoice or credit note of PINT-AE. Checks it by XML Schema and the official
/// rules. Sends nothing.
///
/// Exit status: 0 all converted, 1 some refused, 2 wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    /// S (submit), R (resubmit), W (withdraw) or F (the document failed validation)
    #[arg(long)]
    kind: Kind,
    /// 01 (the taxpayer sent the document) or 02 (received it)
    #[arg(long)]
    role: Role,
    /// Service provider identifier of the tax authority, such as 000773
    #[arg(long, value_name = "SPID")]
    authority: String,
    /// Service provider identifier of the provider that reports
    #[arg(long, value_name = "SPID")]
    representative: String,
    /// The taxpayer that reports, such as 0235:1001234501; default: the document's party in that role. The sender is the
    /// seller, in self-billing the buyer
    #[arg(long, value_name = "PARTICIPANT")]
    reporter: Option<ParticipantId>,
    /// Instance identifier of the envelope that carried the document
    #[arg(long, value_name = "ID")]
    transport_id: Option<String>,
    #[command(flatten)]
    documents: Documents,
}

/// Creates every report.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    args.documents.each("xml", |path, source| made(path, report(args, source)))
}

fn report(args: &Args, source: &[u8]) -> Result<Vec<u8>, String> {
    let reporting_party = match &args.reporter {
        Some(given) => given.clone(),
        None => reporter(source, args.role).map_err(|why| format!("{why}; set --reporter"))?,
    };
    let report = Report {
        kind: args.kind,
        role: args.role,
        reporting_party: &reporting_party,
        authority: &args.authority,
        representative: &args.representative,
        issued_at: SystemClock.now(),
        transport_header_id: args.transport_id.as_deref(),
    };
    let made = write(&report, source).map_err(|why| why.to_string())?;
    check(&made).map_err(|why| why.to_string())?;
    Ok(made)
}

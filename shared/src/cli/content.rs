//! `access-point content`: what UBL documents say, in the vocabulary of the send bodies.

use serde_json::json;

use super::{
    Error, complain,
    kind::instead_of_xml,
    out::{Documents, made},
};
use crate::{
    document::Party,
    ubl::{self, Content},
    xml,
};

/// Convert PINT-AE UBL to JSON documents
///
/// Reads invoices and credit notes of PINT-AE. Writes the content of each as JSON with these members: `type`, the operation of
/// the body; `content`, the body; `customer`, the buyer of a self-billed document, which the body does not contain;
/// `unmapped`, path and value of each element that no field expresses; `unmapped_cut`, whether that list is incomplete.
///
/// Exit status: 0 all read, 1 some refused, 2 wrong usage.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    documents: Documents,
}

/// Reads every document.
pub(super) fn run(Args { documents }: Args) -> Result<(), Error> {
    documents.each("json", |path, bytes| {
        if let Some(said) = instead_of_xml(bytes) {
            complain(&format!("{}: {said}\n", path.display()));
            return None;
        }
        let content = made(path, read(bytes))?;
        Some(format!("{:#}\n", shown(&content)).into_bytes())
    })
}

fn read(bytes: &[u8]) -> Result<Content, String> {
    let tree = xml::parse(bytes).map_err(|error| format!("it is no XML: {error}"))?;
    ubl::content(&tree).map_err(|error| error.to_string())
}

fn shown(content: &Content) -> serde_json::Value {
    let unmapped = content.unmapped.values.iter();
    let unmapped = unmapped.map(|of| json!({ "path": of.path, "value": of.value }));
    json!({
        "type": content.operation.as_str(),
        "content": content.body.to_json(),
        "customer": content.customer.as_ref().map(Party::to_json),
        "unmapped": unmapped.collect::<serde_json::Value>(),
        "unmapped_cut": content.unmapped.is_cut,
    })
}

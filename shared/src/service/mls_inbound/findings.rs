//! Converts the findings of a status to our own findings, with pointers to the fields of the caller's JSON.

use crate::{
    document::Operation,
    error::Finding,
    peppol::mls::{Line, Reason, Text, Verdict},
    store::{Bucket, DocumentRecord, StoreError},
    ubl,
    xml::{self, ParseError, Tree},
};

/// Maximum bytes of findings in a record. With its warnings, the caller's metadata and the rest they must fit into an
/// item of 400 KB.
const FINDING_BYTES: usize = 64 * 1024;
/// Maximum characters that are kept of another provider's text.
const LONGEST_TEXT: usize = 1_000;
/// Maximum bytes of a location. A longer one is dropped, since a shortened path would point elsewhere.
const LONGEST_PLACE: usize = 1_000;

/// The description in a status.
pub(in crate::service) fn description(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Accepted(said) | Verdict::AcceptedUnconfirmed(said) => {
            said.description.as_ref().map(cut)
        }
        Verdict::Rejected(said) => Some(cut(said.description())),
    }
}

/// The findings of a status about our document.
pub(super) async fn of(
    bucket: &Bucket,
    document: &DocumentRecord,
    verdict: &Verdict,
) -> Result<Vec<Finding>, StoreError> {
    let found = all(verdict, FINDING_BYTES);
    let Some(ubl) = document.ubl.as_ref().filter(|_| found.iter().any(|it| it.location.is_some()))
    else {
        return Ok(found);
    };
    let bytes = bucket.get(ubl).await?;
    pointed(found, document.operation, &bytes).map_err(|error| StoreError::Corrupt(error.into()))
}

/// Like [`of`], with the document's UBL at hand.
pub(in crate::service) fn within(
    verdict: &Verdict,
    operation: Operation,
    ubl: &[u8],
) -> Result<Vec<Finding>, ParseError> {
    pointed(all(verdict, FINDING_BYTES), operation, ubl)
}

fn pointed(
    mut found: Vec<Finding>,
    operation: Operation,
    ubl: &[u8],
) -> Result<Vec<Finding>, ParseError> {
    let tree = xml::parse(ubl)?;
    point(&tree, operation, &mut found);
    Ok(found)
}

/// The findings of a status, as many as fit into `room` bytes.
pub(in crate::service) fn all(verdict: &Verdict, room: usize) -> Vec<Finding> {
    let found: Vec<_> = match verdict {
        Verdict::Accepted(said) | Verdict::AcceptedUnconfirmed(said) => {
            let warnings = said.warnings.iter();
            warnings.map(|said| finding(Reason::Warning, &said.line, &said.description)).collect()
        }
        Verdict::Rejected(said) => said
            .issues()
            .iter()
            .map(|said| finding(said.reason, &said.line, &said.description))
            .collect(),
    };
    Finding::fitting(&found, room)
}

/// Adds the field of the caller's JSON to each finding whose location is in the document.
fn point(tree: &Tree<'_>, operation: Operation, findings: &mut [Finding]) {
    for finding in findings {
        let node = finding.location.as_deref().and_then(|path| xml::locate(tree, path));
        let Some(node) = node else { continue };
        finding.pointer = ubl::pointer_of_sent(operation, node);
        finding.line = Some(node.line());
    }
}

/// A finding with the rule id of its reason code (code list StatusReasonCode).
fn finding(reason: Reason, line: &Line, description: &Text) -> Finding {
    let rule = match reason {
        Reason::Syntax => "AP-MLS-SV",
        Reason::Rule => "AP-MLS-BV",
        Reason::Warning => "AP-MLS-BW",
        Reason::Delivery => "AP-MLS-FD",
    };
    let found = match reason.is_failure() {
        true => Finding::error("", rule, cut(description)),
        false => Finding::warning("", rule, cut(description)),
    };
    let location = line.xpath().filter(|xpath| xpath.len() <= LONGEST_PLACE);
    Finding { location: location.map(str::to_owned), ..found }
}

fn cut(text: &Text) -> String {
    text.as_str().chars().take(LONGEST_TEXT).collect()
}

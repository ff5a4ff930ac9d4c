//! From a document to the bytes that are stored, judged as any recipient will judge them.

use crate::{
    document::Document,
    error::{Finding, Severity},
    ubl,
    validate::{self, Unjudged},
    xml,
};

/// Writes the UBL of a document and runs the official schema and rules and the own checks on it.
/// Gives the bytes with all warnings, or all findings when one of them is an error.
pub(super) fn write(
    document: &Document,
    warnings: Vec<Finding>,
) -> Result<(Vec<u8>, Vec<Finding>), Vec<Finding>> {
    let bytes = ubl::write(document);
    let findings = match judge(document, &bytes) {
        Ok(found) => warnings.into_iter().chain(found).collect(),
        // What this service writes is XML, and an invoice or a credit note.
        Err(unjudged) => vec![Finding::error("", "AP-UBL", unjudged.to_string())],
    };
    if findings.iter().any(|finding: &Finding| finding.severity == Severity::Error) {
        return Err(findings);
    }
    Ok((bytes, findings))
}

fn judge(document: &Document, bytes: &[u8]) -> Result<impl Iterator<Item = Finding>, Unjudged> {
    let tree = xml::parse(bytes)?;
    let verdict = validate::check(&tree, |node, missing| ubl::pointer(document, node, missing))?;
    Ok(verdict.findings.into_iter().map(|found| found.finding))
}

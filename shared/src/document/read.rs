//! Reads bytes into a [`Submission`]: JSON, types, field names and the rules of single fields.

use sha2::{Digest, Sha256};

use super::{
    findings::Findings,
    json::{FromJson, ToJson, Tree, read_field, unknown_field, wrong_type},
    limits,
    model::{Body, Operation, Party},
    place::Place,
};
use crate::error::Finding;

/// Maximum size of a request body, in bytes.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// A body with valid JSON, types, field names and single fields. Rules across fields are not checked yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// The operation that received the body.
    pub operation: Operation,
    /// The parsed body.
    pub body: Body,
    /// SHA-256 over the operation and the canonical JSON. Equal payloads have equal fingerprints. The order of names,
    /// white space and the spelling of numbers do not matter.
    pub fingerprint: [u8; 32],
    /// Whether `payment_means` was one object. Pointers into it then have no index.
    pub(super) single_payment_means: bool,
}

/// Why a body cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadError {
    /// The text is not JSON; the message contains line and column.
    Malformed(String),
    /// The text is JSON, but not a body of the operation.
    Invalid(Vec<Finding>),
}

/// Reads a body of an operation and reports all errors of single fields.
pub fn read(operation: Operation, json: &[u8]) -> Result<Submission, ReadError> {
    let tree = Tree::parse(json).map_err(ReadError::Malformed)?;
    let mut findings = Findings::default();
    let single = matches!(tree.member("payment_means"), Some(Tree::Object(_)));
    let body = read_body(operation, &tree, &mut findings);
    match body {
        Some(body) if !findings.has_errors() => {
            let mut hash = Sha256::new();
            hash.update(operation.as_str());
            tree.digest(&mut hash);
            let fingerprint = hash.finalize().into();
            Ok(Submission { operation, body, fingerprint, single_payment_means: single })
        }
        _ => Err(ReadError::Invalid(without_index(single, findings.into_vec()))),
    }
}

fn read_body(operation: Operation, tree: &Tree<'_>, findings: &mut Findings) -> Option<Body> {
    let Tree::Object(members) = tree else {
        wrong_type(tree, "an object", Place::ROOT, findings);
        return None;
    };
    let is_unknown =
        |member: &str| operation.has_field(member).is_err_and(|elsewhere| elsewhere.is_empty());
    let mut has_unknown = false;
    for (member, value) in members {
        let elsewhere = match operation.has_field(member) {
            Err(paths) if paths.is_empty() => {
                let fields = operation.fields().map(|(field, _)| field);
                unknown_field(member, fields, Place::ROOT, findings);
                has_unknown = true;
                continue;
            }
            // A null counts as absent for every field.
            Err(paths) if !matches!(value, Tree::Null) => paths,
            _ => continue,
        };
        let message = format!(
            "{member} is not a field of POST {}; it belongs to {}",
            operation.path(),
            elsewhere.iter().map(|path| format!("POST {path}")).collect::<Vec<_>>().join(", ")
        );
        findings.error(Place::ROOT.field(member), "AP-JSON-unknown-field", message);
    }
    for (field, required) in operation.fields() {
        if required && tree.member(field).is_none() {
            let message = format!("{field} is required for POST {}", operation.path());
            findings.error(Place::ROOT.field(field), "AP-JSON-required", message);
        }
    }
    limits::check_size(tree, findings);
    // The unknown fields are already reported, with the valid names.
    let known = has_unknown.then(|| {
        Tree::Object(members.iter().filter(|(name, _)| !is_unknown(name)).cloned().collect())
    });
    let body = Body::from_json(known.as_ref().unwrap_or(tree), Place::ROOT, findings)?;
    limits::check(operation, &body, findings);
    Some(body)
}

/// Removes the index from pointers into a `payment_means` that was given as one object.
pub(super) fn without_index(
    single_payment_means: bool,
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    if single_payment_means {
        for finding in &mut findings {
            if let Some(rest) = finding.pointer.strip_prefix("/payment_means/0") {
                finding.pointer = format!("/payment_means{rest}");
            }
        }
    }
    findings
}

impl Party {
    /// Reads a party, such as a registered profile.
    pub fn from_json(json: &[u8]) -> Result<Party, ReadError> {
        let tree = Tree::parse(json).map_err(ReadError::Malformed)?;
        let mut findings = Findings::default();
        let party = <Party as FromJson>::from_json(&tree, Place::ROOT, &mut findings);
        match party {
            Some(party) if !findings.has_errors() => Ok(party),
            _ => Err(ReadError::Invalid(findings.into_vec())),
        }
    }

    /// Writes the party as JSON that [`Party::from_json`] reads.
    pub fn to_json(&self) -> serde_json::Value {
        ToJson::to_json(self).unwrap_or_default()
    }
}

impl Body {
    /// The supplier in a body, for use without a registered profile.
    pub fn supplier_of(json: &[u8]) -> Option<Party> {
        let tree = Tree::parse(json).ok()?;
        read_field(&tree, "supplier", Place::ROOT, &mut Findings::default()).flatten()
    }

    /// Writes the body as JSON that [`read`] reads.
    pub fn to_json(&self) -> serde_json::Value {
        ToJson::to_json(self).unwrap_or_default()
    }
}

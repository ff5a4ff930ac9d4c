//! Examples: a sample, what breaks a rule in it, and what mends it; judged as the service judges a document, so that
//! what a page says of an example is what the service says.

use std::sync::LazyLock;

use jiff::civil::date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    document::{self, Document, Issuance, Operation, Profile, ReadError},
    error::Finding,
    service::inspect,
    types::ParticipantId,
    ubl, validate, xml,
};

/// Who sends the samples: the taxpayer of the local demo data.
const TAXPAYER: &str = r#"{
    "electronic_address": {"id": "1001234501"}, "name": "Falcon Trading LLC",
    "address": {"line_1": "Sheikh Zayed Road", "city": "Dubai", "country_subdivision": "DXB"},
    "vat_identifier": "100123450100003", "tax_registration_identifier": "1001234501",
    "legal_registration": {"id": "CN-1", "type": "TL", "authority_name": "DET"}
}"#;
const PARTICIPANT: &str = "0235:1001234501";

/// What examples begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sample {
    /// An invoice.
    Invoice,
    /// A credit note.
    CreditNote,
    /// A self-billed invoice.
    SelfBilledInvoice,
    /// A self-billed credit note.
    SelfBilledCreditNote,
}

impl Sample {
    /// Every sample.
    pub(super) const ALL: [Sample; 4] = [
        Sample::Invoice,
        Sample::CreditNote,
        Sample::SelfBilledInvoice,
        Sample::SelfBilledCreditNote,
    ];

    /// What it is called on pages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sample::Invoice => "invoice",
            Sample::CreditNote => "credit note",
            Sample::SelfBilledInvoice => "self-billed invoice",
            Sample::SelfBilledCreditNote => "self-billed credit note",
        }
    }

    /// The operation that takes it.
    pub(super) fn operation(self) -> Operation {
        match self {
            Sample::Invoice => Operation::Invoice,
            Sample::CreditNote => Operation::CreditNote,
            Sample::SelfBilledInvoice => Operation::SelfBilledInvoice,
            Sample::SelfBilledCreditNote => Operation::SelfBilledCreditNote,
        }
    }

    /// Its body.
    pub(super) fn json(self) -> &'static str {
        match self {
            Sample::Invoice => include_str!("../../../events/invoices/minimal.json"),
            Sample::CreditNote => include_str!("../../../events/credit-notes/external.json"),
            Sample::SelfBilledInvoice => {
                include_str!("../../../events/self-billing/invoices/standard.json")
            }
            Sample::SelfBilledCreditNote => {
                include_str!("../../../events/self-billing/credit-notes/external.json")
            }
        }
    }

    /// A document of that kind as others write it, with nearly every field; there is none of self-billing.
    pub(super) fn ubl(self) -> Option<&'static str> {
        match self {
            Sample::Invoice => Some(include_str!("../pint/samples/invoice.xml")),
            Sample::CreditNote => Some(include_str!("../pint/samples/credit-note.xml")),
            Sample::SelfBilledInvoice | Sample::SelfBilledCreditNote => None,
        }
    }
}

/// An operation of a JSON Patch (RFC 6902), of those that examples are made of.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Change {
    /// Puts a member or an item where none is.
    Add {
        /// Where, as RFC 6901 points.
        path: String,
        /// What.
        value: Value,
    },
    /// Puts another value in its place.
    Replace {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Takes a member or an item out.
    Remove {
        /// Which.
        path: String,
    },
}

impl Change {
    /// Makes the change; whether its place was there.
    fn make(&self, body: &mut Value) -> bool {
        let (Change::Add { path, .. } | Change::Replace { path, .. } | Change::Remove { path }) =
            self;
        let Some((parent, name)) = path.rsplit_once('/') else { return false };
        // No name in a body has a tilde or a slash, which RFC 6901 writes in another way.
        let index = name.parse::<usize>().ok();
        match (body.pointer_mut(parent), self) {
            (Some(Value::Object(members)), Change::Add { value, .. }) => {
                members.insert(name.to_owned(), value.clone()).is_none()
            }
            (Some(Value::Object(members)), Change::Replace { value, .. }) => {
                members.insert(name.to_owned(), value.clone()).is_some()
            }
            (Some(Value::Object(members)), Change::Remove { .. }) => members.remove(name).is_some(),
            (Some(Value::Array(items)), Change::Add { value, .. }) => match index {
                Some(index) if index <= items.len() => {
                    items.insert(index, value.clone());
                    true
                }
                _ => false,
            },
            (Some(Value::Array(items)), Change::Replace { value, .. }) => {
                let item = index.and_then(|index| items.get_mut(index));
                item.map(|item| *item = value.clone()).is_some()
            }
            (Some(Value::Array(items)), Change::Remove { .. }) => match index {
                Some(index) if index < items.len() => {
                    items.remove(index);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Lines of a UBL document, as they are right and as they are wrong.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Lines {
    /// The first of them in the sample, from 1.
    pub(super) line: usize,
    /// As they stand in the sample.
    pub(super) right: Vec<String>,
    /// As they break the rule.
    pub(super) wrong: Vec<String>,
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Written")]
pub(super) enum Example {
    /// A change of a body, and another one that mends it.
    Json {
        /// What is changed.
        sample: Sample,
        /// How.
        fault: Vec<Change>,
        /// What mends it, on top of that.
        mend: Vec<Change>,
    },
    /// A change of a UBL document, which is mended by undoing it.
    Ubl {
        /// What is changed.
        sample: Sample,
        /// How.
        changes: Vec<Lines>,
    },
}

/// An example as it stands in a file, where what is left out tells of which sort it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    sample: Sample,
    #[serde(default)]
    fault: Vec<Change>,
    #[serde(default)]
    mend: Vec<Change>,
    #[serde(default)]
    changes: Vec<Lines>,
}

impl From<Written> for Example {
    fn from(Written { sample, fault, mend, changes }: Written) -> Self {
        match changes.is_empty() {
            true => Example::Json { sample, fault, mend },
            false => Example::Ubl { sample, changes },
        }
    }
}

impl Example {
    /// What is found in the document that breaks the rule; none where the example does not fit its sample.
    pub(super) fn faulty(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, fault, .. } => of_changes(*sample, fault.iter()),
            Example::Ubl { sample, changes } => Some(of_ubl(&changed(sample.ubl()?, changes)?)),
        }
    }

    /// The same of the one that is mended.
    #[cfg(test)]
    pub(super) fn mended(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, fault, mend } => of_changes(*sample, fault.iter().chain(mend)),
            Example::Ubl { .. } => self.sample(),
        }
    }

    /// The same of the sample as it is.
    #[cfg(test)]
    pub(super) fn sample(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, .. } => of_changes(*sample, std::iter::empty()),
            Example::Ubl { sample, .. } => Some(of_ubl(sample.ubl()?)),
        }
    }
}

/// What the service finds in a changed sample.
fn of_changes<'c>(
    sample: Sample,
    mut changes: impl Iterator<Item = &'c Change>,
) -> Option<Vec<Finding>> {
    let mut body: Value = serde_json::from_str(sample.json()).ok()?;
    changes.all(|change| change.make(&mut body)).then(|| of_json(sample.operation(), &body))
}

/// A document with lines exchanged; none where they are not there.
pub(super) fn changed(document: &str, changes: &[Lines]) -> Option<String> {
    let mut lines: Vec<&str> = document.split('\n').collect();
    // From the last one up, so that places stay.
    for change in changes.iter().rev() {
        let begin = change.line.checked_sub(1)?;
        let range = begin..begin + change.right.len();
        if lines.get(range.clone())? != change.right.as_slice() {
            return None;
        }
        lines.splice(range, change.wrong.iter().map(String::as_str));
    }
    Some(lines.join("\n"))
}

/// What the service finds in a body.
fn of_json(operation: Operation, body: &Value) -> Vec<Finding> {
    let (document, warnings) = match completed(operation, body) {
        Ok(completed) => completed,
        Err(findings) => return findings,
    };
    match inspect::write(&document, warnings) {
        Ok((_, warnings)) => warnings,
        Err(refused) => refused.findings,
    }
}

fn completed(operation: Operation, body: &Value) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let submission = match document::read(operation, body.to_string().as_bytes()) {
        Ok(submission) => submission,
        Err(ReadError::Invalid(findings)) => return Err(findings),
        // What was a value is JSON.
        Err(ReadError::Malformed(_)) => return Err(Vec::new()),
    };
    let taxpayer = Profile::from_json(TAXPAYER.as_bytes()).map_err(|_| Vec::new())?;
    let participant: ParticipantId = PARTICIPANT.parse().map_err(|_| Vec::new())?;
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &participant,
        today: date(2026, 11, 23),
        uuid: Uuid::from_u128(0x6b7b_6e4e_4f39_4b57_9d30_0d1a_3b3f_0a11),
        original: None,
    };
    document::complete(submission, &issuance)
}

/// The sample invoice, by which places in UBL are named as fields of a body.
static NAMES: LazyLock<Option<Document>> = LazyLock::new(|| {
    let body = serde_json::from_str(Sample::Invoice.json()).ok()?;
    completed(Operation::Invoice, &body).ok().map(|(document, _)| document)
});

/// What schema, rules and own checks find in a UBL document, with the fields that its places are made from.
fn of_ubl(document: &str) -> Vec<Finding> {
    let Ok(tree) = xml::parse(document.as_bytes()) else { return Vec::new() };
    let verdict = validate::check(&tree, |node, missing| match &*NAMES {
        Some(names) => ubl::pointer(names, node, missing),
        None => String::new(),
    });
    let Ok(verdict) = verdict else { return Vec::new() };
    verdict.findings.into_iter().map(|found| found.finding).collect()
}

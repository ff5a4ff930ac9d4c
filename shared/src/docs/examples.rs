//! Examples: a sample, what breaks a rule in it, and what mends it; or a file or a body that is no document, as it breaks a
//! rule and as it does not. Each is judged as the service judges it, so that what a page says of an example is what the
//! service says.

use std::{collections::BTreeSet, sync::LazyLock};

use jiff::{Timestamp, civil::date};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    access::Scope,
    api::webhook_bodies,
    bulk::{File, Placed},
    document::{self, Document, Issuance, Operation, Profile, ReadError},
    egress::{self, Egress},
    error::{Failure, Finding},
    peppol::{
        identifiers::{DocumentType, Process},
        sbdh::{CountryCode, DocumentIdentification, Header},
    },
    service::{business_cards, inspect, judge, oauth::clients, webhooks},
    types::{Mode, ParticipantId},
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

/// What is no document and has rules of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sort {
    /// A file of invoices.
    Import,
    /// A business card.
    BusinessCard,
    /// An OAuth client.
    Client,
    /// A webhook endpoint.
    Endpoint,
    /// A test event of an endpoint of the Sandbox.
    TestEvent,
}

impl Sort {
    /// What it is called on pages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sort::Import => "A file of invoices to import",
            Sort::BusinessCard => "The body of a business card",
            Sort::Client => "What the portal's form of an OAuth client says, for Live",
            Sort::Endpoint => "The body of a webhook endpoint",
            Sort::TestEvent => "The body of a test event, in Sandbox",
        }
    }

    /// What the service finds in one; none where it cannot be read at all.
    fn findings(self, text: &str) -> Option<Vec<Finding>> {
        let bytes = text.as_bytes();
        match self {
            Sort::Import => Some(of_file(bytes.to_vec())),
            Sort::BusinessCard => refused(business_cards::read(bytes)),
            Sort::Client => of_client(bytes),
            Sort::Endpoint => refused(webhook_bodies::create(bytes).and_then(|wanted| {
                // What is said of an address before its name is resolved.
                egress::check_url(&wanted.url, Egress::Public)
                    .map_err(|error| webhooks::unsendable(&error))
            })),
            Sort::TestEvent => refused(webhook_bodies::test(bytes, Mode::Sandbox)),
        }
    }
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
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
        /// Whether it comes from another access point, in an envelope for its buyer.
        is_received: bool,
    },
    /// What is no document, as it breaks the rule and as it does not.
    Other {
        /// What it is.
        sort: Sort,
        /// As it breaks the rule.
        faulty: String,
        /// As it does not.
        mended: String,
    },
}

/// An example as it stands in a file, where what is left out tells of which sort it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    sample: Option<Sample>,
    #[serde(default)]
    fault: Vec<Change>,
    #[serde(default)]
    mend: Vec<Change>,
    #[serde(default)]
    changes: Vec<Lines>,
    #[serde(default)]
    is_received: bool,
    #[serde(default)]
    sort: Option<Sort>,
    #[serde(default)]
    faulty: Value,
    #[serde(default)]
    mended: Value,
}

impl TryFrom<Written> for Example {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { sample, fault, mend, changes, is_received, sort, faulty, mended } = written;
        match (sample, sort) {
            (Some(sample), None) if changes.is_empty() => Ok(Example::Json { sample, fault, mend }),
            (Some(sample), None) => Ok(Example::Ubl { sample, changes, is_received }),
            (None, Some(sort)) => {
                Ok(Example::Other { sort, faulty: text(faulty), mended: text(mended) })
            }
            _ => Err("an example is of a sample, or of a sort"),
        }
    }
}

/// A file as it is, a body in lines.
fn text(written: Value) -> String {
    match written {
        Value::String(text) => text,
        body => serde_json::to_string_pretty(&body).unwrap_or_default(),
    }
}

impl Example {
    /// What is found in the document that breaks the rule; none where the example does not fit its sample.
    pub(super) fn faulty(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, fault, .. } => of_changes(*sample, fault.iter()),
            Example::Ubl { sample, changes, is_received } => {
                Some(of_ubl(&changed(sample.ubl()?, changes)?, *is_received))
            }
            Example::Other { sort, faulty, .. } => sort.findings(faulty),
        }
    }

    /// The same of the one that is mended.
    #[cfg(test)]
    pub(super) fn mended(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, fault, mend } => of_changes(*sample, fault.iter().chain(mend)),
            Example::Ubl { .. } | Example::Other { .. } => self.sample(),
        }
    }

    /// The same of the sample as it is; of what is no document, which is of no sample, as it is mended.
    #[cfg(test)]
    pub(super) fn sample(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { sample, .. } => of_changes(*sample, std::iter::empty()),
            Example::Ubl { sample, is_received, .. } => Some(of_ubl(sample.ubl()?, *is_received)),
            Example::Other { sort, mended, .. } => sort.findings(mended),
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

/// What schema, rules and own checks find in a UBL document, with the fields that its places are made from; of one that was
/// received also what its envelope says otherwise.
fn of_ubl(document: &str, is_received: bool) -> Vec<Finding> {
    if is_received {
        return ENVELOPE
            .as_ref()
            .map(|envelope| judge::findings(document.as_bytes(), envelope))
            .unwrap_or_default();
    }
    let Ok(tree) = xml::parse(document.as_bytes()) else { return Vec::new() };
    let verdict = validate::check(&tree, |node, missing| match &*NAMES {
        Some(names) => ubl::pointer(names, node, missing),
        None => String::new(),
    });
    let Ok(verdict) = verdict else { return Vec::new() };
    verdict.findings.into_iter().map(|found| found.finding).collect()
}

/// What goes with the sample invoice in UBL: from its seller to its buyer.
static ENVELOPE: LazyLock<Option<Header>> = LazyLock::new(|| {
    Some(Header {
        sender: PARTICIPANT.parse().ok()?,
        receiver: "0235:1001234502".parse().ok()?,
        instance_id: "6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11".parse().ok()?,
        document: DocumentIdentification::new(DocumentType::INVOICE).ok()?,
        process: Process::BILLING,
        created_at: Timestamp::UNIX_EPOCH,
        country_c1: CountryCode::UAE,
        mls_to: None,
        mls_type: None,
        others: Default::default(),
    })
});

/// What is wrong with a file of invoices, or with the documents in it.
fn of_file(file: Vec<u8>) -> Vec<Finding> {
    let operation = Operation::Invoice;
    let file = match File::open(operation, file) {
        Ok(file) => file,
        Err(found) => return found,
    };
    let of_body = |body: Result<Vec<u8>, Vec<Placed>>| match body {
        Ok(body) => {
            serde_json::from_slice(&body).map(|body| of_json(operation, &body)).unwrap_or_default()
        }
        Err(placed) => placed.into_iter().map(|placed| placed.finding).collect(),
    };
    (0..file.documents()).filter_map(|document| file.body(document)).flat_map(of_body).collect()
}

/// What is wrong with a client of Live.
fn of_client(form: &[u8]) -> Option<Vec<Finding>> {
    #[derive(Deserialize)]
    struct Form {
        name: String,
        redirect_uris: Vec<String>,
        scopes: BTreeSet<Scope>,
    }
    let Form { name, redirect_uris, scopes } = serde_json::from_slice(form).ok()?;
    refused(clients::judged(Mode::Live, &name, &redirect_uris, &scopes))
}

/// The findings for which something was refused; none where it was refused for another reason.
fn refused<T>(judged: Result<T, Failure>) -> Option<Vec<Finding>> {
    match judged {
        Ok(_) => Some(Vec::new()),
        Err(Failure { findings, .. }) => (!findings.is_empty()).then_some(findings),
    }
}

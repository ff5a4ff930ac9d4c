//! Examples of rules. An example is one of three kinds:
//! - a sample document with a change that breaks a rule, and a change that corrects it;
//! - another text (a file or a body) in a faulty and a correct version;
//! - a circumstance outside of the service.
//!
//! An example may need earlier sends. The code that checks each example is that of the service, so a page shows what
//! the service finds.

mod checks;
mod circumstance;
pub(super) mod pieces;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) use self::checks::EARLIER;
use self::{
    checks::{of_changes, of_client, of_command_line, of_file, of_test_event, of_ubl, refused},
    circumstance::Circumstance,
};
use crate::{
    api::{taxpayer_patch, webhook_bodies},
    document::Operation,
    egress::{self, Egress},
    error::Finding,
    import_tables,
    service::{business_cards, validate_inbound, webhooks},
    store::Status,
};

/// The sample documents that examples change.
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

    /// Its name on pages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sample::Invoice => "invoice",
            Sample::CreditNote => "credit note",
            Sample::SelfBilledInvoice => "self-billed invoice",
            Sample::SelfBilledCreditNote => "self-billed credit note",
        }
    }

    /// The operation that sends it.
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
            Sample::Invoice => include_str!("../../../../events/invoices/minimal.json"),
            Sample::CreditNote => include_str!("../../../../events/credit-notes/external.json"),
            Sample::SelfBilledInvoice => {
                include_str!("../../../../events/self-billing/invoices/standard.json")
            }
            Sample::SelfBilledCreditNote => {
                include_str!("../../../../events/self-billing/credit-notes/external.json")
            }
        }
    }

    /// A document of that kind as other access points write it, with nearly every field; there is none for
    /// self-billing.
    pub(super) fn ubl(self) -> Option<&'static str> {
        match self {
            Sample::Invoice => Some(include_str!("../../pint/samples/invoice.xml")),
            Sample::CreditNote => Some(include_str!("../../pint/samples/credit-note.xml")),
            Sample::SelfBilledInvoice | Sample::SelfBilledCreditNote => None,
        }
    }
}

/// The operations of a JSON Patch (RFC 6902) that examples use.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Change {
    /// Adds a member or an item.
    Add {
        /// The JSON Pointer (RFC 6901).
        path: String,
        /// The value.
        value: Value,
    },
    /// Replaces a value.
    Replace {
        /// The JSON Pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Removes a member or an item.
    Remove {
        /// The JSON Pointer.
        path: String,
    },
}

impl Change {
    /// Applies the change; false if its place does not exist.
    fn make(&self, body: &mut Value) -> bool {
        let (Change::Add { path, .. } | Change::Replace { path, .. } | Change::Remove { path }) =
            self;
        let Some((parent, name)) = path.rsplit_once('/') else { return false };
        // No name in a body contains a tilde or a slash, so RFC 6901 needs no unescaping.
        match (body.pointer_mut(parent), self) {
            (Some(Value::Object(members)), Change::Add { value, .. }) => {
                members.insert(name.to_owned(), pieces::whole_of(value)).is_none()
            }
            (Some(Value::Object(members)), Change::Replace { value, .. }) => {
                members.insert(name.to_owned(), pieces::whole_of(value)).is_some()
            }
            (Some(Value::Object(members)), Change::Remove { .. }) => members.remove(name).is_some(),
            (Some(Value::Array(items)), change) => change.make_in(items, name),
            _ => false,
        }
    }

    /// Applies the change to a list.
    fn make_in(&self, items: &mut Vec<Value>, name: &str) -> bool {
        let index = match name {
            // RFC 6902: the end of the list.
            "-" => Some(items.len()),
            name => name.parse().ok(),
        };
        match (self, index) {
            (Change::Add { value, .. }, Some(index)) if index <= items.len() => {
                items.insert(index, pieces::whole_of(value));
                true
            }
            (Change::Replace { value, .. }, Some(index)) => {
                items.get_mut(index).map(|item| *item = pieces::whole_of(value)).is_some()
            }
            (Change::Remove { .. }, Some(index)) if index < items.len() => {
                items.remove(index);
                true
            }
            _ => false,
        }
    }
}

/// A document that was sent before.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Earlier {
    /// The sample before the changes.
    pub(super) sample: Sample,
    /// The changes.
    #[serde(default)]
    pub(super) changes: Vec<Change>,
    /// Its current status.
    pub(super) status: Status,
}

/// An invoice of an earlier import.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Imported {
    /// Its line of the file.
    pub(super) body: Value,
    /// Whether it has failed since.
    #[serde(default)]
    pub(super) has_failed: bool,
}

/// Lines of a UBL document in a correct and a faulty version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Lines {
    /// Number of the first line in the sample, from 1.
    pub(super) line: usize,
    /// The lines of the sample.
    pub(super) right: Vec<String>,
    /// The lines that break the rule.
    pub(super) wrong: Vec<String>,
}

/// Kinds of texts other than documents that have their own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sort {
    /// A file of invoices.
    Import,
    /// A file of invoices, in base64.
    ImportBytes,
    /// A business card.
    BusinessCard,
    /// An OAuth client.
    Client,
    /// A webhook endpoint.
    Endpoint,
    /// A test event of an endpoint in Sandbox.
    TestEvent,
    /// A patch of the taxpayer.
    TaxpayerPatch,
    /// A status of the recipient's access point about a document.
    Status,
    /// The input of the command line's `convert`.
    CommandLine,
    /// No text: a circumstance.
    Circumstance,
}

impl Sort {
    /// Its name on pages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sort::Import => "A file of invoices to import",
            Sort::ImportBytes => "The bytes of a file of invoices to import, in base64",
            Sort::BusinessCard => "The body of a business card",
            Sort::Client => "The portal's form of an OAuth client, in Live",
            Sort::Endpoint => "The body of a webhook endpoint",
            Sort::TestEvent => "The body of a test event, in Sandbox",
            Sort::TaxpayerPatch => "The body of PATCH /taxpayer",
            Sort::Status => {
                "The Message Level Status of the recipient's access point about a long invoice"
            }
            Sort::CommandLine => "A body for access-point convert with only --operation invoice",
            Sort::Circumstance => "What happens",
        }
    }

    /// The findings of the service, after an earlier import; `None` if the text cannot be read at all.
    fn findings(self, text: &str, earlier: Option<&Imported>) -> Option<Vec<Finding>> {
        if self == Sort::Import {
            // The size check comes first, as in the import.
            if let Err(found) = import_tables::fits(pieces::length(text)) {
                return Some(found);
            }
        }
        let text = pieces::whole(text);
        let bytes = text.as_bytes();
        match self {
            Sort::Import => of_file(text.into_bytes(), earlier),
            Sort::ImportBytes => of_file(STANDARD.decode(bytes).ok()?, earlier),
            Sort::BusinessCard => refused(business_cards::read(bytes)),
            Sort::Client => of_client(bytes),
            Sort::Endpoint => refused(webhook_bodies::create(bytes).and_then(|wanted| {
                // Checks the address before its name is resolved.
                egress::check_url(&wanted.url, Egress::Public)
                    .map_err(|error| webhooks::unsendable(&error))
            })),
            Sort::TestEvent => of_test_event(bytes),
            Sort::TaxpayerPatch => refused(taxpayer_patch(bytes)),
            Sort::Status => {
                validate_inbound::said(bytes, Operation::Invoice, Sample::Invoice.ubl()?.as_bytes())
            }
            Sort::CommandLine => Some(of_command_line(bytes)),
            // It has no text.
            Sort::Circumstance => None,
        }
    }
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(super) enum Example {
    /// A change of a body that breaks the rule, and a second change that corrects it.
    Json {
        /// The earlier send.
        earlier: Option<Earlier>,
        /// The changed sample.
        sample: Sample,
        /// How.
        fault: Vec<Change>,
        /// How often the change is applied.
        times: usize,
        /// An additional note.
        note: Option<String>,
        /// The correction, applied after the fault.
        fix: Vec<Change>,
    },
    /// A change of a UBL document; undoing it corrects the document.
    Ubl {
        /// The changed sample.
        sample: Sample,
        /// How.
        changes: Vec<Lines>,
        /// Whether it comes from another access point, in an envelope for its buyer.
        is_received: bool,
    },
    /// Another text in a faulty and a correct version.
    Other {
        /// The kind of text.
        sort: Sort,
        /// The earlier import.
        imported: Option<Imported>,
        /// As it breaks the rule.
        faulty: String,
        /// As it does not.
        fixed: String,
    },
    /// A circumstance that causes the finding, and one that does not.
    Circumstance {
        /// As it does.
        faulty: Circumstance,
        /// As it does not.
        fixed: Circumstance,
    },
}

/// The form of an example in a file. The present fields determine its kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    earlier: Option<Earlier>,
    #[serde(default)]
    sample: Option<Sample>,
    #[serde(default)]
    fault: Vec<Change>,
    #[serde(default = "once")]
    times: usize,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    fix: Vec<Change>,
    #[serde(default)]
    changes: Vec<Lines>,
    #[serde(default)]
    is_received: bool,
    #[serde(default)]
    sort: Option<Sort>,
    #[serde(default)]
    imported: Option<Imported>,
    #[serde(default)]
    faulty: Value,
    #[serde(default)]
    fixed: Value,
}

fn once() -> usize {
    1
}

impl TryFrom<Written> for Example {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { earlier, sample, fault, times, note, fix, changes, .. } = written;
        let Written { is_received, sort, imported, faulty, fixed, .. } = written;
        let circumstance = |written| {
            serde_json::from_value(written).map_err(|error: serde_json::Error| error.to_string())
        };
        match (sample, sort) {
            (Some(sample), None) if changes.is_empty() => {
                Ok(Example::Json { earlier, sample, fault, times, note, fix })
            }
            (Some(sample), None) => Ok(Example::Ubl { sample, changes, is_received }),
            (None, Some(Sort::Circumstance)) => Ok(Example::Circumstance {
                faulty: circumstance(faulty)?,
                fixed: circumstance(fixed)?,
            }),
            (None, Some(sort)) => {
                Ok(Example::Other { sort, imported, faulty: text(faulty), fixed: text(fixed) })
            }
            _ => Err("an example needs a sample or a sort".to_owned()),
        }
    }
}

/// A file unchanged, a body as indented JSON.
fn text(written: Value) -> String {
    match written {
        Value::String(text) => text,
        body => serde_json::to_string_pretty(&body).unwrap_or_default(),
    }
}

impl Example {
    /// The findings of the faulty document; `None` if the example does not fit its sample.
    pub(super) fn faulty(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { earlier, sample, fault, times, .. } => {
                of_changes(*sample, earlier.as_ref(), often(fault, *times))
            }
            Example::Ubl { sample, changes, is_received } => {
                Some(of_ubl(&changed(sample.ubl()?, changes)?, *is_received))
            }
            Example::Other { sort, imported, faulty, .. } => {
                sort.findings(faulty, imported.as_ref())
            }
            Example::Circumstance { faulty, .. } => faulty.findings(),
        }
    }

    /// The findings of the corrected document.
    #[cfg(test)]
    pub(super) fn fixed(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { earlier, sample, fault, times, fix, .. } => {
                of_changes(*sample, earlier.as_ref(), often(fault, *times).chain(fix))
            }
            Example::Ubl { .. } | Example::Other { .. } | Example::Circumstance { .. } => {
                self.sample()
            }
        }
    }

    /// The findings of the unchanged sample, or of the correct text.
    #[cfg(test)]
    pub(super) fn sample(&self) -> Option<Vec<Finding>> {
        match self {
            Example::Json { earlier, sample, .. } => {
                of_changes(*sample, earlier.as_ref(), std::iter::empty())
            }
            Example::Ubl { sample, is_received, .. } => Some(of_ubl(sample.ubl()?, *is_received)),
            Example::Other { sort, imported, fixed, .. } => sort.findings(fixed, imported.as_ref()),
            Example::Circumstance { fixed, .. } => fixed.findings(),
        }
    }
}

/// The changes in order, repeated this many times.
fn often(changes: &[Change], times: usize) -> impl Iterator<Item = &Change> {
    std::iter::repeat_n(changes, times).flatten()
}

/// Replaces lines of a document; `None` if the lines are not in it.
pub(super) fn changed(document: &str, changes: &[Lines]) -> Option<String> {
    let mut lines: Vec<&str> = document.split('\n').collect();
    // Starts with the last change, so that line numbers stay valid.
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

//! The content beside the reported document: custom content, and the source document.

use super::has_none_of;
use crate::rules::{Group, Rule};
use crate::xml::names::{cbc, credit_note, invoice};

/// The further children of a UBL extension, beside its content.
const EXTENSION_CHILDREN: &[&str] = &[
    "ID",
    "Name",
    "ExtensionAgencyID",
    "ExtensionAgencyName",
    "ExtensionVersionID",
    "ExtensionAgencyURI",
    "ExtensionURI",
    "ExtensionReasonCode",
    "ExtensionReason",
];

/// `…/pxs:ReportedTransaction/pxs:CustomContent`
pub(super) const CUSTOM: Group<()> = &[Rule {
    id: "ibr-tdd-55",
    term: "",
    about: &[cbc::VALUE],
    message: "The custom content has no value.",
    fix: "Give it as cbc:Value; cec:ExtensionContent is not allowed.",
    holds: |content, _| content.child(cbc::VALUE).is_some(),
}];

/// `…/pxs:ReportedTransaction/pxs:SourceDocument`
pub(super) const SOURCE: Group<()> = &[Rule {
    id: "ibr-tdd-56",
    term: "TDG-003",
    about: &[],
    message: "The source document comes with more than its content.",
    fix: "Remove all but cec:ExtensionContent.",
    holds: |source, _| has_none_of(source, EXTENSION_CHILDREN, &[]),
}];

/// `…/pxs:ReportedTransaction/pxs:SourceDocument/cec:ExtensionContent`
pub(super) const EMBEDDED: Group<()> = &[Rule {
    id: "ibr-tdd-57",
    term: "TDT-012",
    about: &[],
    message: "The source document is neither a UBL invoice nor a UBL credit note.",
    fix: "Embed the whole invoice or credit note.",
    holds: |content, _| {
        content.child(invoice::INVOICE).is_some()
            || content.child(credit_note::CREDIT_NOTE).is_some()
    },
}];

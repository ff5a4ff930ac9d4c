//! The response to the document: accepted or rejected, and a reference to the document.

use crate::codes::STATUS_RESPONSES;
use crate::rules::xpath::{DynamicError, Evaluated, has_text, normalized, some};
use crate::rules::{Group, Rule};
use crate::xml::names::{cac, cbc};
use crate::xml::{Name, Node};

/// The path to the response code.
const CODE: &[Name] = &[cac::RESPONSE, cbc::RESPONSE_CODE];
/// The path to the response text.
const DESCRIPTION: &[Name] = &[cac::RESPONSE, cbc::DESCRIPTION];

/// `/ubl:ApplicationResponse/cac:DocumentResponse`
pub(super) const RESPONSE: Group<()> = &[
    Rule {
        id: "SCH-MLS-18",
        term: "",
        about: CODE,
        message: "The answer has no response code.",
        fix: "Give AP (delivered), AB (delivered without confirmation) or RE (rejected).",
        holds: |response, _| response.find(CODE).is_some(),
    },
    Rule {
        id: "SCH-MLS-19",
        term: "",
        about: CODE,
        message: "The response code of the answer is none of the known ones.",
        fix: "Give AP (delivered), AB (delivered without confirmation) or RE (rejected).",
        holds: |response, _| {
            normalized(response.select(CODE)).is_ok_and(|code| STATUS_RESPONSES.contains(&code))
        },
    },
    Rule {
        id: "SCH-MLS-20",
        term: "",
        about: DESCRIPTION,
        message: "The rejection has no description.",
        fix: "Say in a sentence why the document was rejected.",
        holds: |response, _| {
            is_rejection(response) == Ok(false) || response.find(DESCRIPTION).is_some()
        },
    },
    Rule {
        id: "SCH-MLS-21",
        term: "",
        about: DESCRIPTION,
        message: "The description of the rejection is empty.",
        fix: "Say in a sentence why the document was rejected.",
        holds: |response, _| {
            is_rejection(response) == Ok(false) || has_text(response.select(DESCRIPTION))
        },
    },
    Rule {
        id: "SCH-MLS-22",
        term: "",
        about: &[cac::DOCUMENT_REFERENCE],
        message: "The answer does not refer to exactly one document.",
        fix: "Give one reference, to the envelope of the document that is answered.",
        holds: |response, _| response.all(cac::DOCUMENT_REFERENCE).count() == 1,
    },
    Rule {
        id: "SCH-MLS-23",
        term: "",
        about: &[cac::LINE_RESPONSE],
        message: "The rejection lists no issue.",
        fix: "Add each issue that was found as cac:LineResponse.",
        holds: |response, _| {
            is_rejection(response) == Ok(false) || response.child(cac::LINE_RESPONSE).is_some()
        },
    },
    Rule {
        id: "SCH-MLS-24",
        term: "",
        about: &[cac::LINE_RESPONSE],
        message: "None of the issues is a reason for the rejection.",
        fix: "Add an issue of kind BV, SV or FD, or accept the document.",
        holds: |response, _| {
            is_rejection(response) == Ok(false) || has_failure(response) == Ok(true)
        },
    },
    Rule {
        id: "SCH-MLS-25",
        term: "",
        about: &[cac::LINE_RESPONSE],
        message: "The document is accepted, but an issue is a reason for rejection.",
        fix: "Remove the issues of kind BV, SV and FD, or reject the document.",
        holds: |response, _| {
            is_rejection(response) == Ok(true) || has_failure(response) == Ok(false)
        },
    },
];

/// `/ubl:ApplicationResponse/cac:DocumentResponse/cac:DocumentReference`
pub(super) const REFERENCE: Group<()> = &[Rule {
    id: "SCH-MLS-26",
    term: "",
    about: &[cbc::ID],
    message: "The reference to the document is empty.",
    fix: "Give the InstanceIdentifier of the document's envelope.",
    holds: |reference, _| has_text(reference.all(cbc::ID)),
}];

fn is_rejection(response: Node<'_>) -> Evaluated<bool> {
    Ok(normalized(response.select(CODE))? == "RE")
}

/// Whether an issue of a failure kind exists. The official expression runs three searches. A match in one search wins
/// over an error in another.
fn has_failure(response: Node<'_>) -> Evaluated<bool> {
    let searches = ["BV", "FD", "SV"].map(|kind| has_issue(response, kind));
    if searches.contains(&Ok(true)) {
        Ok(true)
    } else if searches.contains(&Err(DynamicError)) {
        Err(DynamicError)
    } else {
        Ok(false)
    }
}

fn has_issue(response: Node<'_>, kind: &str) -> Evaluated<bool> {
    some(response.select(&[cac::LINE_RESPONSE, cac::RESPONSE]), |issue| {
        Ok(normalized(issue.select(&[cac::STATUS, cbc::STATUS_REASON_CODE]))? == kind)
    })
}

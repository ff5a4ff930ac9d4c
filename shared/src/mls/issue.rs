//! One issue in the document.

use crate::codes::STATUS_REASONS;
use crate::rules::xpath::{has_text, normalized};
use crate::rules::{Group, Rule};
use crate::xml::names::{cac, cbc};

/// `/ubl:ApplicationResponse/cac:DocumentResponse/cac:LineResponse`
pub(super) const ISSUE: Group<()> = &[Rule {
    id: "SCH-MLS-27",
    term: "",
    about: &[cac::LINE_REFERENCE, cbc::LINE_ID],
    message: "The issue does not say where it is.",
    fix: "Give the XPath of the element, or NA.",
    holds: |issue, _| has_text(issue.select(&[cac::LINE_REFERENCE, cbc::LINE_ID])),
}];

/// `/ubl:ApplicationResponse/cac:DocumentResponse/cac:LineResponse/cac:Response`
pub(super) const RESPONSE: Group<()> = &[
    Rule {
        id: "SCH-MLS-28",
        term: "",
        about: &[cbc::DESCRIPTION],
        message: "The issue has no description.",
        fix: "Say in a sentence what the issue is.",
        holds: |response, _| response.child(cbc::DESCRIPTION).is_some(),
    },
    Rule {
        id: "SCH-MLS-29",
        term: "",
        about: &[cbc::DESCRIPTION],
        message: "The description of the issue is empty.",
        fix: "Say in a sentence what the issue is.",
        holds: |response, _| has_text(response.all(cbc::DESCRIPTION)),
    },
    Rule {
        id: "SCH-MLS-30",
        term: "",
        about: &[cac::STATUS],
        message: "The issue has no status.",
        fix: "Add cac:Status with the kind of the issue.",
        holds: |response, _| response.child(cac::STATUS).is_some(),
    },
];

/// `/ubl:ApplicationResponse/cac:DocumentResponse/cac:LineResponse/cac:Response/cac:Status`
pub(super) const STATUS: Group<()> = &[Rule {
    id: "SCH-MLS-31",
    term: "",
    about: &[cbc::STATUS_REASON_CODE],
    message: "The kind of the issue is none of the known codes.",
    fix: "Use SV (syntax), BV (rule), BW (warning) or FD (delivery).",
    holds: |status, _| {
        normalized(status.all(cbc::STATUS_REASON_CODE))
            .is_ok_and(|code| STATUS_REASONS.contains(&code))
    },
}];

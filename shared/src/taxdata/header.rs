//! The header of the report: its type, the reporting party, the receiving party and the representative.

use super::has_none_of;
use super::party::CHILDREN;
use crate::codes::{REPORT_SCOPES, REPORT_TYPES, REPORTER_ROLES};
use crate::rules::shapes::is_zoned_time;
use crate::rules::xpath::{lone, normalized};
use crate::rules::{Group, Rule};
use crate::xml::names::{attr, cac, cbc, tdd};
use crate::xml::{Node, normalize_space};

/// `/pxs:TaxData`
pub(super) const TAX_DATA: Group<()> = &[
    Rule {
        id: "ibr-tdd-01",
        term: "TDT-001",
        about: &[cbc::CUSTOMIZATION_ID],
        message: "The specification identifier is not that of the UAE's Tax Data Document.",
        fix: "Write urn:peppol:taxdata:ae-1.",
        holds: |report, _| {
            normalized(report.all(cbc::CUSTOMIZATION_ID)).as_deref()
                == Ok("urn:peppol:taxdata:ae-1")
        },
    },
    Rule {
        id: "ibr-tdd-02",
        term: "TDT-002",
        about: &[cbc::PROFILE_ID],
        message: "The business process is not tax reporting.",
        fix: "Write urn:peppol:taxreporting.",
        holds: |report, _| {
            normalized(report.all(cbc::PROFILE_ID)).as_deref() == Ok("urn:peppol:taxreporting")
        },
    },
    Rule {
        id: "ibr-tdd-03",
        term: "",
        about: &[cbc::ID],
        message: "The report has its own identifier, which is not allowed.",
        fix: "Remove the identifier.",
        holds: |report, _| report.child(cbc::ID).is_none(),
    },
    Rule {
        id: "ibr-tdd-04",
        term: "TDT-004",
        about: &[cbc::ISSUE_DATE],
        message: "The date of the report is missing, or has a time zone.",
        fix: "Write only the date, as YYYY-MM-DD.",
        holds: |report, _| {
            normalized(report.all(cbc::ISSUE_DATE)).is_ok_and(|date| date.chars().count() == 10)
        },
    },
    Rule {
        id: "ibr-tdd-05",
        term: "TDT-005",
        about: &[cbc::ISSUE_TIME],
        message: "The time of the report is missing, or has no time zone.",
        fix: "Write the time with its zone, such as 12:30:00+04:00 or 08:30:00Z.",
        holds: |report, _| {
            normalized(report.all(cbc::ISSUE_TIME)).is_ok_and(|time| is_zoned_time(&time))
        },
    },
    Rule {
        id: "ibr-tdd-06",
        term: "TDT-006",
        about: &[tdd::DOCUMENT_TYPE_CODE],
        message: "The type of the report is not one of the known codes.",
        fix: "Use S (submit), R (resubmit), W (withdraw) or F (failed).",
        holds: |report, _| {
            normalized(report.all(tdd::DOCUMENT_TYPE_CODE))
                .is_ok_and(|code| REPORT_TYPES.contains(&code))
        },
    },
    Rule {
        id: "ibr-tdd-07",
        term: "TDT-011",
        about: &[tdd::DOCUMENT_SCOPE],
        message: "The scope of the report is not one of the known codes.",
        fix: "Use D (domestic), IP (abroad over Peppol) or INP (abroad otherwise).",
        holds: |report, _| {
            normalized(report.all(tdd::DOCUMENT_SCOPE))
                .is_ok_and(|code| REPORT_SCOPES.contains(&code))
        },
    },
    Rule {
        id: "ibr-tdd-08",
        term: "TDT-010",
        about: &[tdd::REPORTER_ROLE],
        message: "The role of the reporter is not one of the known codes.",
        fix: "Use 01 for the sender's side or 02 for the receiver's.",
        holds: |report, _| {
            normalized(report.all(tdd::REPORTER_ROLE))
                .is_ok_and(|code| REPORTER_ROLES.contains(&code))
        },
    },
    Rule {
        id: "ibr-tdd-09",
        term: "TDG-001",
        about: &[tdd::REPORTED_TRANSACTION],
        message: "The report does not have exactly one transaction.",
        fix: "Report each transaction in its own document.",
        holds: |report, _| report.all(tdd::REPORTED_TRANSACTION).count() == 1,
    },
];

/// `/pxs:TaxData/pxs:ReportingParty`
pub(super) const REPORTING_PARTY: Group<()> = &[
    Rule {
        id: "ibr-tdd-10",
        term: "TDT-007",
        about: &[],
        message: "The reporting party has more than its endpoint.",
        fix: "Remove all but the endpoint.",
        holds: |party, _| has_none_of(party, CHILDREN, &["EndpointID"]),
    },
    Rule {
        id: "ibr-tdd-11",
        term: "TDT-007",
        about: &[cbc::ENDPOINT_ID],
        message: "The reporting party has no endpoint.",
        fix: "Give the electronic address of the taxpayer who reports.",
        holds: |party, _| party.child(cbc::ENDPOINT_ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-12",
        term: "TDT-007-1",
        about: &[cbc::ENDPOINT_ID],
        message: "The endpoint of the reporting party has no scheme.",
        fix: "Give the scheme of the electronic address, such as 0235.",
        holds: |party, _| endpoint_schemes(party).next().is_some(),
    },
    Rule {
        id: "ibr-tdd-13",
        term: "TDT-007-1",
        about: &[cbc::ENDPOINT_ID],
        message: "The scheme of the reporting party's endpoint is not four digits.",
        fix: "Give the scheme of the electronic address, such as 0235.",
        holds: |party, _| {
            let four_digits = |scheme: &str| {
                scheme.len() == 4 && scheme.bytes().all(|byte| byte.is_ascii_digit())
            };
            lone(endpoint_schemes(party)).is_ok_and(|scheme| scheme.is_none_or(four_digits))
        },
    },
];

/// `/pxs:TaxData/pxs:ReceivingParty`
pub(super) const RECEIVING_PARTY: Group<()> = &[
    Rule {
        id: "ibr-tdd-14",
        term: "TDT-008",
        about: &[],
        message: "The receiving party has more than its endpoint.",
        fix: "Remove all but the endpoint.",
        holds: |party, _| has_none_of(party, CHILDREN, &["EndpointID"]),
    },
    Rule {
        id: "ibr-tdd-15",
        term: "TDT-008",
        about: &[cbc::ENDPOINT_ID],
        message: "The receiving party has no endpoint.",
        fix: "Give the service provider identifier of the tax authority's access point.",
        holds: |party, _| party.child(cbc::ENDPOINT_ID).is_some(),
    },
    Rule {
        id: "ibr-tdd-16",
        term: "TDT-008-1",
        about: &[cbc::ENDPOINT_ID],
        message: "The endpoint of the receiving party has no scheme.",
        fix: "Give the scheme 0242.",
        holds: |party, _| endpoint_schemes(party).next().is_some(),
    },
    Rule {
        id: "ibr-tdd-17",
        term: "TDT-008-1",
        about: &[cbc::ENDPOINT_ID],
        message: "The scheme of the receiving party's endpoint is not that of service providers.",
        fix: "Give the scheme 0242.",
        holds: |party, _| {
            lone(endpoint_schemes(party))
                .is_ok_and(|scheme| scheme.is_some_and(|scheme| normalize_space(scheme) == "0242"))
        },
    },
];

/// `/pxs:TaxData/pxs:ReportersRepresentative`
pub(super) const REPRESENTATIVE: Group<()> = &[
    Rule {
        id: "ibr-tdd-18",
        term: "TDT-009",
        about: &[],
        message: "The reporter's representative has more than an identifier.",
        fix: "Remove all but the identifier.",
        holds: |party, _| has_none_of(party, CHILDREN, &["PartyIdentification"]),
    },
    Rule {
        id: "ibr-tdd-19",
        term: "TDT-009",
        about: &[cac::PARTY_IDENTIFICATION],
        message: "The reporter's representative does not have exactly one identifier.",
        fix: "Give the one identifier of the service provider that reports.",
        holds: |party, _| party.all(cac::PARTY_IDENTIFICATION).count() == 1,
    },
];

/// `/pxs:TaxData/pxs:ReportersRepresentative/cac:PartyIdentification`
pub(super) const REPRESENTATIVE_ID: Group<()> = &[
    Rule {
        id: "ibr-tdd-20",
        term: "TDT-009-1",
        about: &[cbc::ID],
        message: "The identifier of the reporter's representative has no scheme.",
        fix: "Give the scheme 0242.",
        holds: |identification, _| id_schemes(identification).next().is_some(),
    },
    Rule {
        id: "ibr-tdd-21",
        term: "TDT-009-1",
        about: &[cbc::ID],
        message: "The scheme of the representative's identifier is not that of service providers.",
        fix: "Give the scheme 0242.",
        holds: |identification, _| {
            let mut schemes = id_schemes(identification).peekable();
            schemes.peek().is_none() || schemes.any(|scheme| scheme == "0242")
        },
    },
];

/// `cbc:EndpointID/@schemeID`
fn endpoint_schemes<'d>(party: Node<'d>) -> impl Iterator<Item = &'d str> {
    party.all(cbc::ENDPOINT_ID).filter_map(|endpoint| endpoint.attribute(attr::SCHEME_ID))
}

/// `cbc:ID/@schemeID`
fn id_schemes<'d>(identification: Node<'d>) -> impl Iterator<Item = &'d str> {
    identification.all(cbc::ID).filter_map(|id| id.attribute(attr::SCHEME_ID))
}

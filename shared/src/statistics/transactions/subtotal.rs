//! The subtotals: the keys that each type has.

use super::super::check::{Keys, is_of_subject, is_seat};
use super::super::rule;
use crate::codes::is_reported_country;
use crate::rules::xpath::{compare_number, some};
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::{attr, tsr};

/// `tsr:Key[normalize-space(@schemeID) = 'CertSubjectCN']`
pub(super) const PROVIDER: Group<()> = &[rule(
    "SCH-TSR-19",
    &[],
    "The service provider's identifier is not a seat of Peppol.",
    "Give the common name of its access point's certificate, such as PAE000123.",
    |key, _| is_seat(&key.normalized()),
)];

/// `tsr:Key[normalize-space(@schemeID) = 'SenderCountry' or normalize-space(@schemeID) = 'ReceiverCountry']`
pub(super) const COUNTRY: Group<()> = &[rule(
    "SCH-TSR-20",
    &[],
    "The country is not one of the known codes.",
    "Use a code of ISO 3166-1 alpha-2; EL for Greece, XK or 1A for Kosovo and ZZ for none of them are known as well.",
    |key, _| matches!(&*key.normalized(), code if code == "ZZ" || is_reported_country(code)),
)];

/// `tsr:Subtotal[normalize-space(@type) = 'PerTP']`
pub(super) const PER_PROTOCOL: Group<()> = &[
    rule(
        "SCH-TSR-21",
        &[tsr::KEY],
        "The subtotal of a transport protocol does not have exactly one key.",
        "Give only the transport protocol.",
        |part, _| keys(part).are(1),
    ),
    rule(
        "SCH-TSR-22",
        &[tsr::KEY],
        "The subtotal of a transport protocol does not have exactly one key of the meta scheme TP.",
        "Write metaSchemeID=\"TP\" once.",
        |part, _| keys(part).of_meta("TP", 1),
    ),
    rule(
        "SCH-TSR-23",
        &[tsr::KEY],
        "The subtotal of a transport protocol does not have exactly one key of the scheme Peppol.",
        "Write schemeID=\"Peppol\" once.",
        |part, _| keys(part).with(attr::SCHEME_ID, "Peppol").count() == 1,
    ),
];

/// `tsr:Subtotal[normalize-space(@type) = 'PerSP-DT-PR']`
pub(super) const PER_PROVIDER: Group<()> = &[
    rule(
        "SCH-TSR-24",
        &[tsr::KEY],
        "The subtotal does not have exactly three keys.",
        "Give service provider, document type and process.",
        |part, _| keys(part).are(3),
    ),
    one("SCH-TSR-25", PROVIDERS, |part, _| keys(part).of_meta("SP", 1)),
    one("SCH-TSR-26", DOCUMENT_TYPES, |part, _| keys(part).of_meta("DT", 1)),
    one("SCH-TSR-27", PROCESSES, |part, _| keys(part).of_meta("PR", 1)),
    provider_scheme("SCH-TSR-28"),
];

/// `tsr:Subtotal[normalize-space(@type) = 'PerSP-DT-PR-CC']`
pub(super) const PER_COUNTRIES: Group<()> = &[
    rule(
        "SCH-TSR-29",
        &[tsr::KEY],
        "The subtotal does not have exactly five keys.",
        "Give service provider, document type, process and the countries of sender and receiver.",
        |part, _| keys(part).are(5),
    ),
    one("SCH-TSR-30", PROVIDERS, |part, _| keys(part).of_meta("SP", 1)),
    one("SCH-TSR-31", DOCUMENT_TYPES, |part, _| keys(part).of_meta("DT", 1)),
    one("SCH-TSR-32", PROCESSES, |part, _| keys(part).of_meta("PR", 1)),
    rule(
        "SCH-TSR-33",
        &[tsr::KEY],
        "The subtotal does not have exactly two countries.",
        "Write metaSchemeID=\"CC\" for the countries of sender and receiver.",
        |part, _| keys(part).of_meta("CC", 2),
    ),
    provider_scheme("SCH-TSR-34"),
    rule(
        "SCH-TSR-35",
        &[tsr::KEY],
        "The subtotal does not have exactly one country of the sender.",
        "Write metaSchemeID=\"CC\" schemeID=\"SenderCountry\" once.",
        |part, _| keys(part).has_country("SenderCountry"),
    ),
    rule(
        "SCH-TSR-36",
        &[tsr::KEY],
        "The subtotal does not have exactly one country of the receiver.",
        "Write metaSchemeID=\"CC\" schemeID=\"ReceiverCountry\" once.",
        |part, _| keys(part).has_country("ReceiverCountry"),
    ),
    rule(
        "SCH-TSR-43",
        &[tsr::OUTGOING],
        "A subtotal by countries counts outgoing exchanges, whose receiver's country a sender cannot know.",
        "Write 0.",
        |part, _| {
            let is_nought = |node: Node<'_>| Ok(compare_number(&node.text(), 0)?.is_eq());
            some(part.all(tsr::OUTGOING), is_nought) == Ok(true)
        },
    ),
];

/// `tsr:Subtotal` of no other context.
pub(super) const OTHER: Group<()> = &[rule(
    "SCH-TSR-37",
    &[],
    "The subtotal is of no known type.",
    "Use PerTP, PerSP-DT-PR or PerSP-DT-PR-CC.",
    // The contexts before this one match every known type.
    |_, _| false,
)];

/// The message and the fix for a missing or repeated key.
type Missing = (&'static str, &'static str);

const PROVIDERS: Missing =
    ("The subtotal does not have exactly one service provider.", "Write metaSchemeID=\"SP\" once.");
const DOCUMENT_TYPES: Missing =
    ("The subtotal does not have exactly one document type.", "Write metaSchemeID=\"DT\" once.");
const PROCESSES: Missing =
    ("The subtotal does not have exactly one process.", "Write metaSchemeID=\"PR\" once.");

const fn one(id: &'static str, about: Missing, holds: fn(Node<'_>, &()) -> bool) -> Rule {
    rule(id, &[tsr::KEY], about.0, about.1, holds)
}

/// Demands that every key of a service provider has the only allowed scheme.
const fn provider_scheme(id: &'static str) -> Rule {
    rule(
        id,
        &[tsr::KEY],
        "The scheme of the service provider is not one of the known codes.",
        "Use CertSubjectCN.",
        |part, _| keys(part).with(attr::META_SCHEME_ID, "SP").all(is_of_subject),
    )
}

fn keys(part: Node<'_>) -> Keys<'_> {
    Keys { part, key: tsr::KEY }
}

//! The subsets: the keys that each type has.

use super::super::check::Keys;
use super::super::rule;
use super::COUNTRY as END_USER_COUNTRY;
use crate::codes::is_reported_country;
use crate::rules::{Group, Rule};
use crate::xml::Node;
use crate::xml::names::eusr;

/// `eusr:Key[normalize-space(@schemeID) = 'EndUserCountry']`
pub(super) const COUNTRY: Group<()> = &[rule(
    "SCH-EUSR-30",
    &[],
    "The country is not one of the known codes.",
    "Use a code of ISO 3166-1 alpha-2; EL for Greece, XK or 1A for Kosovo are known as well.",
    |key, _| is_reported_country(&key.normalized()),
)];

/// `eusr:Subset[normalize-space(@type) = 'PerDT-PR']`
pub(super) const PER_PROCESS: Group<()> = &[
    one(
        "SCH-EUSR-09",
        ("The subset does not have exactly two keys.", "Give document type and process."),
        |subset, _| keys(subset).are(2),
    ),
    one("SCH-EUSR-10", DOCUMENT_TYPES, |subset, _| keys(subset).of_meta("DT", 1)),
    one("SCH-EUSR-11", PROCESSES, |subset, _| keys(subset).of_meta("PR", 1)),
];

/// `eusr:Subset[normalize-space(@type) = 'PerDT-PR-EUC']`
pub(super) const PER_PROCESS_AND_COUNTRY: Group<()> = &[
    one(
        "SCH-EUSR-23",
        (
            "The subset does not have exactly three keys.",
            "Give document type, process and country.",
        ),
        |subset, _| keys(subset).are(3),
    ),
    one("SCH-EUSR-24", DOCUMENT_TYPES, |subset, _| keys(subset).of_meta("DT", 1)),
    one("SCH-EUSR-25", PROCESSES, |subset, _| keys(subset).of_meta("PR", 1)),
    one("SCH-EUSR-26", COUNTRIES, |subset, _| keys(subset).of_meta("CC", 1)),
    one("SCH-EUSR-27", END_USER_COUNTRIES, |subset, _| keys(subset).has_country(END_USER_COUNTRY)),
];

/// `eusr:Subset[normalize-space(@type) = 'PerDT-EUC']`
pub(super) const PER_TYPE_AND_COUNTRY: Group<()> = &[
    one(
        "SCH-EUSR-41",
        ("The subset does not have exactly two keys.", "Give document type and country."),
        |subset, _| keys(subset).are(2),
    ),
    one("SCH-EUSR-42", DOCUMENT_TYPES, |subset, _| keys(subset).of_meta("DT", 1)),
    one("SCH-EUSR-43", COUNTRIES, |subset, _| keys(subset).of_meta("CC", 1)),
    one("SCH-EUSR-44", END_USER_COUNTRIES, |subset, _| keys(subset).has_country(END_USER_COUNTRY)),
];

/// `eusr:Subset[normalize-space(@type) = 'PerEUC']`
pub(super) const PER_COUNTRY: Group<()> = &[
    one(
        "SCH-EUSR-45",
        ("The subset does not have exactly one key.", "Give only the country."),
        |subset, _| keys(subset).are(1),
    ),
    one("SCH-EUSR-46", COUNTRIES, |subset, _| keys(subset).of_meta("CC", 1)),
    one("SCH-EUSR-47", END_USER_COUNTRIES, |subset, _| keys(subset).has_country(END_USER_COUNTRY)),
];

/// The message and the fix for missing or repeated keys.
type Missing = (&'static str, &'static str);

const DOCUMENT_TYPES: Missing =
    ("The subset does not have exactly one document type.", "Write metaSchemeID=\"DT\" once.");
const PROCESSES: Missing =
    ("The subset does not have exactly one process.", "Write metaSchemeID=\"PR\" once.");
const COUNTRIES: Missing =
    ("The subset does not have exactly one country.", "Write metaSchemeID=\"CC\" once.");
const END_USER_COUNTRIES: Missing = (
    "The subset does not have exactly one country of end users.",
    "Write metaSchemeID=\"CC\" schemeID=\"EndUserCountry\" once.",
);

const fn one(id: &'static str, about: Missing, holds: fn(Node<'_>, &()) -> bool) -> Rule {
    rule(id, &[eusr::KEY], about.0, about.1, holds)
}

fn keys(part: Node<'_>) -> Keys<'_> {
    Keys { part, key: eusr::KEY }
}

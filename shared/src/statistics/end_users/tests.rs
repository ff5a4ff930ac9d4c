use super::*;
use crate::rules::testing::{Case, check, fired};

const SAMPLE: &str = include_str!("../samples/end-users.xml");

/// The start of a subset of each type.
const PROCESSES: &str = r#"<Subset type="PerDT-PR">"#;
const PROCESSES_AND_COUNTRIES: &str = r#"<Subset type="PerDT-PR-EUC">"#;
const TYPES_AND_COUNTRIES: &str = r#"<Subset type="PerDT-EUC">"#;
const COUNTRIES: &str = r#"<Subset type="PerEUC">"#;

/// A subset of this type with these keys, followed by the start of the subset before which it is inserted.
macro_rules! before {
    ($kind:literal, $($key:literal),*) => {
        concat!(
            "<Subset type='", $kind, "'>", $($key,)*
            "<SendingEndUsers>1</SendingEndUsers><ReceivingEndUsers>1</ReceivingEndUsers>",
            "<SendingOrReceivingEndUsers>1</SendingOrReceivingEndUsers></Subset>",
            "<Subset type=\"", $kind, "\">",
        )
    };
}

/// A subset start with an extra key that the type does not allow.
macro_rules! with_key {
    ($kind:literal, $meta:literal) => {
        concat!("<Subset type=\"", $kind, "\"><Key metaSchemeID='", $meta, "' schemeID='x'>1</Key>")
    };
}

const ALL: &str = "<FullSet>\n    <SendingEndUsers>4</SendingEndUsers>\n    <ReceivingEndUsers>3</ReceivingEndUsers>\n    <SendingOrReceivingEndUsers>5";
const MORE_THAN_BOTH: &str = "<FullSet>\n    <SendingEndUsers>4</SendingEndUsers>\n    <ReceivingEndUsers>3</ReceivingEndUsers>\n    <SendingOrReceivingEndUsers>8";
const FEWER_THAN_SEND: &str = "<FullSet>\n    <SendingEndUsers>4</SendingEndUsers>\n    <ReceivingEndUsers>3</ReceivingEndUsers>\n    <SendingOrReceivingEndUsers>3";
const NOT_WHOLE: &str = "<FullSet>\n    <SendingEndUsers>4</SendingEndUsers>\n    <ReceivingEndUsers>3.0</ReceivingEndUsers>\n    <SendingOrReceivingEndUsers>5";

const CASES: &[Case] = &[
    ("SCH-EUSR-01", &[("report:1.1<", "report:1.1 <")], &[("report:1.1<", "report:1.0<")]),
    (
        "SCH-EUSR-02",
        &[("<ProfileID>", "<ProfileID>\n")],
        &[("bis:reporting:1.0", "bis:reporting:2.0")],
    ),
    ("SCH-EUSR-03", &[("Users>4<", "Users>44<")], &[("Users>4<", "Users>3<")]),
    ("SCH-EUSR-04", &[("Users>3<", "Users>33<")], &[("Users>3<", "Users>2<")]),
    ("SCH-EUSR-22", &[("Users>5<", "Users>55<")], &[("Users>5<", "Users>4<")]),
    ("SCH-EUSR-19", &[(ALL, ALL)], &[(ALL, MORE_THAN_BOTH)]),
    ("SCH-EUSR-20", &[(ALL, ALL)], &[(ALL, FEWER_THAN_SEND)]),
    ("SCH-EUSR-21", &[(ALL, FEWER_THAN_SEND)], &[(ALL, NOT_WHOLE)]),
    (
        "SCH-EUSR-15",
        &[(PROCESSES, r#"<Subset type=" PerDT-PR ">"#)],
        &[(PROCESSES, PROCESSES_AND_COUNTRIES)],
    ),
    (
        "SCH-EUSR-13",
        &[(
            PROCESSES,
            before!(
                "PerDT-PR",
                "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                "<Key metaSchemeID='PR' schemeID='c'>d</Key>"
            ),
        )],
        &[
            (
                PROCESSES,
                before!(
                    "PerDT-PR",
                    "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                    "<Key metaSchemeID='PR' schemeID='c'>d</Key>"
                ),
            ),
            (
                PROCESSES,
                before!(
                    "PerDT-PR",
                    "<Key metaSchemeID='DT' schemeID='a'>b </Key>",
                    "<Key metaSchemeID='PR' schemeID='c'>d</Key>"
                ),
            ),
        ],
    ),
    (
        "SCH-EUSR-29",
        &[(
            PROCESSES_AND_COUNTRIES,
            before!(
                "PerDT-PR-EUC",
                "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                "<Key metaSchemeID='PR' schemeID='c'>d</Key>",
                "<Key metaSchemeID='CC' schemeID='EndUserCountry'>DE</Key>"
            ),
        )],
        &[
            (
                PROCESSES_AND_COUNTRIES,
                before!(
                    "PerDT-PR-EUC",
                    "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                    "<Key metaSchemeID='PR' schemeID='c'>d</Key>",
                    "<Key metaSchemeID='CC' schemeID='EndUserCountry'>DE</Key>"
                ),
            ),
            (
                PROCESSES_AND_COUNTRIES,
                before!(
                    "PerDT-PR-EUC",
                    "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                    "<Key metaSchemeID='PR' schemeID='c'>d</Key>",
                    "<Key metaSchemeID='CC' schemeID='EndUserCountry'> DE</Key>"
                ),
            ),
        ],
    ),
    ("SCH-EUSR-37", &[], &[(TYPES_AND_COUNTRIES, COUNTRIES)]),
    (
        "SCH-EUSR-38",
        &[(
            TYPES_AND_COUNTRIES,
            before!(
                "PerDT-EUC",
                "<Key metaSchemeID='DT' schemeID='a'>b</Key>",
                "<Key metaSchemeID='CC' schemeID='EndUserCountry'>AE</Key>"
            ),
        )],
        // A subset without a document type counts for every combination.
        &[(
            TYPES_AND_COUNTRIES,
            before!("PerDT-EUC", "<Key metaSchemeID='CC' schemeID='EndUserCountry'>AE</Key>"),
        )],
    ),
    ("SCH-EUSR-39", &[], &[(COUNTRIES, TYPES_AND_COUNTRIES)]),
    (
        "SCH-EUSR-40",
        &[(
            COUNTRIES,
            before!("PerEUC", "<Key metaSchemeID='CC' schemeID='EndUserCountry'>SA</Key>"),
        )],
        &[(
            COUNTRIES,
            before!("PerEUC", "<Key metaSchemeID='CC' schemeID='EndUserCountry'>AE</Key>"),
        )],
    ),
    ("SCH-EUSR-14", &[], &[(COUNTRIES, r#"<Subset type="PerDT">"#)]),
    (
        "SCH-EUSR-33",
        &[(COUNTRIES, before!("PerEUC", ""))],
        &[(
            COUNTRIES,
            "<Subset><SendingOrReceivingEndUsers>1</SendingOrReceivingEndUsers></Subset><Subset type=\"PerEUC\">",
        )],
    ),
    (
        "SCH-EUSR-34",
        &[(COUNTRIES, before!("PerEUC", ""))],
        &[(COUNTRIES, r#"<Subset type="PerEUC"><SendingEndUsers>4</SendingEndUsers>"#)],
    ),
    (
        "SCH-EUSR-35",
        &[(COUNTRIES, before!("PerEUC", ""))],
        &[(COUNTRIES, r#"<Subset type="PerEUC"><ReceivingEndUsers>4</ReceivingEndUsers>"#)],
    ),
    (
        "SCH-EUSR-36",
        &[(COUNTRIES, before!("PerEUC", ""))],
        &[(
            COUNTRIES,
            "<Subset><SendingOrReceivingEndUsers>-0</SendingOrReceivingEndUsers></Subset><Subset type=\"PerEUC\">",
        )],
    ),
    ("SCH-EUSR-16", &[("<StartDate>", "<StartDate>\n")], &[("2026-10-01", "2026-10-01Z")]),
    ("SCH-EUSR-17", &[("2026-10-31", "9999-99-99")], &[("2026-10-31", "31.10.2026")]),
    ("SCH-EUSR-18", &[("2026-10-31", "2026-10-01")], &[("2026-10-31", "2026-09-30")]),
    ("SCH-EUSR-06", &[("PAE000200", "P")], &[("PAE000200", " ")]),
    (
        "SCH-EUSR-07",
        &[("CertSubjectCN", " CertSubjectCN ")],
        &[("CertSubjectCN", "CertSubject CN")],
    ),
    ("SCH-EUSR-08", &[("CertSubjectCN\">PAE000200", "other\">PAE2")], &[("PAE000200", "PAE2")]),
    ("SCH-EUSR-30", &[(">AE<", "> XK <")], &[(">AE<", ">ZZ<")]),
    ("SCH-EUSR-09", &[], &[(PROCESSES, with_key!("PerDT-PR", "X"))]),
    ("SCH-EUSR-10", &[], &[(PROCESSES, with_key!("PerDT-PR", "DT"))]),
    ("SCH-EUSR-11", &[], &[(PROCESSES, with_key!("PerDT-PR", "PR"))]),
    ("SCH-EUSR-23", &[], &[(PROCESSES_AND_COUNTRIES, with_key!("PerDT-PR-EUC", "X"))]),
    ("SCH-EUSR-24", &[], &[(PROCESSES_AND_COUNTRIES, with_key!("PerDT-PR-EUC", "DT"))]),
    ("SCH-EUSR-25", &[], &[(PROCESSES_AND_COUNTRIES, with_key!("PerDT-PR-EUC", "PR"))]),
    ("SCH-EUSR-26", &[], &[(PROCESSES_AND_COUNTRIES, with_key!("PerDT-PR-EUC", "CC"))]),
    ("SCH-EUSR-27", &[], &[("EndUserCountry", "Country")]),
    ("SCH-EUSR-41", &[], &[(TYPES_AND_COUNTRIES, with_key!("PerDT-EUC", "X"))]),
    ("SCH-EUSR-42", &[], &[(TYPES_AND_COUNTRIES, with_key!("PerDT-EUC", "DT"))]),
    ("SCH-EUSR-43", &[], &[(TYPES_AND_COUNTRIES, with_key!("PerDT-EUC", "CC"))]),
    ("SCH-EUSR-44", &[], &[("EndUserCountry", ""), ("EndUserCountry", "")]),
    ("SCH-EUSR-45", &[], &[(COUNTRIES, with_key!("PerEUC", "X"))]),
    ("SCH-EUSR-46", &[], &[(COUNTRIES, with_key!("PerEUC", "CC"))]),
    ("SCH-EUSR-47", &[], &[("EndUserCountry", ""), ("EndUserCountry", ""), ("EndUserCountry", "")]),
];

#[test]
fn the_sample_obeys_every_rule() {
    assert_eq!(fired(&RULES, SAMPLE), [""; 0]);
}

#[test]
fn there_are_42_rules() {
    assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 42);
}

#[test]
fn every_rule_is_obeyed_and_broken() {
    check(&RULES, SAMPLE, GROUPS, CASES);
}

#[test]
fn a_report_of_nobody_has_no_subsets() {
    let (head, rest) = SAMPLE.split_once(PROCESSES).unwrap();
    let (_, end) = rest.rsplit_once("</Subset>").unwrap();
    let nobody = ["4", "3", "5"]
        .iter()
        .fold(format!("{head}{end}"), |text, number| text.replace(&format!(">{number}<"), ">0<"));
    assert_eq!(fired(&RULES, &nobody), [""; 0]);
}

#[test]
fn a_report_inside_a_report_is_not_validated() {
    let (_, inner) = SAMPLE.split_once("?>").unwrap();
    let inner = inner.replace("PAE000200", "nobody").replace("Per", "By");
    let outer = SAMPLE.replacen("</FullSet>", &format!("{inner}</FullSet>"), 1);
    assert_eq!(fired(&RULES, &outer), [""; 0]);
}

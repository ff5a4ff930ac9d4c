use super::*;
use crate::rules::testing::{Case, check, fired};

const SAMPLE: &str = include_str!("../samples/transactions.xml");

/// The start of the first subtotal of each type.
const PROTOCOL: &str = r#"<Subtotal type="PerTP">"#;
const PROVIDERS: &str = r#"<Subtotal type="PerSP-DT-PR">"#;
const COUNTRIES: &str = r#"<Subtotal type="PerSP-DT-PR-CC">"#;

const PROTOCOL_KEY: &str =
    r#"<Key metaSchemeID="TP" schemeID="Peppol">peppol-transport-as4-v2_0</Key>"#;
const FROM: &str = r#"<Key metaSchemeID="CC" schemeID="SenderCountry">DE</Key>"#;

/// A further subtotal by countries, followed by the start of the subtotal before which it is inserted.
macro_rules! from_france {
    ($provider:literal) => {
        concat!(
            r#"<Subtotal type="PerSP-DT-PR-CC"><Key metaSchemeID="SP" schemeID="CertSubjectCN">"#,
            $provider,
            r#"</Key><Key metaSchemeID="DT" schemeID=" a">b </Key><Key metaSchemeID="PR" schemeID="c">d</Key>"#,
            r#"<Key metaSchemeID="CC" schemeID="SenderCountry">FR</Key>"#,
            r#"<Key metaSchemeID="CC" schemeID="ReceiverCountry">AE</Key>"#,
            r#"<Incoming>0</Incoming><Outgoing>0</Outgoing></Subtotal><Subtotal type="PerSP-DT-PR-CC">"#,
        )
    };
}

const CASES: &[Case] = &[
    (
        "SCH-TSR-01",
        &[("<CustomizationID>", "<CustomizationID> ")],
        &[("reporting:1.0<", "reporting:1.1<")],
    ),
    (
        "SCH-TSR-02",
        &[("<ProfileID>", "<ProfileID>\n")],
        &[("bis:reporting:1.0", "bis:reporting:2.0")],
    ),
    ("SCH-TSR-03", &[(PROTOCOL, r#"<Subtotal type=" PerTP ">"#)], &[(PROTOCOL, PROVIDERS)]),
    ("SCH-TSR-04", &[("<Incoming>5<", "<Incoming>5.0<")], &[("<Incoming>5<", "<Incoming>6<")]),
    ("SCH-TSR-05", &[("<Outgoing>3<", "<Outgoing>03<")], &[("<Outgoing>3<", "<Outgoing>x<")]),
    (
        "SCH-TSR-06",
        &[(
            "v2_0</Key>",
            "v2_0</Key><Key metaSchemeID='TP' schemeID='P'>peppol-transport-as4-v2_0</Key>",
        )],
        &[(
            "v2_0</Key>",
            "v2_0</Key><Key metaSchemeID='TP' schemeID='Peppol'> peppol-transport-as4-v2_0</Key>",
        )],
    ),
    ("SCH-TSR-07", &[], &[(PROVIDERS, PROTOCOL), (PROVIDERS, PROTOCOL)]),
    ("SCH-TSR-08", &[(COUNTRIES, PROTOCOL)], &[(PROVIDERS, PROTOCOL)]),
    (
        "SCH-TSR-09",
        &[("<Outgoing>1<", "<Outgoing>1<!-- --><")],
        &[("<Outgoing>1<", "<Outgoing>2<")],
    ),
    ("SCH-TSR-10", &[("PAE000300", "PAE000400")], &[("PAE000300", " PAE000100 ")]),
    (
        "SCH-TSR-11",
        &[("<Incoming>5<", "<Incoming>0<"), (COUNTRIES, PROTOCOL)],
        &[(COUNTRIES, PROTOCOL)],
    ),
    (
        "SCH-TSR-12",
        &[("<Incoming>5<", "<Incoming>0<"), (COUNTRIES, PROTOCOL)],
        &[("<Incoming>5<", "<Incoming>4<")],
    ),
    (
        "SCH-TSR-14",
        &[(COUNTRIES, from_france!("PAE000100")), (COUNTRIES, from_france!("PAE000300"))],
        &[(COUNTRIES, from_france!("PAE000100")), (COUNTRIES, from_france!("PAE000100"))],
    ),
    ("SCH-TSR-16", &[("PAE000200", "P")], &[("PAE000200", " ")]),
    ("SCH-TSR-17", &[("CertSubjectCN", " CertSubjectCN ")], &[("CertSubjectCN", "CertSubject CN")]),
    ("SCH-TSR-18", &[("CertSubjectCN\">PAE000200", "other\">PAE2")], &[("PAE000200", "PAE2")]),
    ("SCH-TSR-19", &[("PAE000100", " PAE000100\n")], &[("PAE000100", "PAE 00100")]),
    ("SCH-TSR-20", &[(">DE<", "> ZZ <")], &[(">DE<", ">de<")]),
    ("SCH-TSR-21", &[], &[(PROTOCOL_KEY, "")]),
    ("SCH-TSR-22", &[("\"TP\"", "\" TP\"")], &[("\"TP\"", "\"T\"")]),
    ("SCH-TSR-23", &[("\"Peppol\"", "\"Peppol \"")], &[("\"Peppol\"", "\"peppol\"")]),
    (
        "SCH-TSR-24",
        &[],
        &[(PROVIDERS, r#"<Subtotal type="PerSP-DT-PR"><Key metaSchemeID="X" schemeID="X"/>"#)],
    ),
    ("SCH-TSR-25", &[], &[("\"SP\"", "\"S\"")]),
    ("SCH-TSR-26", &[], &[("\"DT\"", "\"SP\"")]),
    ("SCH-TSR-27", &[], &[("\"PR\"", "\"DT\"")]),
    (
        "SCH-TSR-28",
        &[("\"SP\" schemeID=\"CertSubjectCN\"", "\"S\" schemeID=\"x\"")],
        &[("\"SP\" schemeID=\"CertSubjectCN\"", "\"SP\" schemeID=\"x\"")],
    ),
    ("SCH-TSR-29", &[], &[(FROM, "")]),
    (
        "SCH-TSR-30",
        &[],
        &[(COUNTRIES, r#"<Subtotal type="PerSP-DT-PR-CC"><Key metaSchemeID="SP" schemeID="X"/>"#)],
    ),
    (
        "SCH-TSR-31",
        &[],
        &[(COUNTRIES, r#"<Subtotal type="PerSP-DT-PR-CC"><Key metaSchemeID="DT" schemeID="X"/>"#)],
    ),
    (
        "SCH-TSR-32",
        &[],
        &[(COUNTRIES, r#"<Subtotal type="PerSP-DT-PR-CC"><Key metaSchemeID="PR" schemeID="X"/>"#)],
    ),
    ("SCH-TSR-33", &[], &[(FROM, "")]),
    (
        "SCH-TSR-34",
        &[],
        &[(COUNTRIES, r#"<Subtotal type="PerSP-DT-PR-CC"><Key metaSchemeID="SP" schemeID="X"/>"#)],
    ),
    ("SCH-TSR-35", &[], &[("SenderCountry", "Sender")]),
    ("SCH-TSR-36", &[], &[("ReceiverCountry", "SenderCountry")]),
    ("SCH-TSR-37", &[], &[(PROTOCOL, r#"<Subtotal type="PerTP PerSP-DT-PR">"#)]),
    ("SCH-TSR-39", &[], &[(PROTOCOL, r#"<Subtotal type="">"#)]),
    ("SCH-TSR-40", &[("<StartDate>", "<StartDate>\n")], &[("2026-10-01", "2026-10-01Z")]),
    ("SCH-TSR-41", &[("2026-10-31", "9999-99-99")], &[("2026-10-31", "31.10.2026")]),
    ("SCH-TSR-42", &[("2026-10-31", "2026-10-01")], &[("2026-10-31", "2026-09-30")]),
    (
        "SCH-TSR-43",
        &[(
            COUNTRIES,
            r#"<Subtotal type="PerSP-DT-PR-CC"><Outgoing>0</Outgoing><Outgoing>x</Outgoing>"#,
        )],
        &[(COUNTRIES, r#"<Subtotal type="PerSP-DT-PR-CC"><Outgoing>x</Outgoing>"#)],
    ),
];

#[test]
fn the_sample_obeys_every_rule() {
    assert_eq!(fired(&RULES, SAMPLE), [""; 0]);
}

#[test]
fn there_are_40_rules() {
    assert_eq!(GROUPS.iter().map(|group| group.len()).sum::<usize>(), 40);
}

#[test]
fn every_rule_is_obeyed_and_broken() {
    check(&RULES, SAMPLE, GROUPS, CASES);
}

#[test]
fn a_report_of_nothing_has_no_subtotals() {
    let (head, rest) = SAMPLE.split_once(PROTOCOL).unwrap();
    let (_, end) = rest.rsplit_once("</Subtotal>").unwrap();
    let empty = format!("{head}{end}").replace(">5<", ">0<").replace(">3<", ">-0<");
    assert_eq!(fired(&RULES, &empty), [""; 0]);
    assert_eq!(
        fired(&RULES, &empty.replace(">-0<", ">1<")),
        ["SCH-TSR-03", "SCH-TSR-05", "SCH-TSR-07", "SCH-TSR-09"]
    );
}

#[test]
fn a_negative_nought_is_nought_only_where_the_referee_reads_an_integer() {
    let nought = |sum: &str, total: &str| {
        let edited = SAMPLE.replace("<Outgoing>3<", "<Outgoing>0<").replacen(
            "<Outgoing>0<",
            &format!("<Outgoing>{total}<"),
            1,
        );
        let edited = edited.replacen(
            "v2_0</Key>\n    <Incoming>5</Incoming>\n    <Outgoing>0<",
            &format!("v2_0</Key><Incoming>5</Incoming><Outgoing>{sum}<"),
            1,
        );
        !fired(&RULES, &edited).contains(&"SCH-TSR-05")
    };
    assert!(nought("0", "0") && nought("-0", "-0"));
    assert!(!nought("-0", "0") && !nought("0", "-0"));
}

#[test]
fn a_report_inside_a_report_is_not_validated() {
    let (_, inner) = SAMPLE.split_once("?>").unwrap();
    let inner = inner.replace("PAE000200", "nobody").replace("Per", "By");
    let outer = SAMPLE.replacen("</Total>", &format!("{inner}</Total>"), 1);
    assert_eq!(fired(&RULES, &outer), [""; 0]);
}

use std::{collections::BTreeMap, fs, path::Path};

use proptest::prelude::*;

use super::*;
use crate::{schema, xml};

/// The files of a folder of samples.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/peppol/mls/samples");
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    fs::read_dir(samples.join(folder)).unwrap().map(|entry| read(entry.unwrap())).collect()
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

fn issue(xpath: Option<&str>, reason: Reason, description: &str) -> Issue {
    let line = xpath.map_or(Line::NOT_APPLICABLE, |xpath| Line::at(text(xpath)));
    Issue { line, description: text(description), reason }
}

fn status(verdict: Verdict) -> Status {
    Status {
        id: text("0197a3c4-8f00-7000-8000-000000000002"),
        issued_at: "2026-03-02T20:15:00.250Z".parse().unwrap(),
        sender: "0242:000306".parse().unwrap(),
        receiver: "0242:000307-mls.part".parse().unwrap(),
        ref_to: "0197a3c4-8f00-7000-8000-000000000001".parse().unwrap(),
        verdict,
    }
}

fn rejection() -> Status {
    let findings = [
        (Some("/Invoice/cac:InvoiceLine[2]/cbc:ID"), Reason::Syntax, "Not expected here."),
        (None, Reason::Rule, "ibr-co-15: 5 < 7 & 7 > 5"),
        (Some("/Invoice/cbc:DueDate"), Reason::Warning, "The due date is past."),
    ];
    let rejection = reject(text("The invoice is not valid."), findings).unwrap();
    status(Verdict::Rejected(rejection))
}

/// Checks a written status against the official schema and the 31 official rules.
#[track_caller]
fn assert_official(document: &[u8]) {
    let tree = xml::parse(document).unwrap();
    assert_eq!(schema::check(&tree), []);
    let fired: Vec<_> = crate::mls::RULES.check(&tree).iter().map(|fired| fired.id).collect();
    assert_eq!(fired, [""; 0], "{}", str::from_utf8(document).unwrap());
}

#[test]
fn a_rejection_is_written_as_the_official_rules_want_it() {
    let written = write(&rejection());
    insta::assert_snapshot!(str::from_utf8(&written).unwrap());
    assert_official(&written);
    assert_eq!(read(&written), Ok(rejection()));
}

#[test]
fn official_examples_are_read() {
    let failure = "Validation gives error [CL-T77-R002]- Tax categories MUST be coded using UN/ECE 5305 code list";
    let at = |line: u32| {
        format!(
            "/Catalogue/cac:CatalogueLine[{line}]/cac:Item[1]/cac:ClassifiedTaxCategory[1]/cbc:ID[1]"
        )
    };
    let (three, four) = (at(3), at(4));
    let broken = |xpath| issue(xpath, Reason::Rule, failure);
    let rejected = |issues| {
        Verdict::Rejected(
            Rejection::new(text("Rejected due to validation errors"), issues).unwrap(),
        )
    };
    let warning =
        issue(Some(&three), Reason::Warning, "Something else went wrong - just a warning");
    let expected = [
        ("RE2", rejected(vec![broken(Some(&three)), warning])),
        ("RE4", rejected(vec![broken(Some(&three)), broken(Some(&four))])),
        ("AP", Verdict::Accepted(Acceptance::default())),
        ("AB", Verdict::AcceptedUnconfirmed(Acceptance::default())),
        (
            "AB3",
            Verdict::AcceptedUnconfirmed(Acceptance {
                description: Text::new("Can have something here as well"),
                warnings: Vec::new(),
            }),
        ),
    ];
    let good = files("good");
    let issued = |name: &str| {
        let status = read(&good[&format!("MessageLevelStatus_Example_{name}.xml")]).unwrap();
        status.issued_at.to_string()
    };
    assert_eq!(issued("AP"), "2025-03-11T12:00:00Z");
    assert_eq!(issued("AB2"), "2025-03-11T11:00:00Z");
    assert_eq!(issued("RE3"), "2025-03-11T12:00:00Z");
    for (name, verdict) in expected {
        let read = read(&good[&format!("MessageLevelStatus_Example_{name}.xml")]).unwrap();
        assert_eq!(read.verdict, verdict, "{name}");
    }
    assert_eq!(good.len(), 8);
    for (name, document) in &good {
        let status = read(document).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(name.contains(&format!("_{}", status.verdict.code())), "{name}");
        assert_eq!(status.ref_to.as_str(), "90f14eff-3705-4869-ad3c-caae270a234e");
        let written = write(&status);
        assert_official(&written);
        assert_eq!(read(&written), Ok(status), "{name}");
    }
}

#[test]
fn each_of_the_66_bad_files_is_refused_for_the_rule_that_it_breaks() {
    let mut bad = files("bad");
    assert!(read(&bad.remove("mls-template.xml").unwrap()).is_ok());
    assert_eq!(bad.len(), 66);
    for (name, document) in bad {
        let error = read(&document).unwrap_err().to_string();
        let number = &name["mls-".len()..][..2];
        assert!(error.starts_with(&format!("[SCH-MLS-{number}]")), "{name}: {error}");
    }
}

#[test]
fn what_no_rule_forbids_is_taken() {
    let written = String::from_utf8(write(&rejection())).unwrap();
    let ours = read(written.as_bytes()).unwrap();
    for (this, that) in [
        ("20:15:00.250Z", "20:15:00.25Z"),
        // The same instant in another time zone.
        (
            "<cbc:IssueDate>2026-03-02</cbc:IssueDate>",
            "<cbc:IssueDate> 2026-03-03 </cbc:IssueDate>",
        ),
        (
            "  <cbc:CustomizationID>",
            "  <cbc:UBLVersionID>2.1</cbc:UBLVersionID>\n  <cbc:CustomizationID>",
        ),
        ("000307-mls.part", "000307-MLS.PART"),
        ("ibr-co-15: 5", "ibr-co-15:\n 5"),
        ("<cac:Status>", "<cac:Status><cbc:ConditionCode>x</cbc:ConditionCode>"),
        ("    <cac:DocumentReference>", "    <cac:IssuerParty/><cac:DocumentReference>"),
    ] {
        assert!(written.contains(this), "{this}");
        let other = written.replace(this, that);
        let other = if that.contains("03-03") {
            other.replace("20:15:00.250Z", "00:15:00.250+04:00")
        } else {
            other
        };
        assert_eq!(read(other.as_bytes()).as_ref(), Ok(&ours), "{that}");
    }
}

#[test]
fn what_is_no_status_is_refused() {
    let written = String::from_utf8(write(&rejection())).unwrap();
    let refused = |document: &str| read(document.as_bytes()).unwrap_err();
    assert!(matches!(refused("<Invoice/>"), MlsError::Root(name) if name == "Invoice"));
    assert!(matches!(refused("<ApplicationResponse/>"), MlsError::Root(_)));
    assert!(matches!(refused(&format!("<!DOCTYPE a>{written}")), MlsError::NotXml(_)));
    assert!(matches!(refused(&written[..written.len() / 2]), MlsError::NotXml(_)));
    let long = written.replace(
        "</ApplicationResponse>",
        &format!("{}</ApplicationResponse>", " ".repeat(5_000_000)),
    );
    assert!(matches!(refused(&long), MlsError::NotXml(_)));
    // A text with the length of a date that is not a date.
    let error = refused(&written.replace("2026-03-02", "2026-02-30"));
    assert!(error.to_string().starts_with("[SCH-MLS-04]"), "{error}");
}

#[test]
fn an_acceptance_is_written_with_and_without_warnings() {
    let warning = Warning { line: Line::NOT_APPLICABLE, description: text("The date is odd.") };
    let said = Acceptance { description: Text::new("Delivered."), warnings: vec![warning] };
    for verdict in [
        Verdict::Accepted(Acceptance::default()),
        Verdict::AcceptedUnconfirmed(Acceptance::default()),
        Verdict::Accepted(said.clone()),
        Verdict::AcceptedUnconfirmed(said),
    ] {
        let status = status(verdict);
        let written = write(&status);
        assert_official(&written);
        assert_eq!(read(&written), Ok(status));
    }
}

#[test]
fn nothing_is_rejected_without_a_failure() {
    let none: [(Option<&str>, Reason, &str); 0] = [];
    assert_eq!(reject(text("No."), none), Err(NoFailure));
    assert_eq!(reject(text("No."), [(None::<&str>, Reason::Warning, "odd")]), Err(NoFailure));
    assert!(reject(text("No."), [(None::<&str>, Reason::Delivery, "gone")]).is_ok());
}

#[test]
fn of_many_findings_the_failures_are_named_first_and_the_rest_counted() {
    let finding = |reason, count| std::iter::repeat_n((Some("/a"), reason, "x"), count);
    for (warnings, failures, named, left_out) in [
        (150, 1, 101, Some(51)),
        (0, 250, 101, Some(150)),
        (60, 40, 100, None),
        (60, 41, 101, Some(1)),
    ] {
        let findings = finding(Reason::Warning, warnings).chain(finding(Reason::Rule, failures));
        let rejection = reject(text("No."), findings).unwrap();
        let issues = rejection.issues();
        assert_eq!(issues.len(), named);
        assert_eq!(issues[0].reason, Reason::Rule);
        let last = issues.last().unwrap().description.as_str();
        match left_out {
            Some(count) => assert!(last.starts_with(&format!("{count} further")), "{last}"),
            None => assert_eq!(last, "x"),
        }
        assert_official(&write(&status(Verdict::Rejected(rejection))));
    }
}

#[test]
fn an_acceptance_names_its_warnings_and_counts_those_beyond() {
    for (count, named, last) in
        [(0, 0, None), (100, 100, Some("x")), (150, 101, Some("50 further"))]
    {
        let accepted = accept(std::iter::repeat_n((Some("/a"), "x"), count));
        assert_eq!(accepted.warnings.len(), named);
        let said = accepted.warnings.last().map(|warning| warning.description.as_str());
        assert!(said.is_none_or(|said| said.starts_with(last.unwrap_or("nothing"))), "{said:?}");
        for verdict in [Verdict::Accepted(accepted.clone()), Verdict::AcceptedUnconfirmed(accepted)]
        {
            let written = write(&status(verdict));
            assert_official(&written);
            assert_eq!(write(&read(&written).unwrap()), written);
        }
    }
}

#[test]
fn long_texts_are_cut_and_long_paths_left_out() {
    let long = "ä".repeat(2_000);
    let rejection = reject(text("No."), [(Some(&long), Reason::Rule, &long)]).unwrap();
    let issue = &rejection.issues()[0];
    assert_eq!(issue.line, Line::NOT_APPLICABLE);
    assert_eq!(issue.description.as_str().chars().count(), 1_001);
    assert!(issue.description.as_str().ends_with('…'));
    let silent = reject(text("No."), [(Some(" "), Reason::Syntax, "\n")]).unwrap();
    assert_eq!(silent.issues(), [self::issue(None, Reason::Syntax, "SV")]);
}

#[test]
fn a_text_says_something_that_xml_can_hold() {
    assert_eq!(Text::new(" \t\r\n"), None);
    assert_eq!(text(" a\r\n b ").as_str(), "a b");
    assert_eq!(text("a\0\u{ffff}b").as_str(), "a\u{fffd}\u{fffd}b");
}

fn any_text() -> impl Strategy<Value = Text> {
    "\\PC{0,9}[<>&\"'\\]\r\n\0\u{85}]?\\PC{0,9}"
        .prop_filter_map("not blank", |text| Text::new(&text))
}

fn any_line() -> impl Strategy<Value = Line> {
    proptest::option::of(any_text()).prop_map(|xpath| xpath.map_or(Line::NOT_APPLICABLE, Line::at))
}

fn any_issue() -> impl Strategy<Value = Issue> {
    let reason = proptest::sample::select(vec![
        Reason::Syntax,
        Reason::Rule,
        Reason::Warning,
        Reason::Delivery,
    ]);
    (any_line(), any_text(), reason).prop_map(|(line, description, reason)| Issue {
        line,
        description,
        reason,
    })
}

fn any_acceptance() -> impl Strategy<Value = Acceptance> {
    let warning =
        (any_line(), any_text()).prop_map(|(line, description)| Warning { line, description });
    (proptest::option::of(any_text()), proptest::collection::vec(warning, 0..4))
        .prop_map(|(description, warnings)| Acceptance { description, warnings })
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    let rejection = (any_text(), proptest::collection::vec(any_issue(), 1..5))
        .prop_filter_map("has a failure", |(text, issues)| Rejection::new(text, issues).ok());
    prop_oneof![
        any_acceptance().prop_map(Verdict::Accepted),
        any_acceptance().prop_map(Verdict::AcceptedUnconfirmed),
        rejection.prop_map(Verdict::Rejected),
    ]
}

proptest! {
    #[test]
    fn a_status_reads_back_as_written_and_obeys_the_official_rules(
        id in any_text(),
        sender in "[0-9]{6}(-[0-9A-Z_]{3,12}(\\.[0-9A-Z._~-]{3,24})?)?",
        receiver in "[0-9]{6}(-[0-9a-z_]{3,12}(\\.[0-9a-z._~-]{3,24})?)?",
        millisecond in 0..4_000_000_000_000_i64,
        ref_to in "[!-~]{1,40}",
        verdict in any_verdict(),
    ) {
        let status = Status {
            id,
            issued_at: jiff::Timestamp::from_millisecond(millisecond).unwrap(),
            sender: format!("0242:{sender}").parse().unwrap(),
            receiver: format!("0242:{receiver}").parse().unwrap(),
            ref_to: ref_to.parse().unwrap(),
            verdict,
        };
        let written = write(&status);
        assert_official(&written);
        prop_assert_eq!(read(&written), Ok(status));
    }

    #[test]
    fn whatever_is_in_a_status_it_is_read_or_refused(
        at in 0..2_500_usize,
        cut in 0..60_usize,
        put in "(<[!?/a-z:]{0,5}|[>&;\"'=]|\\PC{0,3}){0,4}",
    ) {
        let mut document = write(&rejection());
        let at = at.min(document.len());
        let end = (at + cut).min(document.len());
        document.splice(at..end, put.into_bytes());
        if let Ok(status) = read(&document) {
            assert_official(&write(&status));
        }
    }
}

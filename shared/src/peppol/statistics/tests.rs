use proptest::{collection::vec, option, prelude::*, sample::select};

use super::*;
use crate::{
    peppol::{
        identifiers::{DocumentType, DocumentTypeScheme, Process, SeatId},
        sbdh::CountryCode,
    },
    validate::validate,
};

fn seat(text: &str) -> SeatId {
    text.parse().unwrap()
}

fn country(code: &str) -> Country {
    Country::new(CountryCode::new(code).unwrap()).unwrap()
}

fn month() -> Month {
    "2026-10".parse().unwrap()
}

/// The official rules and schema that one of our reports breaks; always none.
fn faults(set: &str, report: &[u8]) -> Vec<String> {
    let verdict = validate(report).unwrap();
    assert_eq!(verdict.set, set);
    let said = |found: &crate::validate::Found| {
        format!("{} {}", found.finding.rule, found.finding.message)
    };
    verdict.findings.iter().map(said).collect()
}

fn any_document_type() -> impl Strategy<Value = DocumentType> {
    let known = select(vec![
        DocumentType::INVOICE,
        DocumentType::CREDIT_NOTE,
        DocumentType::MESSAGE_LEVEL_STATUS,
    ]);
    // Names that need escapes in XML, and that are ambiguous when joined.
    let odd = "[!-)+-~]{1,8}(::b)?##[a&<\">:]{1,8}::[0-9:]{1,3}";
    let odd = odd.prop_filter_map("a document type", |text| {
        DocumentType::new(DocumentTypeScheme::Exact, &text).ok()
    });
    prop_oneof![known, odd]
}

fn any_process() -> impl Strategy<Value = Process> {
    ("[a-z]{1,2}", "[!-~]{1,6}|b::c|urn:peppol:bis:billing")
        .prop_filter_map("a process", |(scheme, value)| Process::new(&scheme, &value).ok())
}

fn any_country() -> impl Strategy<Value = Country> {
    select(vec!["AE", "DE", "EL", "XK", "1A"]).prop_map(country)
}

fn any_month() -> impl Strategy<Value = Month> {
    "20[0-9]{2}-(0[1-9]|1[0-2])".prop_map(|text| text.parse().unwrap())
}

fn any_exchanges() -> impl Strategy<Value = Exchanges> {
    let incoming = (option::of(any_country()), any_country())
        .prop_map(|(sender, receiver)| Direction::Incoming { sender, receiver });
    let direction = prop_oneof![Just(Direction::Outgoing), incoming];
    let provider = select(vec!["PAE000001", "POP000002"]).prop_map(seat);
    let count = prop_oneof![Just(0), 1..5_u64, 1..1_u64 << 40];
    (provider, any_document_type(), any_process(), direction, count).prop_map(
        |(provider, document_type, process, direction, count)| Exchanges {
            provider,
            document_type,
            process,
            direction,
            count,
        },
    )
}

fn any_end_user() -> impl Strategy<Value = EndUser> {
    let role = select(vec![Role::Sending, Role::Receiving]);
    ("[a-e]", any_country(), any_document_type(), any_process(), role).prop_map(
        |(id, country, document_type, process, role)| EndUser {
            id,
            country,
            document_type,
            process,
            role,
        },
    )
}

proptest! {
    #[test]
    fn whatever_was_exchanged_the_report_obeys_its_rules(month in any_month(), exchanges in vec(any_exchanges(), 0..12)) {
        let report = Transactions { month, reporter: seat("PAE000200"), exchanges };
        prop_assert_eq!(faults("tsr", &report.write()), [""; 0]);
    }

    #[test]
    fn whoever_took_part_the_report_obeys_its_rules(month in any_month(), users in vec(any_end_user(), 0..12)) {
        let report = EndUsers { month, reporter: seat("PAE000200"), users };
        prop_assert_eq!(faults("eusr", &report.write()), [""; 0]);
    }
}

#[test]
fn a_month_without_an_exchange_is_reported_too() {
    let transactions =
        Transactions { month: month(), reporter: seat("PAE000200"), exchanges: vec![] };
    let users = EndUsers { month: month(), reporter: seat("PAE000200"), users: vec![] };
    let (transactions, users) = (transactions.write(), users.write());
    assert_eq!(faults("tsr", &transactions), [""; 0]);
    assert_eq!(faults("eusr", &users), [""; 0]);
    for report in [transactions, users] {
        let report = String::from_utf8(report).unwrap();
        assert!(
            report.contains("<StartDate>2026-10-01</StartDate>")
                && report.contains("<EndDate>2026-10-31</EndDate>")
        );
        assert!(!report.contains("<Sub"), "{report}");
    }
}

#[test]
fn exchanges_are_added_up() {
    let exchanges = |provider: &str, direction, count| Exchanges {
        provider: seat(provider),
        document_type: DocumentType::INVOICE,
        process: Process::BILLING,
        direction,
        count,
    };
    let from = |code: Option<&str>| Direction::Incoming {
        sender: code.map(country),
        receiver: Country::UAE,
    };
    let report = Transactions {
        month: month(),
        reporter: seat("PAE000200"),
        exchanges: vec![
            exchanges("PAE000100", Direction::Outgoing, 2),
            exchanges("PAE000300", Direction::Outgoing, 0),
            exchanges("PAE000100", from(Some("DE")), 3),
            exchanges("PAE000100", from(None), 4),
        ],
    };
    insta::assert_snapshot!(String::from_utf8(report.write()).unwrap());
}

#[test]
fn a_business_that_sends_and_receives_counts_once_among_all() {
    let user = |id: &str, role, document_type| EndUser {
        id: id.to_owned(),
        country: Country::UAE,
        document_type,
        process: Process::BILLING,
        role,
    };
    let report = EndUsers {
        month: month(),
        reporter: seat("PAE000200"),
        users: vec![
            user("a", Role::Sending, DocumentType::INVOICE),
            user("a", Role::Sending, DocumentType::CREDIT_NOTE),
            user("a", Role::Receiving, DocumentType::INVOICE),
            user("b", Role::Receiving, DocumentType::INVOICE),
            user("b", Role::Receiving, DocumentType::INVOICE),
        ],
    };
    insta::assert_snapshot!(String::from_utf8(report.write()).unwrap());
}

#[test]
fn a_month_is_one_of_the_calendar_in_utc() {
    let month = |text: &str| text.parse::<Month>().map(|month| month.to_string());
    assert_eq!(month("2026-10").as_deref(), Ok("2026-10"));
    for text in ["", "2026", "2026-13", "2026-00", "26-10", "2026-1", "2026-10-01", "+026-10"] {
        assert_eq!(month(text), Err(MonthError), "{text}");
    }
    let instant = |text: &str| Month::of(text.parse().unwrap()).to_string();
    assert_eq!(instant("2026-10-31T23:59:59Z"), "2026-10");
    assert_eq!(instant("2026-11-01T03:59:59+04:00"), "2026-10");
    let january: Month = "2028-01".parse().unwrap();
    assert_eq!(january.previous().to_string(), "2027-12");
    let february: Month = "2028-02".parse().unwrap();
    assert_eq!(february.last().to_string(), "2028-02-29");
    assert_eq!(february.end().to_string(), "2028-03-01T00:00:00Z");
    assert_eq!(january.previous().end(), "2028-01-01T00:00:00Z".parse().unwrap());
}

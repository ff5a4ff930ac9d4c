use super::*;
use crate::taxdata::check;

const INVOICE: &[u8] = include_bytes!("../../pint/samples/invoice.xml");

/// What a test says of every report.
struct Parties {
    reporter: ParticipantId,
}

impl Parties {
    fn new() -> Self {
        Parties { reporter: "0235:1000000001".parse().unwrap() }
    }

    fn report(&self, kind: Kind, role: Role) -> Report<'_> {
        Report {
            kind,
            role,
            reporting_party: &self.reporter,
            authority: "000773",
            representative: "000001-MLS",
            issued_at: "2026-03-01T21:15:00.5Z".parse().unwrap(),
            transport_header_id: Some("11111111-2222-3333-4444-555555555555"),
        }
    }
}

fn written(kind: Kind, source: &[u8]) -> String {
    let made = write(&Parties::new().report(kind, Role::Sender), source).unwrap();
    assert_eq!(check(&made), Ok(()));
    String::from_utf8(made).unwrap()
}

#[test]
fn a_submission_repeats_the_document_and_embeds_it() {
    insta::assert_snapshot!(written(Kind::Submit, INVOICE));
}

//! Checks whether a document can be reported, before the document is sent.

use jiff::Timestamp;

use super::{
    check::{Fault, faults},
    write::{Kind, Report, Role, reporter, write},
};

/// Why no report about a document can ever be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hindrance {
    /// The business term of the document that prevents the report; empty if there is none.
    pub term: &'static str,
    /// The violated rule of the report with its message.
    pub message: String,
}

/// Checks the future report of a document, and returns what prevents it from ever being sent. These rules do not depend
/// on the reporter, the authority and the time.
pub fn hindrance(source: &[u8]) -> Option<Hindrance> {
    const PROVIDER: &str = "000001";
    let made = reporter(source, Role::Sender).and_then(|reporting_party| {
        let report = Report {
            kind: Kind::Submit,
            role: Role::Sender,
            reporting_party: &reporting_party,
            authority: PROVIDER,
            representative: PROVIDER,
            issued_at: Timestamp::UNIX_EPOCH,
            transport_header_id: None,
        };
        write(&report, source)
    });
    match made.map(|report| faults(&report)) {
        Err(error) => Some(Hindrance { term: "", message: error.to_string() }),
        Ok(Err(unfit)) => Some(Hindrance { term: "", message: unfit.to_string() }),
        Ok(Ok(faults)) => faults.into_iter().next().map(|Fault { rule, term, message, .. }| {
            Hindrance { term, message: format!("[{rule}] {message}") }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{CURRENCIES, TAX_DATA_CURRENCIES};

    const INVOICE: &str = include_str!("../pint/samples/invoice.xml");

    #[test]
    fn a_document_that_can_be_reported_is_hindered_by_nothing() {
        assert_eq!(hindrance(INVOICE.as_bytes()), None);
    }

    #[test]
    fn every_currency_that_reports_do_not_have_is_a_hindrance_and_no_other_is() {
        let hindering: Vec<_> = CURRENCIES
            .iter()
            .filter(|code| *code != "AED")
            .filter(|code| hindrance(INVOICE.replace("USD", code).as_bytes()).is_some())
            .collect();
        let unknown: Vec<_> =
            CURRENCIES.iter().filter(|code| !TAX_DATA_CURRENCIES.contains(code)).collect();
        assert_eq!(hindering, unknown);
        assert_eq!(hindering, ["STN", "XCG"]);
        let found = hindrance(INVOICE.replace("USD", "XCG").as_bytes()).unwrap();
        assert_eq!(found.term, "IBT-005");
        assert!(found.message.starts_with("[ibr-tdd-30-1] "), "{found:?}");
    }

    #[test]
    fn what_every_report_repeats_is_a_hindrance_where_it_is_missing() {
        let found = hindrance(INVOICE.replace("TaxExclusiveAmount", "TaxAmount").as_bytes());
        assert!(found.unwrap().message.contains("IBT-109"));
    }
}

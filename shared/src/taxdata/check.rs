//! Checks whether a Tax Data Document may be sent: official schema and official rules only.

use super::{LIMITS, RULES};
use crate::{
    schema,
    xml::{self, ParseError, names::tdd},
};

/// Maximum number of faults in an error. Further faults are only counted.
const MAX_LISTED: usize = 10;

/// Why a report must not be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The bytes are not accepted XML.
    #[error("the report cannot be read: {0}")]
    NotXml(#[from] ParseError),
    /// The bytes are another kind of document.
    #[error("{0} is not a Tax Data Document")]
    Other(String),
    /// The report violates the schema or the rules.
    #[error("faults of the report ({count}): {}", listed.join("; "))]
    Faulty {
        /// The first faults, each with its rule and its location.
        listed: Vec<String>,
        /// The number of all faults.
        count: usize,
    },
}

/// Checks a report by the official schema and the 58 official rules. Of the embedded document, the schema checks each
/// element that it declares.
///
/// # Errors
/// If the report must not be sent.
pub fn check(report: &[u8]) -> Result<(), Unfit> {
    let faults = faults(report)?;
    if faults.is_empty() {
        return Ok(());
    }
    let describe =
        |Fault { rule, place, message, .. }: &Fault| format!("{rule} at {place}: {message}");
    Err(Unfit::Faulty {
        listed: faults.iter().take(MAX_LISTED).map(describe).collect(),
        count: faults.len(),
    })
}

/// A violation in a report.
pub(super) struct Fault {
    pub(super) rule: &'static str,
    /// The business term of the rule; empty for the schema.
    pub(super) term: &'static str,
    pub(super) place: String,
    pub(super) message: String,
}

/// Returns all violations of the schema and the rules.
pub(super) fn faults(report: &[u8]) -> Result<Vec<Fault>, Unfit> {
    let tree = xml::parse_with(report, &LIMITS)?;
    let root = tree.root();
    if root.name() != tdd::TAX_DATA {
        return Err(Unfit::Other(root.qualified_name().to_owned()));
    }
    let errors = schema::check(&tree).into_iter().map(|error| Fault {
        rule: "xml-schema",
        term: "",
        place: error.xpath.to_string(),
        message: error.message.to_string(),
    });
    let fired = RULES.check(&tree).into_iter().map(|rule| Fault {
        rule: rule.id,
        term: rule.term,
        place: rule.context.xpath(),
        message: rule.message.to_string(),
    });
    Ok(errors.chain(fired).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = include_str!("samples/tax-data.xml");

    #[test]
    fn a_report_without_faults_may_be_filed() {
        assert_eq!(check(SAMPLE.as_bytes()), Ok(()));
    }

    #[test]
    fn faults_are_listed_with_rule_and_place() {
        let report = SAMPLE
            .replace(">S<", ">X<")
            .replace("<cbc:IssueDate>2026-03-02", "<cbc:IssueDate>soon");
        let message = check(report.as_bytes()).unwrap_err().to_string();
        assert!(
            message.starts_with(
                "faults of the report (3): xml-schema at /pxs:TaxData/cbc:IssueDate: "
            ),
            "{message}"
        );
        for rule in ["ibr-tdd-04 at /pxs:TaxData: ", "ibr-tdd-06 at /pxs:TaxData: "] {
            assert!(message.contains(rule), "{message}");
        }
    }

    #[test]
    fn of_many_faults_the_first_are_listed_and_all_are_counted() {
        let report = SAMPLE.replace(
            "</pxs:ReportedTransaction>",
            &format!("</pxs:ReportedTransaction>{}", "<pxs:ReportedTransaction/>".repeat(20)),
        );
        let Err(Unfit::Faulty { listed, count }) = check(report.as_bytes()) else {
            panic!("it is fit")
        };
        assert_eq!((listed.len(), count), (MAX_LISTED, 41));
    }

    #[test]
    fn what_is_no_report_is_none() {
        assert_eq!(check(b"<Invoice/>"), Err(Unfit::Other("Invoice".to_owned())));
        assert!(matches!(check(b"<"), Err(Unfit::NotXml(_))));
    }
}

//! Whether a Tax Data Document may be filed: official schema and rules, and nothing more.

use super::{LIMITS, RULES};
use crate::{
    schema,
    xml::{self, ParseError, names::tdd},
};

/// So many faults are told; the others are only counted.
const MOST_TOLD: usize = 10;

/// Why a report must not be filed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// It is no XML that is accepted.
    #[error("the report cannot be read: {0}")]
    NotXml(#[from] ParseError),
    /// It is something else.
    #[error("{0} is no Tax Data Document")]
    Other(String),
    /// It does not obey schema or rules.
    #[error("the report has {count} faults: {}", told.join("; "))]
    Faulty {
        /// The first of them, each with its rule and its place.
        told: Vec<String>,
        /// How many there are.
        count: usize,
    },
}

/// Judges a report by the official schema and the 58 official rules. Of the document inside, that is what
/// the schema says of its elements one by one.
///
/// # Errors
/// When it must not be filed.
pub fn check(report: &[u8]) -> Result<(), Unfit> {
    let tree = xml::parse_with(report, &LIMITS)?;
    let root = tree.root();
    if root.name() != tdd::TAX_DATA {
        return Err(Unfit::Other(root.qualified_name().to_owned()));
    }
    let (errors, fired) = (schema::check(&tree), RULES.check(&tree));
    let count = errors.len() + fired.len();
    if count == 0 {
        return Ok(());
    }
    let errors =
        errors.into_iter().map(|error| format!("xml-schema at {}: {}", error.xpath, error.message));
    let fired = fired
        .into_iter()
        .map(|rule| format!("{} at {}: {}", rule.id, rule.context.xpath(), rule.message));
    Err(Unfit::Faulty { told: errors.chain(fired).take(MOST_TOLD).collect(), count })
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
    fn faults_are_told_with_rule_and_place() {
        let report = SAMPLE
            .replace(">S<", ">X<")
            .replace("<cbc:IssueDate>2026-03-02", "<cbc:IssueDate>soon");
        let told = check(report.as_bytes()).unwrap_err().to_string();
        assert!(
            told.starts_with("the report has 3 faults: xml-schema at /pxs:TaxData/cbc:IssueDate: "),
            "{told}"
        );
        for rule in ["ibr-tdd-04 at /pxs:TaxData: ", "ibr-tdd-06 at /pxs:TaxData: "] {
            assert!(told.contains(rule), "{told}");
        }
    }

    #[test]
    fn of_many_faults_the_first_are_told_and_all_are_counted() {
        let report = SAMPLE.replace(
            "</pxs:ReportedTransaction>",
            &format!("</pxs:ReportedTransaction>{}", "<pxs:ReportedTransaction/>".repeat(20)),
        );
        let Err(Unfit::Faulty { told, count }) = check(report.as_bytes()) else {
            panic!("it is fit")
        };
        assert_eq!((told.len(), count), (MOST_TOLD, 41));
    }

    #[test]
    fn what_is_no_report_is_none() {
        assert_eq!(check(b"<Invoice/>"), Err(Unfit::Other("Invoice".to_owned())));
        assert!(matches!(check(b"<"), Err(Unfit::NotXml(_))));
    }
}

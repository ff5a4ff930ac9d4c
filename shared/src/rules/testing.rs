//! Tools for the tests of rule sets.

use super::RuleSet;
use crate::xml::parse;

/// The ids that fire on a document.
pub(crate) fn fired<F>(set: &RuleSet<F>, document: &str) -> Vec<&'static str> {
    let document = parse(document.as_bytes()).unwrap();
    set.check(&document).iter().map(|fired| fired.id).collect()
}

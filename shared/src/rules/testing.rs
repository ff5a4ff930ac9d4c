//! The runner of the tables that stand next to the rules: one edit that obeys, one that breaks.

use super::{Expected, Group, RuleSet};
use crate::xml::parse;

/// Substitutions on a base document: the first occurrence of the one text becomes the other.
pub(crate) type Edit = &'static [(&'static str, &'static str)];

/// A rule id, an edit after which the rule holds, an edit after which it fires.
pub(crate) type Case = (&'static str, Edit, Edit);

/// Runs a table: every rule of the groups has a case, the rule does not fire after the first edit
/// and fires after the second.
pub(crate) fn check<F>(set: &RuleSet<F>, base: &str, groups: &[Group<F>], cases: &[Case]) {
    for rule in groups.iter().copied().flatten() {
        assert!(cases.iter().any(|case| case.0 == rule.id), "{} has no case", rule.id);
    }
    for (id, obeying, breaking) in cases {
        let known = groups.iter().copied().flatten().any(|rule| rule.id == *id);
        assert!(known, "{id} is not of these groups");
        let fired = fired(set, &edited(base, obeying));
        assert!(!fired.contains(id), "{id} fires on the document that obeys: {fired:?}");
        let fired = self::fired(set, &edited(base, breaking));
        assert!(fired.contains(id), "{id} does not fire: {fired:?}");
        check_counts(set, &edited(base, breaking));
    }
}

/// What is there too often is counted, and more than it should be.
fn check_counts<F>(set: &RuleSet<F>, document: &str) {
    // Nobody writes these by hand, who would have to be told.
    if ["tsr", "eusr"].contains(&set.name) {
        return;
    }
    let document = parse(document.as_bytes()).unwrap();
    for fired in set.check(&document) {
        let says = |words: &str| fired.message.contains(words);
        if !["more than one ", "more than two tax", "more than once"].into_iter().any(says) {
            continue;
        }
        let Some(Expected { at: None, found: Some(found), value }) = &fired.expected else {
            panic!("{} counts nothing: {:?}", fired.id, fired.expected);
        };
        let [found, most] = [found, value].map(|count| count.parse::<u32>().unwrap());
        assert!(found > most, "{} expects {most} and found {found}", fired.id);
    }
}

/// The ids that fire on a document.
pub(crate) fn fired<F>(set: &RuleSet<F>, document: &str) -> Vec<&'static str> {
    let document = parse(document.as_bytes()).unwrap();
    set.check(&document).iter().map(|fired| fired.id).collect()
}

fn edited(base: &str, edits: Edit) -> String {
    edits.iter().fold(base.to_owned(), |text, (find, replace)| {
        assert!(text.contains(find), "the document has no {find:?}");
        text.replacen(find, replace, 1)
    })
}

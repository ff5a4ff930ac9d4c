//! Runs the tables of rule cases: one edit that obeys the rule, one edit that breaks it.

use super::{Expected, Group, RuleSet};
use crate::xml::parse;

/// Substitutions on a base document: each replaces the first occurrence of a text.
pub(crate) type Edit = &'static [(&'static str, &'static str)];

/// A rule id, an edit after which the rule holds, an edit after which it fires.
pub(crate) type Case = (&'static str, Edit, Edit);

/// Runs a table. Every rule of the groups needs a case. The rule must not fire after the first edit, and must fire
/// after
/// the second.
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

/// A rule that says "more than one" reports a count, and the count is above the limit.
fn check_counts<F>(set: &RuleSet<F>, document: &str) {
    // No person writes these documents by hand, so they need no counts.
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

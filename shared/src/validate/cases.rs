//! The cases of the rules. Each has an edit of a sample that obeys the rule, and an edit that breaks it. They stand beside
//! their samples as data, because the official judge runs them too (`tests/conformance/test_cases.py`).

use std::collections::BTreeSet;

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    rule: String,
    obeys: Vec<Edit>,
    breaks: Vec<Edit>,
}

/// A text, and what replaces its first occurrence.
type Edit = (String, String);

macro_rules! samples {
    ($($path:literal,)+) => {
        /// The samples, each with its cases.
        const SAMPLES: &[(&str, &str)] = &[$((
            include_str!(concat!("../", $path, ".xml")),
            include_str!(concat!("../", $path, ".cases.json")),
        ),)+];
    };
}

samples! {
    "pint/samples/invoice",
    "pint/samples/credit-note",
    "taxdata/samples/tax-data",
    "mls/samples/rejection",
    "statistics/samples/transactions",
    "statistics/samples/end-users",
}

fn cases(json: &str) -> Vec<Case> {
    serde_json::from_str(json).unwrap()
}

/// The verdict on a sample after edits.
fn judged(sample: &str, edits: &[Edit]) -> Verdict {
    let edited = edits.iter().fold(sample.to_owned(), |text, (find, replace)| {
        assert!(text.contains(find), "the sample has no {find:?}");
        text.replacen(find, replace, 1)
    });
    validate(edited.as_bytes()).unwrap()
}

fn fires(verdict: &Verdict, rule: &str) -> bool {
    verdict.findings.iter().any(|it| it.finding.rule == rule)
}

#[test]
fn every_rule_holds_and_fires_as_its_cases_say() {
    for (sample, json) in SAMPLES {
        for Case { rule, obeys, breaks } in cases(json) {
            let verdict = judged(sample, &obeys);
            assert!(!fires(&verdict, &rule), "{rule} fires after {obeys:?}");
            let verdict = judged(sample, &breaks);
            assert!(fires(&verdict, &rule), "{rule} does not fire after {breaks:?}");
            counted(&verdict);
        }
    }
}

/// A rule that says "more than one" reports a count, and the count is above the limit. Nobody writes OpenPeppol's reports
/// by hand, so they need no counts.
fn counted(verdict: &Verdict) {
    for Found { origin, finding, .. } in &verdict.findings {
        let says = |words: &str| finding.message.contains(words);
        let counts =
            ["more than one ", "more than two tax", "more than once"].into_iter().any(says);
        if *origin == Origin::Schema || !counts || ["tsr", "eusr"].contains(&verdict.set) {
            continue;
        }
        let number = |text: &Option<String>| text.as_ref()?.parse::<u32>().ok();
        let (found, most) = (number(&finding.value), number(&finding.expected));
        assert!(found.is_some() && most.is_some() && found > most, "{finding:?}");
    }
}

#[test]
fn every_rule_has_a_case_and_every_case_has_a_rule() {
    fn ids<F: 'static>(groups: &[rules::Group<F>]) -> impl Iterator<Item = &'static str> {
        groups.iter().copied().flatten().map(|rule| rule.id)
    }
    let pint = pint::shared_rules().chain(pint::aligned_rules()).map(|rule| rule.id);
    let reports = ids(statistics::transactions::GROUPS).chain(ids(statistics::end_users::GROUPS));
    let others = ids(taxdata::GROUPS).chain(ids(mls::GROUPS)).chain(reports);
    let rules: BTreeSet<_> = pint.chain(pint::own::ids()).chain(others).collect();
    let cases: Vec<_> = SAMPLES.iter().flat_map(|(_, json)| cases(json)).collect();
    let with_case: BTreeSet<_> = cases.iter().map(|case| &*case.rule).collect();
    let without: Vec<_> = rules.difference(&with_case).collect();
    // The official expression of this one is `true()`.
    assert_eq!(without, [&"ibr-187-ae"]);
    let unknown: Vec<_> = with_case.difference(&rules).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn the_samples_break_no_official_rule() {
    for (sample, _) in SAMPLES {
        let findings = judged(sample, &[]).findings.into_iter();
        let official: Vec<_> = findings.filter(|it| it.origin == Origin::Rules).collect();
        assert!(official.is_empty(), "{official:?}");
    }
}

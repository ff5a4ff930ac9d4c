//! Tests that a rule no longer fires after its expected value is inserted.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::rules::{Fired, xpath::Decimal};
use crate::xml::parse;

const SAMPLES: [&str; 2] =
    [include_str!("samples/invoice.xml"), include_str!("samples/credit-note.xml")];

/// Replaces the text of the element with this index; the element has no child elements.
fn with(document: &str, index: u32, text: &str) -> String {
    let is_tag = |at: &usize| !document[at + 1..].starts_with(['/', '!', '?']);
    let mut tags = document.match_indices('<').map(|(at, _)| at).filter(is_tag);
    let tag = tags.nth(index as usize).unwrap();
    let begin = tag + document[tag..].find('>').unwrap() + 1;
    let end = begin + document[begin..].find('<').unwrap();
    format!("{}{text}{}", &document[..begin], &document[end..])
}

/// The elements whose text is a number.
fn numbers(document: &str) -> Vec<u32> {
    let tree = parse(document.as_bytes()).unwrap();
    let is_number =
        |node: &Node<'_>| node.children().next().is_none() && Decimal::parse(&node.text()).is_ok();
    tree.nodes().filter(is_number).map(Node::index).collect()
}

/// Returns the fired rules that expect a value, and checks each: with the expected value, the rule no longer fires
/// there.
fn obeyed(document: &str) -> BTreeSet<&'static str> {
    let tree = parse(document.as_bytes()).unwrap();
    let fired = BILLING.check(&tree);
    let mut ids = BTreeSet::new();
    for it in &fired {
        let Some(expected) = &it.expected else { continue };
        ids.insert(it.id);
        let Some(at) = expected.at else { continue };
        let corrected = with(document, at.index(), &expected.value);
        let corrected = parse(corrected.as_bytes()).unwrap();
        let still =
            |other: &Fired<'_>| other.id == it.id && other.context.index() == it.context.index();
        assert!(
            !BILLING.check(&corrected).iter().any(still),
            "{} still fires with {} at {at:?}",
            it.id,
            expected.value
        );
    }
    ids
}

/// All rules about sums, products and the rounding of totals that changes of the samples can break.
const COMPUTED: [&str; 21] = [
    "aligned-ibrp-004",
    "aligned-ibrp-e-08",
    "aligned-ibrp-e-09",
    "aligned-ibrp-s-08",
    "aligned-ibrp-s-09",
    "aligned-ibrp-z-08",
    "aligned-ibrp-z-09",
    "ibr-091",
    "ibr-121",
    "ibr-122",
    "ibr-123",
    "ibr-125",
    "ibr-131-ae",
    "ibr-146-ae",
    "ibr-147-ae",
    "ibr-co-10",
    "ibr-co-11",
    "ibr-co-12",
    "ibr-co-13",
    "ibr-co-15",
    "ibr-co-16",
];

#[test]
fn what_a_rule_expects_is_what_it_obeys() {
    let mut seen = BTreeSet::new();
    for sample in SAMPLES {
        for index in numbers(sample) {
            for value in ["0", "-7.5", "1.234", "98765.43"] {
                seen.extend(obeyed(&with(sample, index, value)));
            }
        }
    }
    let missing: Vec<_> = COMPUTED.iter().filter(|id| !seen.contains(*id)).collect();
    assert!(missing.is_empty(), "{missing:?} expected nothing; {seen:?} did");
}

#[test]
fn a_count_is_beside_what_it_should_be() {
    let document = SAMPLES[0].replacen(
        "<cbc:ID>Z</cbc:ID>\n        <cbc:Percent>0",
        "<cbc:ID>E</cbc:ID>\n        <cbc:Percent>0",
        1,
    );
    let tree = parse(document.as_bytes()).unwrap();
    let fired = BILLING.check(&tree);
    let counts: Vec<_> = fired
        .iter()
        .filter_map(|it| {
            let expected = it.expected.as_ref()?;
            Some((it.id, expected.found.as_deref()?, expected.value.as_str()))
        })
        .collect();
    assert!(
        !counts.is_empty() && counts.iter().all(|(_, found, one)| found != one && *one == "1"),
        "{counts:?}"
    );
}

#[test]
fn an_amount_in_another_currency_is_reported_with_that_of_the_document() {
    let line = "<cbc:LineExtensionAmount currencyID=\"USD\"";
    assert!(SAMPLES[0].contains(line));
    let expected = |document: &str| {
        let tree = parse(document.as_bytes()).unwrap();
        let fired = BILLING.check(&tree).into_iter().find(|it| it.id == "ibr-126").unwrap();
        fired.expected.map(|expected| (expected.found, expected.value))
    };
    for (attribute, found) in [(" currencyID=\"AED\"", "AED"), ("", "")] {
        let changed = format!("<cbc:LineExtensionAmount{attribute}");
        let changed = SAMPLES[0].replacen(line, &changed, 1);
        assert_eq!(expected(&changed), Some((Some(found.to_owned()), "USD".to_owned())));
    }
    // With two different document currencies, no value is expected.
    let currency = "<cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>";
    let other = currency.replace("USD", "EUR");
    let two = SAMPLES[0].replacen(line, "<cbc:LineExtensionAmount", 1);
    assert_eq!(expected(&two.replacen(currency, &format!("{currency}{other}"), 1)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn several_wrong_values_do_not_confuse_it(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), "-?[0-9]{1,9}(\\.[0-9]{1,5})?"), 1..5),
        sample in 0..SAMPLES.len(),
    ) {
        let mut document = SAMPLES[sample].to_owned();
        let numbers = numbers(&document);
        for (place, value) in &changes {
            document = with(&document, *place.get(&numbers), value);
        }
        obeyed(&document);
    }
}

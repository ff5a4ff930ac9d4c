//! The explained rules against the rules that there are, and their examples against the engine.

use std::{fs, path::Path};

use super::*;
use crate::{
    docs::examples::pieces,
    document::Operation,
    error::{Finding, Severity},
    import_tables::File,
    rules::official::ORDER,
    schema, xml,
};

impl Weight {
    fn covers(self, severity: Severity) -> bool {
        match self {
            Weight::Error => severity == Severity::Error,
            Weight::Warning => severity == Severity::Warning,
            Weight::Both => true,
        }
    }
}

/// The ids of the service's own rules in its source, without tests.
fn said_in(path: &Path, found: &mut BTreeSet<String>) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    if matches!(name, "tests" | "testing" | "docs" | "bench" | "fixtures") {
        return;
    }
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            said_in(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (at, _) in code.match_indices("\"AP-") {
            let id = code[at + 1..].split('"').next().unwrap();
            // Ids such as `AP-CLIENT-{…}` are completed elsewhere.
            if id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                found.insert(id.to_owned());
            }
        }
    }
}

#[test]
fn every_rule_of_this_service_is_explained_and_no_other() {
    let mut said = BTreeSet::new();
    said_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut said);
    let explained: Vec<_> = OWN.iter().map(|own| own.id.clone()).collect();
    assert!(explained.is_sorted(), "they are sorted");
    assert_eq!(explained.iter().cloned().collect::<BTreeSet<_>>(), said);
    assert_eq!(explained.len(), said.len(), "none twice");
}

#[test]
fn every_official_rule_is_explained() {
    let official: BTreeSet<_> = crate::rules::official::implemented()
        .into_iter()
        .filter(|entry| entry.set.starts_with("pint-") && entry.id != ORDER)
        .map(|entry| entry.id)
        .collect();
    let explained: BTreeSet<_> =
        RULES[2..].iter().flat_map(|section| &section.rules).map(|rule| rule.id.clone()).collect();
    assert_eq!(explained, official);
    assert_eq!(explained.len(), 302);
}

#[test]
fn no_two_anchors_are_the_same() {
    let mut anchors: Vec<_> = RULES.iter().map(|section| section.anchor.to_owned()).collect();
    anchors.extend(RULES.iter().flat_map(|it| &it.rules).map(|rule| rule.id.clone()));
    let distinct: BTreeSet<_> = anchors.iter().collect();
    assert_eq!(distinct.len(), anchors.len());
}

/// Records an example that is wrong: the sample and the corrected document must have no error and not break the
/// rule; the faulty one must break it.
fn check(id: &str, example: &Example, weight: Weight, wrong: &mut Vec<String>) {
    let severities = |found: &[Finding]| -> Vec<Severity> {
        let of_rule = found.iter().filter(|finding| finding.rule == id);
        of_rule.map(|finding| finding.severity).collect()
    };
    let mut note = |what: String| wrong.push(format!("{id}: {what}"));
    let versions = (example.sample(), example.faulty(), example.fixed());
    let (Some(sample), Some(faulty), Some(fixed)) = versions else {
        return note("does not fit its sample".to_owned());
    };
    for (name, found) in [("sample", sample), ("fixed", fixed)] {
        let errors: Vec<_> =
            found.iter().filter(|finding| finding.severity == Severity::Error).collect();
        if !errors.is_empty() || !severities(&found).is_empty() {
            note(format!("{name}: {errors:?}, {:?}", severities(&found)));
        }
    }
    let broken = severities(&faulty);
    if broken.is_empty() {
        note(format!("faulty: {faulty:?}"));
    } else if !broken.iter().all(|severity| weight.covers(*severity)) {
        note(format!("faulty: {broken:?}"));
    }
}

#[test]
fn every_example_breaks_its_rule_and_its_fix_corrects_it() {
    let mut wrong = Vec::new();
    for own in OWN.iter() {
        assert_ne!(own.example.is_some(), own.without.is_some(), "{}", own.id);
        if let Some(example) = &own.example {
            check(&own.id, example, own.severity, &mut wrong);
        }
    }
    for (id, example) in OFFICIAL.iter() {
        check(id, example, Weight::Error, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_the_schema_is_an_error_of_its_sort() {
    for kind in KINDS {
        let [name, ..] = sort(kind);
        let Some(Example::Ubl { sample, changes, .. }) = STRUCTURE.get(name) else {
            panic!("{name} has no example");
        };
        let sample = sample.ubl().unwrap();
        let faulty = super::super::examples::changed(sample, changes).unwrap();
        let kinds = |document: &str| {
            let tree = xml::parse(document.as_bytes()).unwrap();
            schema::check(&tree).into_iter().map(|error| error.kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(sample), []);
        assert_eq!(kinds(&faulty), [kind], "{name}");
    }
}

#[test]
fn the_rules_without_an_example_are_these() {
    let mut official: Vec<_> = RULES[2..].iter().flat_map(|section| &section.rules).collect();
    official.retain(|rule| rule.example.is_none());
    let ids: Vec<_> = official.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["ibr-187-ae"]);
    let own = OWN.iter().filter(|own| own.example.is_none());
    assert_eq!(
        own.map(|own| own.id.as_str()).collect::<Vec<_>>(),
        ["AP-SERVICE-given-up", "AP-UBL"]
    );
    assert_eq!(RULES[0].rules.len(), 176);
    assert!(RULES[1].rules.iter().all(|rule| rule.example.is_some()));
}

#[test]
fn whoever_takes_files_finds_a_large_one_too_large_as_well() {
    let size = OWN.iter().find(|own| own.id == "AP-IMPORT-size").unwrap();
    let Some(example @ Example::Other { faulty, .. }) = &size.example else { panic!() };
    let whole = pieces::whole(faulty).into_bytes();
    assert_eq!(File::open(Operation::Invoice, whole).unwrap_err(), example.faulty().unwrap());
}

#[test]
fn terms_are_shown_with_their_names_and_fields() {
    for (term, name, fields) in [
        ("IBT-009", "Payment due date", vec!["due_date", "payment_means.due_date"]),
        ("IBT-037", "Seller city", vec!["supplier.address.city"]),
        ("IBT-052", "Buyer city", vec!["customer.address.city"]),
        ("IBT-077", "Deliver-to city", vec!["delivery_address.city"]),
        ("IBT-144", "Invoice line charge reason", vec!["line_items[].charges[].reason"]),
        ("IBT-153", "Item name", vec!["line_items[].item.name"]),
    ] {
        let shown = named(term);
        assert_eq!(
            (shown.name, shown.fields),
            (name, fields.iter().map(|it| (*it).to_owned()).collect())
        );
    }
    for section in RULES.iter() {
        for term in section.rules.iter().flat_map(|rule| &rule.terms) {
            assert!(!term.name.is_empty(), "{term:?}");
        }
    }
}

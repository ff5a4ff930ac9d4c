//! Documents against every rule set, also against those that are not meant for them.
#![no_main]

use fuzz::rules::RuleSet;
use fuzz::xml::Tree;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

fn check<F>(set: &RuleSet<F>, document: &Tree) {
    for fired in set.check(document) {
        assert!(!fired.id.is_empty() && !fired.message.is_empty());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = fuzz::xml::parse(bytes) else { return };
    fuzz::watch::watch(bytes.len(), || {
        check(&fuzz::pint::BILLING, &document);
        check(&fuzz::pint::SELFBILLING, &document);
        check(&fuzz::taxdata::RULES, &document);
        check(&fuzz::mls::RULES, &document);
        std::hint::black_box(fuzz::pint::own::check(&document));
        let _ = std::hint::black_box(fuzz::validate::check(&document, |_, _| String::new()));
        true
    });
});

//! Documents against the schema check.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = fuzz::xml::parse(bytes) else { return };
    fuzz::watch::watch(bytes.len(), || {
        for error in fuzz::schema::check(&document) {
            assert!((error.node as usize) < document.len() && !error.message.is_empty());
        }
        true
    });
});

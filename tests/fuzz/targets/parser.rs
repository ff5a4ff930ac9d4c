//! Any bytes against the parser, and everything that a document offers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    fuzz::watch::watch(bytes.len(), || fuzz::xml::parse(bytes).is_ok());
    match fuzz::xml::parse(bytes) {
        Ok(document) => fuzz::walk(&document),
        Err(error) => assert!(error.line > 0 && error.column > 0 && error.message.len() < 2_000),
    }
});

//! Answers of a publisher.
#![no_main]

use access_point::peppol::smp::{BusinessCard, ServiceGroup, SignedMetadata};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    fuzz::watch::watch(bytes.len(), || SignedMetadata::read(bytes).is_ok());
    fuzz::watch::watch(bytes.len(), || ServiceGroup::read(bytes).is_ok());
    if let Ok(card) = BusinessCard::read(bytes) {
        assert_eq!(BusinessCard::read(card.write().as_bytes()).as_ref(), Ok(&card));
    }
});

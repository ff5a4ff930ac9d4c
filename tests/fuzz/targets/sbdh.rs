//! Envelopes, as we write them and as others may.
#![no_main]

use access_point::peppol::sbdh;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    fuzz::watch::watch(bytes.len(), || {
        let Ok(envelope) = sbdh::receive(bytes) else { return false };
        assert!(envelope.payload.element().len() <= bytes.len());
        std::hint::black_box(envelope.payload.document());
        true
    });
    // What the strict reader takes, the tolerant one does.
    if let Ok(strict) = sbdh::read(bytes) {
        let tolerant = sbdh::receive(bytes).expect("what is right is received");
        assert_eq!(strict.header.instance_id, tolerant.header.instance_id);
    }
});

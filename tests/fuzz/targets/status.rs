//! Message Level Statuses. Whatever is read can be written, and is the same then.
#![no_main]

use access_point::peppol::mls;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

fuzz_target!(|bytes: &[u8]| {
    fuzz::watch::watch(bytes.len(), || mls::read(bytes).is_ok());
    if let Ok(status) = mls::read(bytes) {
        let again = mls::read(&mls::write(&status)).expect("what is written is read");
        assert_eq!(again.ref_to, status.ref_to);
        assert_eq!(again.verdict.code(), status.verdict.code());
    }
});

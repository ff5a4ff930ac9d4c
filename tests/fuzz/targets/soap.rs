//! SOAP envelopes in a message that is else as it should be, and as the answer to one.
#![no_main]

use access_point::peppol::as4;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate::mutator(data, size, max_size, seed)
});

const CONTENT_TYPE: &str = r#"multipart/related; boundary="b"; type="application/soap+xml""#;
const BEFORE: &str = "--b\r\nContent-Type: application/soap+xml; charset=UTF-8\r\n\r\n";
const AFTER: &str = "\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-ID: <payload@b>\r\n\r\n0\r\n--b--\r\n";

fuzz_target!(|soap: &[u8]| {
    let message = [BEFORE.as_bytes(), soap, AFTER.as_bytes()].concat();
    fuzz::watch::watch(soap.len(), || as4::open(CONTENT_TYPE, message.clone()).is_ok());
    fuzz::watch::watch(soap.len(), || {
        !matches!(as4::read_answer(200, as4::SIGNAL_CONTENT_TYPE, soap), as4::Answer::Nothing(_))
    });
});

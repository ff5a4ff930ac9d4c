//! Any request and any answer of another access point: a Content-Type, an empty line, a body.
#![no_main]

use access_point::peppol::as4;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (content_type, body) = head(bytes);
    fuzz::watch::watch(bytes.len(), || match as4::open(&content_type, body.to_vec()) {
        Ok(opened) => !opened.message_id().as_str().is_empty(),
        Err(refusal) => {
            assert!(!refusal.rule().id().is_empty() && refusal.to_string().len() < 4_000);
            false
        }
    });
    std::hint::black_box(as4::read_answer(200, &content_type, body));
});

/// The value of the header, and what comes after the empty line.
fn head(bytes: &[u8]) -> (String, &[u8]) {
    let end = ["\r\n\r\n", "\n\n"].iter().find_map(|empty| {
        let at = memchr::memmem::find(bytes, empty.as_bytes())?;
        Some((at, at + empty.len()))
    });
    let (end, body) = end.unwrap_or((0, 0));
    let head = String::from_utf8_lossy(&bytes[..end]);
    let value = head.split_once(':').map_or(&*head, |(_, value)| value);
    (value.trim().to_owned(), &bytes[body..])
}

//! `xs:base64Binary` and `xs:hexBinary`.

/// Base64 (Part 2 section 3.2.16). As in libxml2, characters outside the base64 alphabet are skipped everywhere, and
/// the unused bits before padding must be zero.
pub(super) fn is_base64(value: &[u8]) -> bool {
    // Data is long: the fast path counts plain characters, and the slow path handles other characters and padding.
    let plain = value.iter().take_while(|byte| sextet(**byte).is_some()).count();
    let mut count = plain;
    let mut last = plain.checked_sub(1).and_then(|at| value.get(at)).and_then(|byte| sextet(*byte));
    let mut padding = 0_u8;
    for byte in value.get(plain..).unwrap_or_default() {
        match sextet(*byte) {
            Some(_) if padding > 0 => return false,
            Some(bits) => {
                count += 1;
                last = Some(bits);
            }
            None if *byte == b'=' => padding = padding.saturating_add(1),
            None => {}
        }
    }
    match (padding, count % 4) {
        (0, 0) => true,
        (1, 3) => last.is_some_and(|bits| bits & 0b00_0011 == 0),
        (2, 2) => last.is_some_and(|bits| bits & 0b00_1111 == 0),
        _ => false,
    }
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Pairs of hexadecimal digits (Part 2 section 3.2.15).
pub(super) fn is_hex(value: &[u8]) -> bool {
    value.len().is_multiple_of(2) && value.iter().all(u8::is_ascii_hexdigit)
}

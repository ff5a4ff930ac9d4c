//! The lines of a CSV text, as spreadsheets count them.

/// Whether each value that starts with a quotation mark ends with one, and doubles those within it (RFC 4180).
pub(super) fn are_closed(text: &str) -> bool {
    let mut bytes = text.bytes().peekable();
    let mut begins = true;
    while let Some(byte) = bytes.next() {
        if byte == b'"' && begins {
            loop {
                match bytes.next() {
                    None => return false,
                    Some(b'"') if bytes.next_if_eq(&b'"').is_none() => break,
                    Some(_) => {}
                }
            }
            if !matches!(bytes.peek(), None | Some(b',' | b'\r' | b'\n')) {
                return false;
            }
        }
        begins = matches!(byte, b',' | b'\r' | b'\n');
    }
    true
}

/// The number of empty lines after the end of a record. CSV readers skip them, but spreadsheets count them.
pub(super) fn empty_lines(text: &str, from: u64) -> u32 {
    let (before, rest) =
        usize::try_from(from).ok().and_then(|at| text.split_at_checked(at)).unwrap_or_default();
    // The second character of a CRLF is not a line.
    let half = if before.ends_with('\r') { rest.strip_prefix('\n') } else { None };
    let rest = half.unwrap_or(rest);
    let (ends, _) = rest.split_at(rest.len() - rest.trim_start_matches(['\r', '\n']).len());
    let pairs = ends.matches("\r\n").count();
    u32::try_from(ends.len() - pairs).unwrap_or(u32::MAX)
}

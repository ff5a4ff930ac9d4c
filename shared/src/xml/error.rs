//! Why a document cannot be parsed, and where.

/// Why bytes are not an accepted document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The character in that line, from 1.
    pub column: u32,
    /// What is wrong, in plain words, without the position.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// An error with its byte offset in the UTF-8 text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fault {
    #[cold]
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }

    /// Replaces the offset by line and column.
    #[cold]
    pub(super) fn locate(self, text: &[u8]) -> ParseError {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        // In UTF-8, all bytes of a character except the first are 10xxxxxx.
        let column = before[start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        ParseError { line: count(line), column: count(column), message: self.message }
    }
}

/// Shortens and escapes untrusted text for a message.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() { format!("{short}…") } else { short }
}

//! Why a document could not be read, and where.

/// Why bytes are no document that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The character in that line, from 1.
    pub column: u32,
    /// What is wrong there, in plain words, without the place.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// What is wrong, and how many bytes into the UTF-8 text.
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

    /// The fault with line and column instead of the offset.
    #[cold]
    pub(super) fn locate(self, text: &[u8]) -> ParseError {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        // Of a character in UTF-8, every byte but the first is 10xxxxxx.
        let column = before[start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        ParseError { line: count(line), column: count(column), message: self.message }
    }
}

/// Text of a stranger, short enough and harmless enough for a message.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() { format!("{short}…") } else { short }
}

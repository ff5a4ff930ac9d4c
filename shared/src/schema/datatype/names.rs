//! Names and tokens (Part 2 sections 3.3.3 to 3.3.12).
//!
//! libxml2 checks names by the letters of XML 1.0 up to its Fourth Edition (appendix B), although it parses documents
//! by the Fifth Edition.

use super::letters::{LETTERS, NAME_CHARACTERS};
use super::ranges::lists;

/// `xs:Name`
pub(super) fn is_name(value: &str) -> bool {
    value.starts_with(|first| first == ':' || is_letter(first)) && is_nm_token(value)
}

/// `xs:NCName`: a name without a colon.
pub(super) fn is_nc_name(value: &str) -> bool {
    value.starts_with(is_letter)
        && value.chars().all(|character| character != ':' && in_name(character))
}

/// `xs:NMTOKEN`
pub(super) fn is_nm_token(value: &str) -> bool {
    !value.is_empty() && value.chars().all(in_name)
}

/// `xs:QName`, without a check of the prefix declaration.
pub(super) fn is_qname(value: &str) -> bool {
    match value.split_once(':') {
        Some((prefix, local)) => is_nc_name(prefix) && is_nc_name(local),
        None => is_nc_name(value),
    }
}

/// `xs:language`
pub(super) fn is_language(value: &str) -> bool {
    value.split('-').enumerate().all(|(part, subtag)| {
        let fits = |byte: u8| byte.is_ascii_alphabetic() || (part > 0 && byte.is_ascii_digit());
        (1..=8).contains(&subtag.len()) && subtag.bytes().all(fits)
    })
}

fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        return character == '_' || character.is_ascii_alphabetic();
    }
    lists(LETTERS, character)
}

fn in_name(character: char) -> bool {
    if character.is_ascii() {
        return matches!(character, '_' | '-' | '.' | ':') || character.is_ascii_alphanumeric();
    }
    lists(NAME_CHARACTERS, character)
}

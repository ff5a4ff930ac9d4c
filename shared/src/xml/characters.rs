//! The characters that XML allows in each position, and character references.

/// White space of XML 1.0 production 3. Line ends are normalised before.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Production 2, `Char`.
pub(super) const fn is_legal(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}

/// Production 4, `NameStartChar`, without the colon.
const fn starts_name(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// Production 4a, `NameChar`, without the colon.
const fn continues_name(c: char) -> bool {
    starts_name(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}'
            | '\u{203F}'..='\u{2040}')
}

/// A name without a colon (Namespaces in XML production 4).
pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(starts_name) && characters.all(continues_name)
}

/// The offset of the first character that XML forbids.
pub(super) fn illegal(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    // Blocks without an early exit let the compiler vectorise the inner loop.
    for (block, chunk) in bytes.chunks(256).enumerate() {
        if chunk.iter().fold(false, |found, byte| found | control(byte)) {
            return chunk.iter().position(control).map(|at| block * 256 + at);
        }
    }
    // U+FFFE and U+FFFF. Surrogates cannot occur in UTF-8.
    let mut candidates = memchr::memmem::find_iter(bytes, b"\xEF\xBF");
    candidates.find(|at| matches!(bytes.get(at + 2), Some(0xBE | 0xBF)))
}

/// Resolves the content between `&` and `;`: one of the five entities, or a character number.
pub(super) fn reference(content: &str) -> Result<char, String> {
    match content {
        "amp" => return Ok('&'),
        "lt" => return Ok('<'),
        "gt" => return Ok('>'),
        "quot" => return Ok('"'),
        "apos" => return Ok('\''),
        _ => {}
    }
    let Some(number) = content.strip_prefix('#') else {
        return Err(format!("the entity `{}` is not defined", super::error::shown(content)));
    };
    let (digits, radix) = match number.strip_prefix('x') {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (number, 10),
    };
    // `from_str_radix` would accept a sign.
    let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let code = valid.then(|| u32::from_str_radix(digits, radix).ok()).flatten();
    code.and_then(char::from_u32)
        .filter(|c| is_legal(*c))
        .ok_or_else(|| format!("`&{};` is not an XML character", super::error::shown(content)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_of_any_script_and_has_no_colon() {
        for name in ["a", "_", "Ünïcode", "فاتورة", "a-b.c1", "𐀀", "a·"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1", "-a", ".a", "a:b", "a b", "a/", "·a", "×", "a÷", "a\u{37E}", "a<"]
        {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn control_characters_and_noncharacters_are_illegal_wherever_they_stand() {
        let before = "ä".repeat(300);
        for c in
            ['\0', '\u{1}', '\u{8}', '\u{B}', '\u{C}', '\u{E}', '\u{1F}', '\u{FFFE}', '\u{FFFF}']
        {
            assert_eq!(illegal(&format!("{before}{c}")), Some(600), "{c:?}");
            assert!(!is_legal(c));
        }
        for c in ['\t', '\n', '\r', '\u{7F}', '\u{80}', '\u{FEFF}', '\u{FFFD}', '\u{10FFFF}'] {
            assert_eq!(illegal(&format!("{before}{c}")), None, "{c:?}");
            assert!(is_legal(c));
        }
    }

    #[test]
    fn a_reference_is_one_of_five_entities_or_a_legal_character() {
        for (content, c) in
            [("amp", '&'), ("#65", 'A'), ("#x41", 'A'), ("#x1F600", '😀'), ("#13", '\r')]
        {
            assert_eq!(reference(content), Ok(c));
        }
        for content in [
            "",
            "#",
            "#x",
            "#X41",
            "#+65",
            "#-1",
            "#0",
            "#xD800",
            "#xFFFE",
            "#x110000",
            "#99999999999999",
            "nbsp",
            "AMP",
            " amp",
            "#6 5",
            "#x4G",
        ] {
            assert!(reference(content).is_err(), "{content}");
        }
    }
}

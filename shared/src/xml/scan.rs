//! Finds the next relevant byte, eight bytes at a time. Texts and names are short, so the call overhead of a vectorised
//! search would dominate.

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = ONES << 7;

/// Marks the high bit of each zero byte. A byte above the lowest zero byte may be marked wrongly, so only the lowest
/// mark is valid.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// Marks the bytes that equal `byte`, with the restriction of [`zeros`].
const fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ (ONES * byte as u64))
}

/// Marks the bytes below `byte`, which is at most 128, with the restriction of [`zeros`].
const fn below(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(ONES * byte as u64) & !word & HIGH
}

/// The byte offset of the lowest mark.
const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The offset, from `at` on, of the first `<` or `&`; the length if there is none.
pub(super) fn text_end(bytes: &[u8], at: usize) -> usize {
    let long = at + 64;
    let mut at = at;
    while let Some(word) = word(bytes, at) {
        let marks = equal(word, b'<') | equal(word, b'&');
        if marks != 0 {
            return at + lowest(marks);
        }
        at += 8;
        if at >= long {
            break;
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr::memchr2(b'<', b'&', rest).unwrap_or(rest.len())
}

/// Returns the end of a name in a tag: white space, `/`, `>` or the end of the text. If the first eight bytes contain a
/// colon, returns them as a word, with the position of the colon.
pub(super) fn name_end(bytes: &[u8], from: usize) -> (usize, Option<(u64, usize)>) {
    let mut at = from;
    let mut colon = None;
    while let Some(word) = word(bytes, at) {
        let marks = below(word, b'!') | equal(word, b'/') | equal(word, b'>');
        if at == from {
            let colons = equal(word, b':');
            // A colon behind the end of the name does not belong to it.
            if colons != 0 && (marks == 0 || colons.trailing_zeros() < marks.trailing_zeros()) {
                colon = Some((word, lowest(colons)));
            }
        }
        if marks != 0 {
            return (at + lowest(marks), colon);
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let end = rest.iter().position(|byte| *byte < b'!' || matches!(byte, b'/' | b'>'));
    (at + end.unwrap_or(rest.len()), colon)
}

/// Whether the bytes are equal. Names are too short for a call of `memcmp`.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        (Some(tail), Some(other_tail)) => {
            let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
            tail == other_tail && words.into_iter().all(|(word, other)| word == other)
        }
        _ => one.iter().eq(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_markup_is_found_at_every_distance() {
        for length in 0..200 {
            for mark in ["<", "&", ""] {
                let text = format!("ab{}{mark}<&", "\u{e9}".repeat(length));
                assert_eq!(text_end(text.as_bytes(), 2), 2 + 2 * length);
            }
            assert_eq!(text_end("x".repeat(length).as_bytes(), 0), length);
        }
    }

    #[test]
    fn a_name_ends_where_it_ends() {
        for length in 0..40 {
            for end in [" a:b", "\n", "/>", ">:", ">a:b", ""] {
                for prefix in ["", "a:", "é:", "abcdef:", "abcdefg:", "abcdefgh:"] {
                    let name = format!("{prefix}{}", "ü".repeat(length));
                    let text = format!("<{name}{end}");
                    let (found, colon) = name_end(text.as_bytes(), 1);
                    assert_eq!(found, 1 + name.len(), "{text}");
                    if let Some((word, place)) = colon {
                        assert_eq!(place, prefix.len() - 1, "{text}");
                        assert_eq!(
                            word,
                            u64::from_le_bytes(*text.as_bytes()[1..].first_chunk().unwrap())
                        );
                    }
                }
            }
        }
        assert_eq!(name_end(b"<cbc:ID>1</cbc:ID>", 1).1.unwrap().1, 3);
        assert_eq!(name_end(b"<ID>1:2</ID>", 1), (3, None));
    }

    #[test]
    fn names_are_the_same_byte_by_byte() {
        for length in 0..40 {
            let name: Vec<u8> = (0..length).collect();
            assert!(same(&name, &name.clone()));
            assert!(!same(&name, &[&name[..], b"x"].concat()));
            for at in 0..name.len() {
                let mut other = name.clone();
                other[at] ^= 1;
                assert!(!same(&name, &other), "{length} {at}");
            }
        }
    }
}

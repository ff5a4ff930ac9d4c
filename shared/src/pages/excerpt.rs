//! Shortened texts, so that a page stays small whatever the content.

/// A text of at most this many characters, with an ellipsis if it was longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The beginning of a text, or all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Whether there is more.
    pub(super) is_cut: bool,
}

impl Excerpt {
    /// The beginning of a text that takes at most this many bytes on a page.
    pub(super) fn of(text: &str, most: usize) -> Self {
        let mut left = most;
        let end = text.char_indices().find(|(_, character)| {
            let size = written(*character);
            let fits = size <= left;
            left = left.saturating_sub(size);
            !fits
        });
        let end = end.map_or(text.len(), |(end, _)| end);
        Excerpt { text: text[..end].to_owned(), is_cut: end < text.len() }
    }
}

/// The bytes of a character on a page; templates escape some characters, such as `&#60;`.
fn written(character: char) -> usize {
    match character {
        '"' | '&' | '\'' | '<' | '>' => 5,
        _ => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut(&"ش".repeat(61), 60), format!("{}…", "ش".repeat(60)));
        assert_eq!(cut("ش", 1), "ش");
    }

    #[test]
    fn an_excerpt_is_as_large_as_it_may_be_on_a_page() {
        for (text, most, found) in
            [("a<b", 7, "a<b"), ("a<b", 6, "a<"), ("a<b", 5, "a"), ("شش", 3, "ش"), ("", 0, "")]
        {
            let excerpt = Excerpt::of(text, most);
            assert_eq!((excerpt.text.as_str(), excerpt.is_cut), (found, found != text), "{text}");
        }
    }
}

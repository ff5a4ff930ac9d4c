//! Texts that are shown in part, so that a page stays small whatever others write.

/// At most so many characters of a text, with an ellipsis where there were more.
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
    /// As much of a text as takes at most so many bytes on a page.
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

/// How many bytes a character takes on a page, where a template writes some of them as references, such as `&#60;`.
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

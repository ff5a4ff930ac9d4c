//! Removes the layout of an expression.

use crate::xml::Node;

/// The value of an attribute without a namespace.
pub(super) fn attribute<'d>(node: Node<'d>, name: &str) -> Option<&'d str> {
    let found = node.written_attributes().find(|attribute| attribute.qualified_name() == name);
    found.map(|attribute| attribute.value())
}

/// Whether a character can be part of a name, a variable or a number.
pub(super) fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '$')
}

/// An XPath expression without white space outside its strings. One space remains where two words would merge.
pub(super) fn expression(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let (mut quote, mut pending) = (None, false);
    for character in text.chars() {
        if quote.is_none() && character.is_ascii_whitespace() {
            pending = true;
            continue;
        }
        if pending && compact.ends_with(is_of_name) && is_of_name(character) {
            compact.push(' ');
        }
        pending = false;
        compact.push(character);
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            _ => {}
        }
    }
    compact
}

/// Whether the expression contains this whole word, followed by `after`.
pub(super) fn has_word(expression: &str, word: &str, after: &str) -> bool {
    expression.match_indices(word).any(|(at, _)| {
        let (before, rest) = (&expression[..at], &expression[at + word.len()..]);
        !before.ends_with(is_of_name)
            && rest.starts_with(after)
            && (!after.is_empty() || !rest.starts_with(is_of_name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_white_space_outside_strings() {
        for text in ["a = 'b  c' or not(d)", "\n a='b  c'  or\tnot ( d ) "] {
            assert_eq!(expression(text), "a='b  c'or not(d)");
        }
        assert_ne!(expression("$a - $b"), expression("$a-$b"));
        assert_ne!(expression("a and b"), expression("aand b"));
        assert_eq!(expression("a = \"it's  so\" and b"), "a=\"it's  so\"and b");
    }

    #[test]
    fn a_word_is_separate() {
        assert!(has_word("exists($rc)", "$rc", "") && has_word("u:slack(1)", "u:slack", "("));
        assert!(has_word("$rcs or $rc", "$rc", ""));
        assert!(!has_word("$rcs", "$rc", "") && !has_word("u:slacks(1)", "u:slack", "("));
        assert!(!has_word("nu:slack(1)", "u:slack", "("));
    }
}

//! Abbreviates texts with many repetitions: `⟦ab⟧×1,000` is `ab` a thousand times.

use serde_json::Value;

/// Whether a text contains an abbreviated piece.
pub(in crate::docs) fn is_in(text: &str) -> bool {
    first(text).is_some()
}

/// Expands the pieces of a text.
pub(in crate::docs) fn whole(text: &str) -> String {
    let mut whole = String::new();
    for (part, times) in parts(text) {
        // Growing step by step would allocate twice the size.
        whole.reserve_exact(part.len() * times);
        (0..times).for_each(|_| whole.push_str(part));
    }
    whole
}

/// The length in bytes of the expanded text, without building it.
pub(super) fn length(text: &str) -> usize {
    parts(text).into_iter().map(|(part, times)| part.len() * times).sum()
}

/// Replaces the expanded pieces of `text` in a message by their abbreviated form.
pub(in crate::docs) fn folded(said: &str, mut text: &str) -> String {
    let mut folded = said.to_owned();
    while let Some((before, piece, times, after)) = first(text) {
        // A longer piece cannot be in the message.
        if piece.len() * times <= said.len()
            && let Some(written) = text.get(before.len()..text.len() - after.len())
        {
            folded = folded.replace(&piece.repeat(times), written);
        }
        text = after;
    }
    folded
}

/// Expands all texts of a value.
pub(super) fn whole_of(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(whole(text)),
        Value::Array(items) => items.iter().map(whole_of).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), whole_of(value))).collect()
        }
        value => value.clone(),
    }
}

/// The parts of a text with their number of repetitions.
fn parts(mut text: &str) -> Vec<(&str, usize)> {
    let mut parts = Vec::new();
    while let Some((before, piece, times, after)) = first(text) {
        parts.extend([(before, 1), (piece, times)]);
        text = after;
    }
    parts.push((text, 1));
    parts
}

/// The first repeated piece, with the text before and after it.
fn first(text: &str) -> Option<(&str, &str, usize, &str)> {
    let (before, rest) = text.split_once('⟦')?;
    let (piece, rest) = rest.split_once("⟧×")?;
    let is_of_number = |c: char| c.is_ascii_digit() || c == ',';
    let end = rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
    let number = rest.get(..end)?.trim_end_matches(',');
    let times = number.replace(',', "").parse().ok()?;
    Some((before, piece, times, rest.get(number.len()..)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pieces_are_written_as_often_as_it_is_said() {
        for (text, meant) in [
            ("", ""),
            ("a⟦b", "a⟦b"),
            ("⟦b⟧×", "⟦b⟧×"),
            ("⟦ab⟧×3", "ababab"),
            ("x⟦a⟧×2y⟦\n⟧×3,", "xaay\n\n\n,"),
            ("⟦a⟧×0b", "b"),
        ] {
            assert_eq!((whole(text).as_str(), length(text)), (meant, meant.len()), "{text}");
        }
        assert_eq!(length("⟦é⟧×1,000,000"), 2_000_000);
        assert_eq!(folded("no aaa, no a", "⟦a⟧×3⟦a⟧×3,000,000"), "no ⟦a⟧×3, no a");
        assert!(is_in("x⟦a⟧×2") && !is_in("x⟦a⟧"));
        assert_eq!(whole_of(&json!({"a": ["⟦b⟧×2", 1]})), json!({"a": ["bb", 1]}));
    }
}

//! Checks that each combination of keys occurs only once.
//!
//! For each combination of the keys of a part, the official expressions count the parts whose combinations all equal
//! it. A part that lacks a key has no combination, so it counts for every combination. A part with several keys of one
//! kind has all their combinations; another rule forbids such parts.
//! keys of a kind, which another rule forbids, have all combinations of these.

use std::collections::HashMap;

/// Maximum number of combinations of parts with several keys of one kind. Above it, the rule counts as broken. Such a
/// document is invalid anyway, and thousands of keys of three kinds would take too long.
const MOST: usize = 100_000;

/// Whether each combination occurs once. Each part is a list of its keys by kind.
pub(super) fn once_each(mut parts: Vec<Vec<Vec<String>>>) -> bool {
    let mut without = 0_usize;
    let mut of_one: HashMap<String, usize> = HashMap::new();
    for part in &mut parts {
        for kind in part.iter_mut() {
            kind.sort_unstable();
            kind.dedup();
        }
        if part.iter().any(Vec::is_empty) {
            without += 1;
        } else if part.iter().all(|kind| kind.len() == 1) {
            *of_one.entry(part.concat().join("::")).or_default() += 1;
        }
    }
    let mut left = MOST;
    parts.iter().filter(|part| !part.iter().any(Vec::is_empty)).all(|part| {
        every(part, String::new(), &mut |combination| {
            left = left.saturating_sub(1);
            left > 0 && without + of_one.get(combination).copied().unwrap_or_default() == 1
        })
    })
}

/// Whether a condition holds for every combination of the texts, joined by `::`.
fn every(kinds: &[Vec<String>], before: String, holds: &mut impl FnMut(&str) -> bool) -> bool {
    let Some((kind, others)) = kinds.split_first() else { return holds(&before) };
    kind.iter().all(|text| {
        let before = match before.as_str() {
            "" => text.clone(),
            before => format!("{before}::{text}"),
        };
        every(others, before, holds)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(parts: &[&[&[&str]]]) -> bool {
        let kind = |kind: &&[&str]| kind.iter().map(|text| (*text).to_owned()).collect();
        once_each(parts.iter().map(|part| part.iter().map(kind).collect()).collect())
    }

    #[test]
    fn a_combination_occurs_once() {
        assert!(once(&[]));
        assert!(once(&[&[&["a"], &["x"]], &[&["a"], &["y"]], &[&["b"], &["x"]]]));
        assert!(!once(&[&[&["a"], &["x"]], &[&["b"], &["x"]], &[&["a"], &["x"]]]));
    }

    #[test]
    fn what_matters_is_the_text_put_together() {
        assert!(!once(&[&[&["a::b"], &["c"]], &[&["a"], &["b::c"]]]));
    }

    #[test]
    fn a_part_without_one_of_the_keys_counts_for_every_combination() {
        assert!(once(&[&[&["a"], &[]], &[&[], &["x"]]]));
        assert!(!once(&[&[&["a"], &["x"]], &[&["a"], &[]]]));
    }

    #[test]
    fn of_a_part_with_several_keys_no_combination_is_the_only_one() {
        assert!(once(&[&[&["a", "a"], &["x"]]]));
        assert!(!once(&[&[&["a", "b"], &["x"]]]));
        // The first part has two combinations. Each of them also occurs once in another part.
        assert!(once(&[&[&["a", "b"], &["x"]], &[&["a"], &["x"]], &[&["b"], &["x"]]]));
    }

    #[test]
    fn more_keys_than_can_be_combined_break_the_rule() {
        let many = || (0..1000).map(|n| n.to_string()).collect::<Vec<_>>();
        assert!(!once_each(vec![vec![many(), many(), many()], vec![Vec::new(); 3]]));
    }
}

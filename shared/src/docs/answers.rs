//! The recorded answers of operations. A test makes the requests and compares (`api/tests/examples.rs`).

use std::{collections::BTreeMap, sync::LazyLock};

/// By the id of the operation, an HTTP message.
static ANSWERS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let answers = include_str!("data/examples.txt").split(MARK).skip(1);
    answers.filter_map(|answer| answer.trim_end().split_once('\n')).collect()
});

/// Marks the beginning of an answer; the id of the operation follows.
pub(crate) const MARK: &str = "=== ";

/// The answer of an operation; empty if none was recorded.
pub(super) fn of(operation: &str) -> &'static str {
    ANSWERS.get(operation).copied().unwrap_or_default()
}

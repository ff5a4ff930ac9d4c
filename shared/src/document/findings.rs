//! Collects findings, up to a limit.

use super::place::Place;
use crate::error::{Finding, Severity};

/// Maximum number of findings in one answer. It keeps the answer to a body full of errors below the size limit of the
/// platform.
pub const MAX_FINDINGS: usize = 1_000;

/// The findings collected so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    errors: usize,
    dropped: usize,
}

impl Findings {
    /// Adds an error.
    pub(super) fn error(
        &mut self,
        place: Place<'_>,
        rule: &'static str,
        message: impl Into<String>,
    ) {
        self.errors += 1;
        self.push(|| Finding::error(place.pointer(), rule, message.into()));
    }

    /// Adds an error about a business term, if one is named.
    pub(super) fn term(
        &mut self,
        place: Place<'_>,
        rule: &'static str,
        term: &'static str,
        message: impl Into<String>,
    ) {
        self.errors += 1;
        self.push(|| {
            let finding = Finding::error(place.pointer(), rule, message.into());
            if term.is_empty() { finding } else { finding.term(term) }
        });
    }

    /// Adds an error about a value with the value that is expected instead.
    pub(super) fn unequal(
        &mut self,
        place: Place<'_>,
        rule: &'static str,
        term: &'static str,
        [given, expected]: [String; 2],
        message: impl Into<String>,
    ) {
        self.errors += 1;
        self.push(|| Finding {
            value: Some(given),
            expected: Some(expected),
            ..Finding::error(place.pointer(), rule, message.into()).term(term)
        });
    }

    /// Adds a warning about a business term.
    pub(super) fn warning(
        &mut self,
        place: Place<'_>,
        rule: &'static str,
        term: &'static str,
        message: impl Into<String>,
    ) {
        self.push(|| {
            let finding = Finding::warning(place.pointer(), rule, message.into());
            if term.is_empty() { finding } else { finding.term(term) }
        });
    }

    fn push(&mut self, finding: impl FnOnce() -> Finding) {
        if self.list.len() < MAX_FINDINGS {
            self.list.push(finding());
        } else {
            self.dropped += 1;
        }
    }

    /// Adds all findings of another list. Every error gets the same fix.
    pub(super) fn absorb(&mut self, of: Findings, fix: &'static str) {
        self.errors += of.errors;
        self.dropped += of.dropped;
        for mut finding in of.list {
            if finding.severity == Severity::Error {
                finding.fix = Some(fix.into());
            }
            self.keep(finding);
        }
    }

    /// Adds findings about the registered profile, which the body does not contain. They point to the field of the body
    /// that could replace the profile.
    pub(super) fn absorb_profile(&mut self, of: Findings, pointer: &str) {
        self.errors += of.errors;
        self.dropped += of.dropped;
        for mut finding in of.list {
            let field = finding.pointer.trim_start_matches('/').replace('/', ".");
            finding.message = format!("registered profile, {field}: {}", finding.message).into();
            finding.pointer = pointer.to_owned();
            self.keep(finding);
        }
    }

    fn keep(&mut self, finding: Finding) {
        if self.list.len() < MAX_FINDINGS {
            self.list.push(finding);
        } else {
            self.dropped += 1;
        }
    }

    /// Whether the limit is reached; further findings are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS
    }

    /// Whether an error was added.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the list, errors before warnings. The last finding says how many were dropped.
    pub(super) fn into_vec(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| finding.severity == Severity::Warning);
        if self.dropped > 0 {
            let message = format!("{} more findings are not listed", self.dropped);
            self.list.push(Finding::error("", "AP-JSON-more", message));
        }
        self.list
    }
}

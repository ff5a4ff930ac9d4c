//! An example in the form of a page, with the findings of the service.

use std::collections::BTreeSet;

use super::examples::{Change, EARLIER, Earlier, Example, Imported, Lines, Sort, pieces};
use crate::error::Finding;

/// An example on a page.
#[derive(Debug)]
pub(super) struct Shown {
    /// The name of the sample; empty for other texts.
    pub(super) sample: &'static str,
    /// The language, or the kind of text.
    pub(super) language: &'static str,
    /// The earlier send or import.
    pub(super) before: Option<Before>,
    /// Whether it is a circumstance in words.
    pub(super) is_in_words: bool,
    /// The faulty version.
    pub(super) faulty: String,
    /// Notes about the faulty version.
    pub(super) notes: Vec<String>,
    /// The heading of the corrected version.
    pub(super) then: &'static str,
    /// The correction, or the correct version.
    pub(super) fixed: String,
    /// The service's finding.
    pub(super) finding: Option<Finding>,
    /// Other rules that the example breaks.
    pub(super) also: Vec<String>,
}

/// The send or import before an example.
#[derive(Debug)]
pub(super) struct Before {
    /// In words.
    pub(super) words: String,
    /// The body; empty if the words are enough.
    pub(super) text: String,
}

impl Shown {
    /// An example of a rule.
    pub(super) fn of(example: &Example, rule: &str) -> Self {
        let found = example.faulty().unwrap_or_default();
        let also: BTreeSet<_> = found.iter().map(|finding| finding.rule.to_string()).collect();
        let mut shown = Shown::unchecked(example);
        shown.also = also.into_iter().filter(|other| other != rule).collect();
        let finding = found.into_iter().find(|finding| finding.rule == rule);
        shown.finding = finding.map(|finding| {
            let message = pieces::folded(&finding.message, &shown.faulty).into();
            Finding { message, ..finding }
        });
        shown
    }

    fn unchecked(example: &Example) -> Self {
        match example {
            Example::Json { earlier, sample, fault, times, note, fix } => {
                let often = format!("The change is made {times} times, one after the other.");
                let mut shown = Shown {
                    sample: sample.name(),
                    language: "JSON Patch",
                    before: earlier.as_ref().map(sent_before),
                    ..Shown::texts(patch(fault), patch(fix))
                };
                shown.notes.extend((*times > 1).then_some(often));
                shown.notes.extend(note.clone());
                shown
            }
            Example::Ubl { sample, changes, is_received } => {
                let text = |lines: fn(&Lines) -> &[String]| {
                    let parts = changes.iter().map(|change| match lines(change) {
                        [] => format!("(nothing at line {})", change.line),
                        lines => lines.join("\n"),
                    });
                    parts.collect::<Vec<_>>().join("\n…\n")
                };
                Shown {
                    sample: sample.name(),
                    language: if *is_received { "Received UBL" } else { "UBL" },
                    ..Shown::texts(text(|change| &change.wrong), text(|change| &change.right))
                }
            }
            Example::Other { sort, imported, faulty, fixed } => Shown {
                language: sort.name(),
                before: imported.as_ref().map(imported_before),
                then: match sort {
                    Sort::Status => "After a correction and another send, the status is:",
                    _ if imported.is_some() => "With its own number it does not break the rule:",
                    _ => Shown::HOW_TO_FIX,
                },
                ..Shown::texts(faulty.clone(), fixed.clone())
            },
            Example::Circumstance { faulty, fixed } => Shown {
                language: Sort::Circumstance.name(),
                is_in_words: true,
                then: "How to fix it:",
                ..Shown::texts(faulty.words.clone(), fixed.words.clone())
            },
        }
    }

    const HOW_TO_FIX: &'static str = "How to fix it:";

    /// The texts, with all other fields empty.
    fn texts(faulty: String, fixed: String) -> Self {
        let note = "⟦…⟧×1,000 means the text in the brackets, repeated a thousand times.";
        Shown {
            sample: "",
            language: "",
            before: None,
            is_in_words: false,
            notes: pieces::is_in(&faulty).then(|| note.to_owned()).into_iter().collect(),
            faulty,
            then: Self::HOW_TO_FIX,
            fixed,
            finding: None,
            also: Vec::new(),
        }
    }
}

/// A document that was sent before an example.
fn sent_before(Earlier { sample, changes, status }: &Earlier) -> Before {
    let (but, text) = match changes.as_slice() {
        [] => ("unchanged", String::new()),
        changes => ("with this change", patch(changes)),
    };
    let (sample, status) = (sample.name(), status.as_str());
    let words =
        format!("Before, the sample {sample} was sent as {EARLIER}, {but}. It is now {status}.");
    Before { words, text }
}

/// A document that was imported before an example.
fn imported_before(Imported { body, has_failed }: &Imported) -> Before {
    let failed = if *has_failed { ", was accepted, and failed to arrive" } else { "" };
    Before { words: format!("Before, this was imported{failed}:"), text: body.to_string() }
}

fn patch(changes: &[Change]) -> String {
    serde_json::to_string_pretty(changes).unwrap_or_default()
}

//! What the law requires to be said, by the kind of supply and the VAT categories.
//!
//! Articles are those of Federal Decree-Law 8 of 2017 on value added tax.

use std::collections::BTreeSet;

use super::{super::View, text::Label, writer::Writer};

/// The messages of the flags of BTAE-02, in the order of the flags.
const FLAGS: [&str; 8] = [
    "paper-legal-free-zone",
    "paper-legal-deemed",
    "paper-legal-margin",
    "paper-legal-summary",
    "paper-legal-continuous",
    "paper-legal-agent",
    "paper-legal-e-commerce",
    "paper-legal-export",
];

/// The messages of the VAT categories.
const CATEGORIES: [(&str, &str); 5] = [
    ("AE", "paper-legal-reverse-charge"),
    ("E", "paper-legal-exempt"),
    ("N", "paper-legal-margin"),
    ("O", "paper-legal-out-of-scope"),
    ("Z", "paper-legal-zero-rated"),
];

impl Writer {
    /// The statements of a document, each once.
    pub(super) fn statements(&self, view: &View) -> Vec<Label> {
        let mut messages = Vec::new();
        if matches!(view.document.text("IBT-003"), Some("389" | "261")) {
            messages.push("paper-legal-self-billed");
        }
        let flags = view.document.text("BTAE-02").unwrap_or_default();
        let set = flags.bytes().zip(FLAGS).filter(|(flag, _)| *flag == b'1');
        messages.extend(set.map(|(_, message)| message));
        let categories: BTreeSet<_> =
            ["IBT-151", "IBT-118"].into_iter().flat_map(|term| view.codes(term)).collect();
        let named = CATEGORIES.into_iter().filter(|(code, _)| categories.contains(code));
        messages.extend(named.map(|(_, message)| message));
        let mut said = BTreeSet::new();
        messages.retain(|message| said.insert(*message));
        messages.into_iter().map(|message| self.words(message)).collect()
    }
}

impl View {
    /// The values of a code of lines or of the VAT breakdown.
    fn codes<'a>(&'a self, term: &'a str) -> impl Iterator<Item = &'a str> {
        let blocks = self.lines.iter().chain(&self.breakdown);
        blocks.filter_map(move |block| block.text(term))
    }
}

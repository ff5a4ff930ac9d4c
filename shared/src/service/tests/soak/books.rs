//! What clients, the other access point and the tax authority know of each document.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::Document;
use crate::{peppol::mls, service::reply::Sent, testing::Taken, types::DocumentId};

/// The messages of each subject, by their identifiers.
#[derive(Default)]
pub(super) struct Messages<K>(pub(super) BTreeMap<K, BTreeSet<String>>);

impl<K: Ord> Messages<K> {
    /// Adds a message. Returns whether it is the first one with its identifiers.
    fn add(&mut self, subject: K, taken: &Taken) -> bool {
        let ids = format!("{} in {}", taken.instance_id, taken.message_id);
        self.0.entry(subject).or_default().insert(ids)
    }

    /// Removes a subject, and returns how many different messages are about it.
    pub(super) fn settle(&mut self, subject: &K) -> usize {
        self.0.remove(subject).map_or(0, |messages| messages.len())
    }
}

#[derive(Default)]
pub(super) struct Books {
    /// The documents that clients have an answer about.
    pub(super) answers: BTreeMap<usize, BTreeSet<DocumentId>>,
    /// The envelopes of the documents that another access point sent, by the number.
    pub(super) envelopes: BTreeMap<usize, String>,
    pub(super) documents: Messages<usize>,
    /// The statuses that we sent, by the envelope that they are about.
    pub(super) statuses: Messages<String>,
    pub(super) tax_reports: Messages<usize>,
    /// Messages that came again under the same identifiers, and replayed answers.
    pub(super) repeats: usize,
    /// What should not have happened.
    pub(super) strange: Vec<String>,
    messages: usize,
}

impl Books {
    pub(super) fn answered(&mut self, document: Document, sent: &Sent) {
        self.answers.entry(document.number).or_default().insert(sent.document_id.clone());
        self.repeats += usize::from(sent.replayed);
    }

    pub(super) fn has_answer(&self, document: Document) -> bool {
        self.answers.contains_key(&document.number)
    }

    pub(super) fn sent_to_us(&mut self, document: Document, envelope: &str) {
        self.envelopes.insert(document.number, envelope.to_owned());
    }

    /// The recipient's access point has a document. Returns whether the message is new.
    pub(super) fn at_recipient(&mut self, number: usize, taken: &Taken) -> bool {
        let is_new = self.documents.add(number, taken);
        self.note(is_new)
    }

    /// The authority has a report. Returns whether the message is new.
    pub(super) fn at_authority(&mut self, document: Document, taken: &Taken) -> bool {
        let is_new = self.tax_reports.add(document.number, taken);
        self.note(is_new)
    }

    /// The other access point has a status of ours.
    pub(super) fn status(&mut self, taken: &Taken) {
        let status = mls::read(taken.document().as_bytes()).unwrap();
        let is_new = self.statuses.add(status.ref_to.to_string(), taken);
        self.note(is_new);
    }

    fn note(&mut self, is_new: bool) -> bool {
        self.repeats += usize::from(!is_new);
        is_new
    }

    pub(super) fn strange(&mut self, what: String) {
        self.strange.push(what);
    }

    /// The number of the next message of the others.
    pub(super) fn next_message(&mut self) -> usize {
        self.messages += 1;
        self.messages
    }
}

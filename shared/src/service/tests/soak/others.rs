//! The other access point and the tax authority: they send documents, statuses and verdicts, some of them twice.

use jiff::SignedDuration;

use super::{
    agenda::Task,
    day::Day,
    plan::{Document, Kind},
};
use crate::{
    peppol::{
        identifiers::Spid,
        mls::{self, Acceptance, Reason, Status, Text, Verdict},
    },
    service::later,
    testing::{Arrival, Parcel, Taken},
};

/// The longest time until a status or a verdict.
const DECIDED: SignedDuration = SignedDuration::from_mins(30);
/// The longest time until a message is sent again.
const AGAIN: SignedDuration = SignedDuration::from_mins(10);
/// One of so many messages is sent twice.
const TWICE: u64 = 20;

fn rejected() -> Verdict {
    let said = Text::new("It is rejected.").unwrap();
    let finding = (None::<&str>, Reason::Rule, "It lacks something.");
    Verdict::Rejected(mls::reject(said, [finding]).unwrap())
}

fn verdict(is_rejected: bool) -> Verdict {
    if is_rejected { rejected() } else { Verdict::Accepted(Acceptance::default()) }
}

impl Day {
    /// Another access point sends a document.
    pub(super) fn send_to_us(&mut self, document: Document) {
        let mut parcel = Parcel::invoice(&document.name());
        if document.kind == (Kind::Received { is_valid: false }) {
            parcel.break_rules();
        }
        self.books.sent_to_us(document, &parcel.instance_id);
        self.post(SignedDuration::from_secs(1), parcel);
    }

    /// Sends a message to us within a time, perhaps twice.
    fn post(&mut self, within: SignedDuration, parcel: Parcel) {
        let now = self.now();
        if self.chaos.one_in(TWICE) {
            let again = later(now, self.chaos.within(within + AGAIN));
            self.agenda.put(again, Task::Parcel(Box::new(parcel.clone())));
            self.counts.redeliveries += 1;
        }
        self.agenda.put(later(now, self.chaos.within(within)), Task::Parcel(Box::new(parcel)));
    }

    /// A message reaches us. Its sender sends it again until it has the receipt.
    pub(super) async fn arrive(&mut self, parcel: Box<Parcel>) {
        let packed = parcel.pack();
        match self.perform(async |it| packed.arrive(&it.receiving).await).await {
            Some(Arrival::Receipt) => {}
            Some(Arrival::Error(code, detail)) => {
                self.books.strange(format!("{}: refused: {code} {detail}", parcel.instance_id));
            }
            Some(Arrival::Unavailable) | None => {
                let again = later(self.now(), self.chaos.within(AGAIN));
                self.agenda.put(again, Task::Parcel(parcel));
            }
        }
    }

    /// Notes what the others got from us. They react to each message once.
    pub(super) fn note_taken(&mut self) {
        for taken in self.network.drain_taken() {
            match taken.number("S-") {
                Some(number) => self.note_document(number, &taken),
                None => self.books.status(&taken),
            }
        }
        for taken in self.authority.drain_taken() {
            self.note_tax_report(&taken);
        }
    }

    fn note_document(&mut self, number: usize, taken: &Taken) {
        if !self.books.at_recipient(number, taken) {
            return;
        }
        let name = format!("M-{}", self.books.next_message());
        let document = mls::write(&Status {
            id: Text::new(&name).unwrap(),
            issued_at: self.now(),
            sender: Spid::new("000002").unwrap(),
            receiver: Spid::new("000001").unwrap(),
            ref_to: taken.instance_id.parse().unwrap(),
            verdict: verdict(self.documents[number].is_rejected()),
        });
        let parcel = Parcel {
            message_id: format!("{name}@their.test"),
            instance_id: format!("{name}-of-their-provider"),
            ..Parcel::status(&document)
        };
        self.post(DECIDED, parcel);
    }

    fn note_tax_report(&mut self, taken: &Taken) {
        let number = taken.number("S-").or_else(|| taken.number("R-")).unwrap();
        let document = self.documents[number];
        if !self.books.at_authority(document, taken) {
            return;
        }
        let name = format!("V-{}", self.books.next_message());
        let ref_to = taken.instance_id.parse().unwrap();
        let parcel = Parcel::verdict(&name, &ref_to, verdict(document.is_not_compliant()));
        self.post(DECIDED, parcel);
    }
}

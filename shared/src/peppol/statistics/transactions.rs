//! The Transaction Statistics Report: how many messages were exchanged with each provider.

use super::{
    Country, Month,
    groups::{Groups, country, document_type, process, provider},
    write::{Key, Report},
};
use crate::peppol::identifiers::{DocumentType, Process, SeatId, TRANSPORT_PROFILE};

/// Root, namespace and specification of the report (SCH-TSR-01).
const REPORT: (&str, &str, &str) = (
    "TransactionStatisticsReport",
    "urn:fdc:peppol:transaction-statistics-report:1.0",
    "urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0",
);

/// A month of exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transactions {
    /// The month.
    pub month: Month,
    /// The reporting provider.
    pub reporter: SeatId,
    /// The exchanges.
    pub exchanges: Vec<Exchanges>,
}

/// Exchanges of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanges {
    /// The other provider.
    pub provider: SeatId,
    /// The document type.
    pub document_type: DocumentType,
    /// The process.
    pub process: Process,
    /// The direction.
    pub direction: Direction,
    /// The number of messages.
    pub count: u64,
}

/// The direction of a message. Only the receiving provider reports the countries, because the sending one cannot know
/// the receiver's country (SCH-TSR-43).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Direction {
    /// To the other provider.
    Outgoing,
    /// From the other provider.
    Incoming {
        /// The country of the sender, if its code is known.
        sender: Option<Country>,
        /// The country of the receiver.
        receiver: Country,
    },
}

/// The number of received and sent messages.
#[derive(Default)]
struct Count {
    incoming: u128,
    outgoing: u128,
}

impl Count {
    fn add(&mut self, exchanges: &Exchanges) {
        let count = u128::from(exchanges.count);
        match exchanges.direction {
            Direction::Outgoing => self.outgoing += count,
            Direction::Incoming { .. } => self.incoming += count,
        }
    }

    fn numbers(&self) -> [(&'static str, u128); 2] {
        [("Incoming", self.incoming), ("Outgoing", self.outgoing)]
    }
}

impl Transactions {
    /// Writes the report. The elements are in the order of the schema, subtotals in the order of their keys; empty
    /// subtotals are omitted.
    pub fn write(&self) -> Vec<u8> {
        let (mut total, mut by_provider) = (Count::default(), Groups::<Count>::new());
        let mut by_countries = Groups::<Count>::new();
        for exchanges in self.exchanges.iter().filter(|exchanges| exchanges.count > 0) {
            let keys = || {
                vec![
                    provider(&exchanges.provider),
                    document_type(&exchanges.document_type),
                    process(&exchanges.process),
                ]
            };
            total.add(exchanges);
            by_provider.of(keys()).add(exchanges);
            if let Direction::Incoming { sender, receiver } = &exchanges.direction {
                let mut keys = keys();
                keys.push(country("SenderCountry", sender.as_ref()));
                keys.push(country("ReceiverCountry", Some(receiver)));
                by_countries.of(keys).add(exchanges);
            }
        }
        let mut out = Report::new(REPORT, self.month, &self.reporter);
        out.part(("Total", None), &[], &total.numbers());
        if total.incoming + total.outgoing > 0 {
            let protocol = Key {
                meta: "TP",
                scheme: "Peppol".to_owned(),
                value: TRANSPORT_PROFILE.to_owned(),
            };
            out.part(("Subtotal", Some("PerTP")), &[protocol], &total.numbers());
        }
        for (kind, groups) in [("PerSP-DT-PR", &by_provider), ("PerSP-DT-PR-CC", &by_countries)] {
            for (keys, count) in groups.iter() {
                out.part(("Subtotal", Some(kind)), keys, &count.numbers());
            }
        }
        out.finish()
    }
}

//! Keys of what is exchanged with other access points: lookups, messages, MLS and their figures.

use super::{Key, TRANSMISSION, shard_of};
use crate::{
    peppol::{
        identifiers::SeatId,
        statistics::{Kind, Month},
    },
    store::{CountedExchange, EnvelopeHash, PeppolReportId},
    types::{DocumentId, MessageId, Mode, sha256_hex},
};

/// The number of partitions over which the outbound MLS of one day are spread. One costs 5 writes: created, decided,
/// leased, ended.
pub const ANSWER_SHARDS: u8 = 16;

/// The number of partitions over which the exchange counts of a month are spread. One exchange costs a write.
/// Simultaneous exchanges of one kind in one shard wait for each other.
pub const EXCHANGE_SHARDS: u8 = 32;

/// Sort key of a message of another access point.
pub const MESSAGE: &str = "MESSAGE";

/// Prefix of the sort keys of exchange counts.
pub const EXCHANGE: &str = "EXCHANGE#";

/// Prefix of the sort keys of status messages.
pub const STATUS: &str = "STATUS#";

/// The partition of one shard of the outbound MLS of a day.
pub(in crate::store) fn mls_outbound_partition(mode: Mode, day: &str, shard: u8) -> String {
    format!("{}#ANSWER#{day}#{shard}", mode.key())
}

/// The partition of the status messages about an envelope.
pub(in crate::store) fn status_messages(mode: Mode, about: &EnvelopeHash) -> String {
    format!("{}#STATUS#{about}", mode.key())
}

/// The partition of one shard of the exchange counts of a month.
pub(in crate::store) fn exchanges(month: Month, shard: u8) -> String {
    format!("{}#EXCHANGES#{month}#{shard}", Mode::Live.key())
}

/// The partition of the reports on a month.
pub(in crate::store) fn peppol_reports(month: Month) -> String {
    format!("{}#MONTHLY#{month}", Mode::Live.key())
}

/// Prefix of the sort keys of a kind of report.
pub(in crate::store) fn peppol_report_prefix(kind: Kind) -> String {
    format!("{kind}#")
}

/// Prefix of the sort keys of what the last sweeps saw.
pub const LAST_SWEEP: &str = "LAST";

/// The partition of what the last sweeps of a mode saw.
pub fn sweeps(mode: Mode) -> String {
    format!("{}#SWEEP", mode.key())
}

impl Key {
    /// The result of a network lookup. The question is hashed, because identifiers may be long.
    pub fn lookup(mode: Mode, question: &str) -> Self {
        Key::new(format!("{}#LOOKUP#{}", mode.key(), sha256_hex(question.as_bytes())), "LOOKUP")
    }

    /// The execution that looks up a question (hashed as above). Other executions with the same question wait for it.
    pub fn asking(mode: Mode, question: &str) -> Self {
        Key { sk: "ASKING".to_owned(), ..Key::lookup(mode, question) }
    }

    /// The circuit breaker of the access point at an address.
    pub fn receiver_breaker(mode: Mode, address: &str) -> Self {
        Key::new(format!("{}#RECEIVER#{}", mode.key(), sha256_hex(address.as_bytes())), "GATE")
    }

    /// The document that a transmitted message carries.
    pub fn message(mode: Mode, id: &MessageId) -> Self {
        Key::new(format!("{}#MESSAGE#{id}", mode.key()), "OUTBOUND")
    }

    /// A message of another access point.
    pub fn inbound(mode: Mode, envelope: &EnvelopeHash) -> Self {
        Key::new(format!("{}#INBOUND#{envelope}", mode.key()), MESSAGE)
    }

    /// The first message of a seat with an eb:MessageId. Seat ids contain no space.
    pub fn as4_message_id(mode: Mode, sender: &SeatId, message_id: &str) -> Self {
        let hash = sha256_hex(format!("{sender} {message_id}").as_bytes());
        Key::new(format!("{}#INBOUND#{hash}", mode.key()), "AS4")
    }

    /// A status message about an envelope.
    pub fn status_message(mode: Mode, about: &EnvelopeHash, own: &EnvelopeHash) -> Self {
        Key::new(status_messages(mode, about), format!("{STATUS}{own}"))
    }

    /// The outbound MLS for a document. The document's identifier tells the day (in UTC) of its receipt, which is the
    /// partition: figures are counted by day.
    pub fn mls_outbound(mode: Mode, id: &DocumentId) -> Self {
        let day = id.made_at().map_or("0".to_owned(), |made| made.strftime("%F").to_string());
        Key::new(
            mls_outbound_partition(mode, &day, shard_of(id.as_str(), ANSWER_SHARDS)),
            id.to_string(),
        )
    }

    /// The transmission of an outbound MLS.
    pub fn mls_transmission(mode: Mode, id: &DocumentId) -> Self {
        Key::new(format!("{}#ANSWER#{id}", mode.key()), TRANSMISSION)
    }

    /// The count that an exchange belongs to. Live only.
    pub fn exchange(CountedExchange { instance_id, at, kind }: &CountedExchange) -> Self {
        let shard = shard_of(instance_id.as_str(), EXCHANGE_SHARDS);
        // None of these fields contains a line break.
        let distinguishing = [
            kind.direction.as_str(),
            kind.provider.as_str(),
            &kind.document_type.to_string(),
            &kind.process.to_string(),
            kind.sender_country.as_deref().unwrap_or_default(),
            kind.end_user.as_deref().unwrap_or_default(),
        ];
        let hash = sha256_hex(distinguishing.join("\n").as_bytes());
        Key::new(exchanges(Month::of(*at), shard), format!("{EXCHANGE}{hash}"))
    }

    /// What the last sweep of a part of a mode's index saw.
    pub fn last_sweep(mode: Mode, part: u8) -> Self {
        let sort = if part == 0 { LAST_SWEEP.to_owned() } else { format!("{LAST_SWEEP}#{part}") };
        Key::new(sweeps(mode), sort)
    }

    /// The end of the service's certificates. Live only.
    pub fn certificate_end() -> Self {
        Key::new("LIVE#CERTIFICATE".to_owned(), "END")
    }

    /// An OpenPeppol report. Live only.
    pub fn peppol_report(PeppolReportId { month, kind, number }: &PeppolReportId) -> Self {
        Key::new(peppol_reports(*month), format!("{}{number:05}", peppol_report_prefix(*kind)))
    }

    /// The transmission of an OpenPeppol report.
    pub fn peppol_report_transmission(id: &PeppolReportId) -> Self {
        let Key { pk, sk } = Key::peppol_report(id);
        Key::new(format!("{pk}#{sk}"), TRANSMISSION)
    }
}

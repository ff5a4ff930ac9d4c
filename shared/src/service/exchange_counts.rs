//! Counts exchanges with other access points, and makes the reports about them: Transaction Statistics and End User
//! Statistics (OpenPeppol Internal Regulations 4.3 and 4.4).
//!
//! An exchange counts when it has a receipt. An outbound exchange is counted in the transaction that records the
//! receipt. An inbound one is counted in the transaction that stores the confirmed message. Documents, statuses and Tax
//! Data Documents count, in both directions. Failed and unconfirmed messages never count. Nor do these reports
//! themselves. Exchanges exist only in Live.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::{
    peppol::{
        identifiers::{SeatId, Spid},
        sbdh::{CountryCode, Header},
        statistics::{
            self, Country, EndUser, EndUsers, Exchanges, Kind, Month, Role, Transactions,
        },
    },
    store::{
        CountedExchange, Direction, ExchangeKind, Store, StoreError, TransmissionRecord,
        keys::EXCHANGE_SHARDS,
    },
    types::ParticipantId,
};

/// An exchange that was sent to an access point and got its receipt. `None` when the transmission does not name the
/// access point.
pub(super) fn sent(
    header: &Header,
    transmission: &TransmissionRecord,
    at: Timestamp,
) -> Option<CountedExchange> {
    let provider = transmission.attempts.last()?.receiver.as_ref()?.parse().ok()?;
    Some(exchange(header, provider, Direction::Outbound, at))
}

/// An exchange that was received from an access point.
pub(super) fn received(header: &Header, sender: &SeatId, at: Timestamp) -> CountedExchange {
    exchange(header, sender.clone(), Direction::Inbound, at)
}

fn exchange(
    header: &Header,
    provider: SeatId,
    direction: Direction,
    at: Timestamp,
) -> CountedExchange {
    let (ours, sender_country) = match direction {
        Direction::Outbound => (&header.sender, None),
        Direction::Inbound => (&header.receiver, Some(header.country_c1.as_str().to_owned())),
    };
    let kind = ExchangeKind {
        provider,
        document_type: header.document.document_type().clone(),
        process: header.process.clone(),
        direction,
        sender_country,
        end_user: end_user(ours),
    };
    CountedExchange { instance_id: header.instance_id.clone(), at, kind }
}

/// The end user behind a participant. `None` for a provider, such as the sender of a status. A TIN and a TRN that
/// begins with it are one business.
fn end_user(participant: &ParticipantId) -> Option<String> {
    let value = participant.tin().unwrap_or(participant.value());
    (participant.scheme() != Spid::SCHEME).then(|| format!("{}:{value}", participant.scheme()))
}

/// Both reports for a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reports {
    /// The counts of messages by access point.
    pub transactions: Transactions,
    /// The counts of businesses.
    pub end_users: EndUsers,
}

impl Reports {
    /// The XML of one report.
    pub fn write(&self, kind: Kind) -> Vec<u8> {
        match kind {
            Kind::Transactions => self.transactions.write(),
            Kind::EndUsers => self.end_users.write(),
        }
    }
}

/// The reports of a provider for a month, from the counts so far.
pub async fn reports(store: &Store, reporter: SeatId, month: Month) -> Result<Reports, StoreError> {
    let mut counts: HashMap<ExchangeKind, u64> = HashMap::new();
    for shard in 0..EXCHANGE_SHARDS {
        for counted in store.list_exchanges(month, shard).await? {
            *counts.entry(counted.kind).or_default() += counted.exchanges;
        }
    }
    let exchanges = counts.iter().map(|(kind, count)| exchanges_of(kind, *count)).collect();
    let users = counts.keys().filter_map(user_of).collect();
    Ok(Reports {
        transactions: Transactions { month, reporter: reporter.clone(), exchanges },
        end_users: EndUsers { month, reporter, users },
    })
}

fn exchanges_of(kind: &ExchangeKind, count: u64) -> Exchanges {
    let direction = match kind.direction {
        Direction::Outbound => statistics::Direction::Outgoing,
        Direction::Inbound => statistics::Direction::Incoming {
            sender: kind.sender_country.as_deref().and_then(country),
            // Every business that is registered here is a taxpayer of the UAE.
            receiver: Country::UAE,
        },
    };
    Exchanges {
        provider: kind.provider.clone(),
        document_type: kind.document_type.clone(),
        process: kind.process.clone(),
        direction,
        count,
    }
}

fn country(code: &str) -> Option<Country> {
    CountryCode::new(code).ok().and_then(Country::new)
}

fn user_of(kind: &ExchangeKind) -> Option<EndUser> {
    let role = match kind.direction {
        Direction::Outbound => Role::Sending,
        Direction::Inbound => Role::Receiving,
    };
    Some(EndUser {
        id: kind.end_user.clone()?,
        country: Country::UAE,
        document_type: kind.document_type.clone(),
        process: kind.process.clone(),
        role,
    })
}

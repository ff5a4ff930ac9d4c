//! What was exchanged with other access points, and the reports that are made of it: Transaction Statistics and End
//! User Statistics (OpenPeppol Internal Regulations 4.3 and 4.4).
//!
//! An exchange is one that was answered with a receipt: on the way out it counts in the transaction that writes the
//! receipt down, on the way in where what is confirmed then is stored. What it carries makes no difference: documents,
//! statuses and Tax Data Documents count, both ways. What failed, or may have, never counts; nor do these reports
//! themselves, which are no documents of this service. There are exchanges in Live alone.

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

/// What was sent to an access point that gave its receipt; none when the transmission does not name it.
pub(super) fn sent(
    header: &Header,
    transmission: &TransmissionRecord,
    at: Timestamp,
) -> Option<CountedExchange> {
    let provider = transmission.attempts.last()?.receiver.as_ref()?.parse().ok()?;
    Some(exchange(header, provider, Direction::Outbound, at))
}

/// What came from an access point.
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

/// The business behind a participant; none when that is a provider, such as the sender of a status. A TIN and a TRN
/// that begins with it are one business.
fn end_user(participant: &ParticipantId) -> Option<String> {
    let value = participant.tin().unwrap_or(participant.value());
    (participant.scheme() != Spid::SCHEME).then(|| format!("{}:{value}", participant.scheme()))
}

/// Both reports on a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reports {
    /// How many messages were exchanged with whom.
    pub transactions: Transactions,
    /// How many businesses took part.
    pub end_users: EndUsers,
}

impl Reports {
    /// One of them, as it is sent.
    pub fn write(&self, kind: Kind) -> Vec<u8> {
        match kind {
            Kind::Transactions => self.transactions.write(),
            Kind::EndUsers => self.end_users.write(),
        }
    }
}

/// The reports of a provider on a month, from what was counted so far.
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
            // Whoever is registered here is a taxpayer of the UAE.
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

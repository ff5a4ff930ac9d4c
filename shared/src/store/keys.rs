//! Every key of the table, in one place.
//!
//! One table. The partition key `pk` always begins with the mode and then the owner, so that a
//! read without both cannot be written: a [`Key`] has no constructor that takes less.
//!
//! | item | pk | sk | attributes | read by |
//! |---|---|---|---|---|
//! | taxpayer | `<MODE>#TAXPAYER#<txpay_…>` | `PROFILE` | [`Taxpayer`](crate::access::Taxpayer) | every request |
//! | access | taxpayer's `#GRANTS` | `ACCESS` | a [`Grant`](crate::access::Grant) for each active one, named by its id; `version`; `used` and `used_for`, when each last was and for what | every request, relay, deliver |
//! | grant | taxpayer's `#GRANTS` | `GRANT#<tgr_…>` | [`Grant`](crate::access::Grant), in any state | history |
//! | settings | taxpayer's `#SETTINGS` | `SETTINGS` | [`TaxpayerSettings`](super::TaxpayerSettings) | taxpayer, sends (Live) |
//! | document | taxpayer's `#DOCUMENT#<doc_…>` | `DOCUMENT` | [`DocumentRecord`](super::DocumentRecord), marks | documents, stages, relay, sweep |
//! | filing | taxpayer's `#FILING#<rep_…>` (Live) | `FILING` | [`TaxReportRecord`](super::TaxReportRecord), marks | reports, stages, relay, sweep, report |
//! | way of a filing | filing's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | pointer to a filing | taxpayer's `#FILINGS#<list>#<shard>` (Live) | `<rep_…>` | what filters need | reports |
//! | pace | `LIVE#PACE` | `FILINGS` | when the next filing may be sent | report |
//! | transmission | document's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | dispatch, attempts |
//! | lookup | `<MODE>#LOOKUP#<SHA-256>` | `LOOKUP` | what the network said of a recipient, `ttl` | sends (Live) |
//! | first use | taxpayer's `#FIRST#NUMBER#<operation>#<SHA-256>`, `#FIRST#UUID#<uuid>` | `CLAIM` | the document that first used it | submit |
//! | idempotency | taxpayer's `#IDEMPOTENCY#<SHA-256 of key>` | `IDEMPOTENCY` | [`IdempotencyRecord`](super::IdempotencyRecord) | submit |
//! | event | taxpayer's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), marks, `ttl` | relay, sweep, deliver |
//! | pointer | taxpayer's `#LIST#<index>#<shard>` | `<doc_…>`, or `<issue date>#<doc_…>` | what filters need | documents |
//! | pointer to a credit note | taxpayer's `#LIST#CREDITED#<doc_…>` of the invoice | `<doc_…>` | its id | sends of credit notes |
//! | message | `<MODE>#MESSAGE#<SBDH instance id>` | `OUTBOUND` | whose document it carries, or a report about which | status messages |
//! | inbound message | `<MODE>#INBOUND#<SHA-256 of SBDH instance id>` | `MESSAGE` | [`MessageRecord`](super::MessageRecord), marks | receive, relay, sweep, judge |
//! | message id | `<MODE>#INBOUND#<SHA-256 of seat and eb:MessageId>` | `AS4` | which inbound message first had it | receive |
//! | status message | `<MODE>#STATUS#<SHA-256 of the SBDH instance id that it is about>` | `STATUS#<SHA-256 of its own>` | [`StatusRecord`](super::StatusRecord) | who operates the service |
//! | MLS that we owe | `<MODE>#ANSWER#<day>#<shard>` | `<doc_…>` | [`MlsOutboundRecord`](super::MlsOutboundRecord), marks | judge, deliver, relay, sweep, answer |
//! | transmission of an MLS | `<MODE>#ANSWER#<doc_…>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | MLS that we owe |
//! | exchanges | `LIVE#EXCHANGES#<month>#<shard>` | `EXCHANGE#<SHA-256 of what tells them apart>` | [`ExchangeCount`](super::ExchangeCount) | reports to OpenPeppol |
//! | monthly report | `LIVE#MONTHLY#<month>` | `<kind>#<number>` | [`PeppolReportRecord`](super::PeppolReportRecord), marks | relay, sweep, report |
//! | way of a monthly report | `LIVE#MONTHLY#<month>#<kind>#<number>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | usage | `LIVE#USAGE#<day>#<shard>` | `<doc_…>` | [`UsageRecord`], `ttl` | its export |
//! | export of usage | `LIVE#USAGE` | `EXPORTED` | up to which day | its export |
//! | organization | `<MODE>#ORGANIZATION#<org_…>` | `PROFILE` | [`Organization`](crate::access::Organization) | portal |
//! | subscription | organization's `#SUBSCRIPTION` (Live) | `SUBSCRIPTION` | [`Subscription`](super::Subscription) | submit, consent |
//! | seats | organization's `#SEATS` (Live) | `SEATS` | how many are in use | consent |
//! | billing event | `LIVE#BILLING#<SHA-256 of webhook-id>` | `EVENT` | that it was taken, `ttl` | billing |
//! | subscriber | `LIVE#SUBSCRIBERS#<shard>` | `ORGANIZATION#<org_…>` | that the provider said something of its subscription | reconcile |
//! | quota | organization's `#QUOTA` (Sandbox) | `QUOTA` | [`Quota`](super::Quota) | sends (Sandbox) |
//! | grant mirror | organization's `#GRANTS` | `GRANT#<tgr_…>` | [`Grant`](crate::access::Grant), in any state | grants list |
//! | connection | organization's `#GRANTS` | `CONNECTION#<txpay_…>` | [`Connection`](crate::access::Connection) | consent, revoking, taxpayers list |
//! | endpoint | organization's `#ENDPOINTS` | `ENDPOINT#<we_…>` | [`EndpointRecord`](super::EndpointRecord) | hooks, relay, deliver |
//! | deleted endpoint | organization's `#ENDPOINTS` | `DELETED#<we_…>` | [`DeletedEndpoint`](super::DeletedEndpoint), `ttl` | hooks |
//! | additions of endpoints | organization's `#ENDPOINTS` | `ADDITIONS` | [`Additions`](super::Additions) | hooks, overview |
//! | pointer to an event | organization's `#EVENTS#<shard>` | `<evt_…>#<txpay_…>`; of a test `<evt_…>#` | [`EventPointer`], `ttl` | hooks |
//! | daily counts | organization's `#TALLY#<counter>` | `TALLY#<Monday>` | how many documents of a day of the week came to what ([`DailyCounts`](super::DailyCounts)), `ttl` | overview |
//! | failure | organization's `#FAILURES` | `FAILURE#<evt_…>` | [`FailedDocument`](super::FailedDocument), `ttl` | overview |
//! | what is awaited | organization's `#AWAITED` | `AWAITED#<instant>#<doc_…>#<what>` | [`AwaitedOf`](super::AwaitedOf), `ttl` | overview |
//! | event about a document | organization's `#EVENTS#<doc_…>` | `TOLD#<evt_…>` | [`EventOfDocument`](super::EventOfDocument), `ttl` | portal |
//! | test event | organization's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), `ttl` | hooks, deliver |
//! | attempt | organization's `#ATTEMPTS#<we_…>#<evt_…>` | `ATTEMPT#<number>` | [`AttemptRecord`], `ttl` | hooks |
//! | delivery | organization's `#DELIVERY#<we_…>#<evt_…>` | `DELIVERY` | [`DeliveryRecord`](super::DeliveryRecord), marks, `ttl` | deliver, sweep |
//! | pointer to a delivery | organization's `#DELIVERIES#<we_…>#<list>#<shard>` | `POINTER#<evt_…>` | `ttl` | hooks |
//! | breaker | organization's `#GATE#<we_…>` | `GATE` | [`breakers`](super::breakers) | deliver |
//! | pointer to an API key | organization's `#KEYS` | `KEY#<key_…>` | the key's hash | who lists and revokes keys |
//! | audit trail | organization's or taxpayer's `#AUDIT` | `<aud_…>` | [`AuditRecord`](crate::access::AuditRecord) | audit events |
//! | API key | `<MODE>#APIKEY#<SHA-256 of key>` | `KEY` | [`ApiKey`](crate::access::ApiKey) | every request |
//! | OAuth client | `<MODE>#CLIENT#<client_…>` | `CLIENT` | [`OAuthClient`](crate::access::oauth::OAuthClient) | oauth |
//! | pointer to a client | organization's `#CLIENTS` | `CLIENT#<client_…>` | its name | operators |
//! | authorization request | `<MODE>#AUTHORIZATION#<SHA-256 of handle>` | `REQUEST` | [`AuthorizationRequest`](crate::access::oauth::AuthorizationRequest), `ttl` | oauth |
//! | authorization code | `<MODE>#CODE#<SHA-256 of code>` | `CODE` | [`AuthorizationCode`](crate::access::oauth::AuthorizationCode), `ttl` | oauth |
//! | access token | `<MODE>#TOKEN#<SHA-256 of token>` | `ACCESS` | [`AccessToken`](crate::access::oauth::AccessToken), `ttl` | every request |
//! | refresh token | `<MODE>#TOKEN#<SHA-256 of token>` | `REFRESH` | [`RefreshToken`](crate::access::oauth::RefreshToken), `ttl` | oauth |
//! | family of tokens | taxpayer's `#TOKENS#<fam_…>` | `FAMILY` | [`TokenFamily`](crate::access::oauth::TokenFamily), `ttl` | every request |
//! | registration | taxpayer's `#REGISTRATION#<register>` | `REGISTRATION` | [`RegistrationRecord`](super::RegistrationRecord), marks | register, inbound, smp |
//! | business card | taxpayer's `#CARD` | `CARD` | [`BusinessCardRecord`](super::BusinessCardRecord) | smp |
//! | application | `<MODE>#APPLICATION#<apl_…>` | `APPLICATION` | [`ApplicationRecord`](super::ApplicationRecord), marks, `ttl` | onboarding, mail, relay, sweep, register |
//! | changes at the national portal | `LIVE#PORTAL` | `CHANGES` | [`PortalCursor`](super::PortalCursor) | register |
//! | archive | taxpayer's `#ARCHIVES` | `<arc_…>` | [`ArchiveRecord`](super::ArchiveRecord), marks, `ttl` | archives, relay, sweep |
//! | archive of a period | taxpayer's `#ARCHIVES` | `PERIOD#<from>#<to>` | [`ArchiveOfPeriod`](super::ArchiveOfPeriod), `ttl` | who asks for one |
//! | import | organization's `#IMPORTS#<txpay_…>` | `<imp_…>` | [`ImportRecord`](super::ImportRecord), marks, `ttl` | imports, relay, sweep |
//! | import of a file | organization's `#IMPORTS#<txpay_…>` | `FILE#<operation>#<SHA-256 of file>` | [`ImportOfFile`](super::ImportOfFile), `ttl` | who asks for one |
//! | mail | `<MODE>#MAIL#<mail_…>` | `MAIL` | [`MailRecord`](super::MailRecord), marks, `ttl` | relay, sweep, mail |
//! | link | `<MODE>#LINK#<SHA-256 of its token>` | `LINK` | [`LinkRecord`](super::LinkRecord), `ttl` | signing in |
//! | use of a link | `<MODE>#SIGNIN#<mail_…>` | `USED` | [`LinkUse`](super::LinkUse), `ttl` | signing in |
//! | member | organization's `#MEMBERS` | `MEMBER#<mbr_…>` | [`Member`](crate::access::Member) | every page of an organization, signing in |
//! | members | organization's `#MEMBERS` | `COUNT` | how many there are, and owners among them | who invites and removes members |
//! | membership | `<MODE>#MEMBERSHIP#<SHA-256 of address>` | `ORGANIZATION#<org_…>` | which member it is there | signing in, mail |
//! | session | `<MODE>#SESSION#<SHA-256 of its token>` | `SESSION` | [`SessionRecord`](super::SessionRecord), `ttl` | every page |
//! | sessions | taxpayer's `#SESSIONS`, organization's `#SESSIONS#<mbr_…>` | `SESSIONS` | [`SessionsRecord`](super::SessionsRecord) | every page |
//! | session pointer | beside it | `OPEN#<SHA-256 of its token>` | [`SessionPointer`](super::SessionPointer), `ttl` | account page |
//! | address | `<MODE>#EMAIL#<SHA-256 of address>` | `TAXPAYER#<txpay_…>` | which taxpayer is registered with it | signing in, mail |
//! | rate | `<MODE>#RATE#<what>#<SHA-256 of whom>#<window>` | `RATE` | how often it was done, `ttl` | [`rates`](super::Rate) |
//! | participant | `<MODE>#PARTICIPANT#0235:<TIN>` | `TAXPAYER` | [`Recipient`](super::Recipient) | sends to it |
//!
//! Free texts of callers (source ids, numbers, idempotency keys) are hashed in keys: they may hold
//! any character and be longer than a key may be.
//!
//! # Marks
//!
//! The index `due` (`due_pk`, `due_at`; keys alone) holds what must go on its way: `due_pk` is
//! `<MODE>#DUE#<shard>`, `due_at` the instant from which the sweeper may take the item up. An item
//! with the attribute `relay` waits for the stream's relay as well; the stream is filtered on it.
//! `ttl` (seconds since 1970) is when DynamoDB removes an item: a delivery
//! [`DELIVERY_KEPT`](super::DELIVERY_KEPT) after it ended, an event
//! [`EVENT_KEPT`](super::EVENT_KEPT) after it was relayed. Documents, their pointers and
//! idempotency records never have it.
//!
//! What was given up stands in the same index under `<MODE>#PARKED#<shard>`, with the instant of
//! that. All attributes of what waits are in `relaying.rs`.
//!
//! **A new kind that waits** is a variant of [`JobId`] with its key, and an arm in
//! `service::relay`, which says where it goes. Sweeper, counting of tries, parking and redrive know
//! no kinds.
//!
//! **What is learned of a document apart from its stages** (a transmission) is an item of its own
//! beside it in the document's partition: a stage updates its own attributes of the document, and never
//! the whole of it. So does the status message that ends its way.
//!
//! **Filings are Live's alone**: no function here makes a key of theirs of a mode. Each has a pointer among all, one
//! among those that are open until it has an outcome, and one more where few have that outcome (not compliant, failed).
//!
//! # Heat
//!
//! All items of one `pk` share 1,000 write units a second (1 KB each, twice that in a transaction)
//! and 3,000 read units (4 KB each). Whatever a send writes therefore has a partition of its own
//! (document, idempotency record, event, delivery), or lies in one of several shards (pointers, the index). What many sends
//! read (profile and access) shares its partition with nothing that a send writes. Who somebody is and what he may do are in partitions of their own as well: IAM tells by the
//! partition key alone who may write an item. A list reads pointers and single documents, a send reads neither, so that no list
//! can throttle a send.
//!
//! **Pointers, not indexes.** A list must hold a document as soon as its send was answered, and a
//! global index lags behind. So each document has a pointer item for each list that it is in,
//! written in its own transaction: 2 units each, one of them in time order. In one partition that
//! would end at 500 documents a second for a taxpayer; in [`LIST_SHARDS`] it is 1,000, and a page
//! takes that many queries and one BatchGetItem. A global index would cost 1 unit an entry, need the
//! same shards, and not be consistent. Filings, events and deliveries are listed so as well.

use std::fmt;

use icu_normalizer::ComposingNormalizerBorrowed;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    AttemptRecord, Awaited, CountedExchange, Direction, EnvelopeHash, EventPointer,
    IdempotencyHash, PeppolReportId, Register, Status, TaxReportStatus, UsageRecord, instant,
};
use crate::{
    access::{AccessTokenHash, CodeHash, Holder, KeyHash, RefreshTokenHash, RequestHash, Trail},
    document::Operation,
    peppol::{
        identifiers::SeatId,
        statistics::{Kind, Month},
    },
    types::{
        ApplicationId, ArchiveId, AuditId, ClientId, DocumentId, EmailAddress, EndpointId, EventId,
        FamilyId, GrantId, ImportId, KeyId, MailId, MemberId, MessageId, Mode, OrganizationId,
        ParticipantId, ReportId, TaxpayerId, TokenHash, sha256_hex,
    },
};

/// Name of the partition key.
pub const PK: &str = "pk";
/// Name of the sort key.
pub const SK: &str = "sk";
/// Name of the index over what is due.
pub const DUE_INDEX: &str = "due";
/// Partition key of the index.
pub const DUE_PK: &str = "due_pk";
/// Sort key of the index.
pub const DUE_AT: &str = "due_at";
/// The mark of an item that the stream's relay must take up.
pub const RELAY: &str = "relay";
/// When DynamoDB may remove an item.
pub const TTL: &str = "ttl";

/// In how many partitions of the index the due items of a mode are spread. An event costs the index
/// 2 writes and a delivery 4, so that a mode can do 10,000 events with a delivery each a second.
pub const DUE_SHARDS: u8 = 64;
/// In how many partitions of the index the parked items of a mode are spread.
pub const PARKED_SHARDS: u8 = 4;
/// In how many partitions the pointers of one list are spread. A page asks them all, and reads what it shows: three
/// calls. Of open tax reports, which come in the transaction of a send (2 units) and go by themselves (1), a taxpayer can have
/// 666 a second: more than all may together (`ReportRate`). The pointers to an event and to a delivery are written by
/// themselves (1): an organization can hear of 2,000 a second, and an endpoint be told of them.
pub const LIST_SHARDS: u8 = 2;

/// In how many items the events of an organization and week are counted, each in a partition of its own. An event costs 2
/// writes there, and those that come at the same moment seldom meet in one. So many of three weeks are one read of a hundred
/// keys: no days of an overview touch more.
pub const DAILY_COUNTERS: u8 = 32;

/// In how many partitions the answers of one day are spread. One costs 5 writes: made, decided, leased,
/// ended.
pub const ANSWER_SHARDS: u8 = 16;

/// In how many partitions the counters of exchanges of a month are spread. One exchange costs a write, and those of
/// a kind that fall into one shard at the same moment wait for each other.
pub const EXCHANGE_SHARDS: u8 = 32;

/// In how many partitions the usage of a day is spread. One costs 2 units: all taxpayers together can send 8,000 Live
/// documents a second.
pub const USAGE_SHARDS: u8 = 16;

/// In how many partitions the pointers to subscriptions are spread.
pub const SUBSCRIBER_SHARDS: u8 = 4;

/// The primary key of one item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

/// Sort key of a taxpayer's or organization's own record.
pub const PROFILE: &str = "PROFILE";
/// Sort key of a document.
pub const DOCUMENT: &str = "DOCUMENT";
/// Sort key of a filing.
pub const FILING: &str = "FILING";
/// The sort key of the way of something.
const TRANSMISSION: &str = "TRANSMISSION";
/// Sort key of an event.
pub const EVENT: &str = "EVENT";
/// Sort key of an idempotency record.
pub const IDEMPOTENCY: &str = "IDEMPOTENCY";
/// Sort key of a message of another access point.
pub const MESSAGE: &str = "MESSAGE";
/// Sort key of a subscription.
pub const SUBSCRIPTION: &str = "SUBSCRIPTION";
/// Sort key of a registration.
pub const REGISTRATION: &str = "REGISTRATION";
/// Sort key of a delivery.
pub const DELIVERY: &str = "DELIVERY";
/// What the sort keys of pointers to deliveries begin with.
pub const DELIVERY_POINTER: &str = "POINTER#";
/// What the sort keys of attempts begin with.
pub const ATTEMPT: &str = "ATTEMPT#";
/// What the sort keys of deleted endpoints begin with.
pub const DELETED: &str = "DELETED#";
/// What the sort keys of an organization's events about a document begin with.
pub const TOLD: &str = "TOLD#";
/// What the sort keys of grants begin with, in both partitions.
pub const GRANT: &str = "GRANT#";
/// What the sort keys of connections begin with.
pub const CONNECTION: &str = "CONNECTION#";
/// What the sort keys of counters of exchanges begin with.
pub const EXCHANGE: &str = "EXCHANGE#";
/// What the sort keys of status messages begin with.
pub const STATUS: &str = "STATUS#";
/// What the sort keys of pointers to OAuth clients begin with.
pub const CLIENT: &str = "CLIENT#";
/// What the sort keys of memberships and of pointers to subscriptions begin with.
pub const ORGANIZATION: &str = "ORGANIZATION#";
/// What the sort keys of taxpayers of an address begin with.
pub const TAXPAYER: &str = "TAXPAYER#";
/// What the sort keys of pointers to API keys begin with.
pub const API_KEY: &str = "KEY#";
/// What the sort keys of failures begin with.
pub const FAILURE: &str = "FAILURE#";
/// What the sort keys of what is awaited begin with.
pub const AWAITED: &str = "AWAITED#";
/// What the sort keys of endpoints begin with.
pub const ENDPOINT: &str = "ENDPOINT#";

/// What the partition keys of a taxpayer begin with; alone, that of its profile.
pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#TAXPAYER#{id}", mode.key())
}

/// What the sort keys of the pointers to sessions begin with.
pub(super) const OPEN_SESSION: &str = "OPEN#";

/// What the sort keys of members begin with.
pub(super) const MEMBER: &str = "MEMBER#";

/// The partition of all that is known together of the sessions of a taxpayer or a member.
pub(super) fn sessions(mode: Mode, holder: &Holder) -> String {
    match holder {
        Holder::Taxpayer { taxpayer_id } => format!("{}#SESSIONS", taxpayer(mode, taxpayer_id)),
        Holder::Member { organization_id, member_id } => {
            format!("{}#SESSIONS#{member_id}", organization(mode, organization_id))
        }
    }
}

/// The partition of an organization's members.
pub(super) fn members(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#MEMBERS", organization(mode, id))
}

/// The partition of the memberships of an address. Those of taxpayers are elsewhere: who invites people changes nothing
/// about who is registered with an address.
pub(super) fn memberships(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#MEMBERSHIP#{}", mode.key(), address.hash())
}

/// What the partition keys of an organization begin with; alone, that of its profile.
pub fn organization(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#ORGANIZATION#{id}", mode.key())
}

/// The partition of an organization's endpoints. It is not the organization's own, since the function
/// that delivers to them, and may switch one off, must not write profiles and grants.
pub fn endpoints(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#ENDPOINTS", organization(mode, id))
}

/// The partition of a taxpayer's archives.
pub(super) fn archives(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#ARCHIVES", taxpayer(mode, id))
}

/// The partition of an organization's imports for a taxpayer.
pub(super) fn imports(mode: Mode, organization_id: &OrganizationId, id: &TaxpayerId) -> String {
    format!("{}#IMPORTS#{id}", organization(mode, organization_id))
}

/// The partition of one shard of a list of the deliveries to an endpoint.
pub(super) fn deliveries(
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint: &EndpointId,
    list: DeliveryList,
    shard: u8,
) -> String {
    let name = match list {
        DeliveryList::All => "ALL",
        DeliveryList::Failed => "FAILED",
    };
    format!("{}#DELIVERIES#{endpoint}#{name}#{shard}", organization(mode, organization_id))
}

/// The partition of the attempts at a delivery.
pub(super) fn attempts(
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint: &EndpointId,
    event: &EventId,
) -> String {
    format!("{}#ATTEMPTS#{endpoint}#{event}", organization(mode, organization_id))
}

/// The partition of one shard of an organization's pointers to events.
pub(super) fn event_pointers(mode: Mode, organization_id: &OrganizationId, shard: u8) -> String {
    format!("{}#EVENTS#{shard}", organization(mode, organization_id))
}

/// That which holds the pointer to an event.
pub(super) fn event_pointers_with(
    mode: Mode,
    organization_id: &OrganizationId,
    event: &EventId,
) -> String {
    event_pointers(mode, organization_id, shard_of(event.as_str(), LIST_SHARDS))
}

/// The partition of what an organization heard about a document.
pub(super) fn events_about(
    mode: Mode,
    organization_id: &OrganizationId,
    document_id: &DocumentId,
) -> String {
    format!("{}#EVENTS#{document_id}", organization(mode, organization_id))
}

/// What the sort keys of pointers to an event begin with: of those to one of a test all of it.
pub(super) fn event_pointer_prefix(event: &EventId) -> String {
    format!("{event}#")
}

/// Which of an organization's counters counts an event.
pub(super) fn daily_counter(event: &EventId) -> u8 {
    shard_of(event.as_str(), DAILY_COUNTERS)
}

/// The partition of what an organization awaits: one, so that a query reads what should come first. A Live document costs 4
/// writes there, since two answers are awaited, and come: an organization can have 250 of them a second.
pub(super) fn awaited(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#AWAITED", organization(mode, organization_id))
}

/// The partition of what failed of late for an organization.
pub(super) fn failures(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#FAILURES", organization(mode, organization_id))
}

/// The partition of the pointers to an organization's OAuth clients.
pub fn clients(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#CLIENTS", organization(mode, id))
}

/// The partition of the grants on a taxpayer: who makes and ends them writes no profile.
fn taxpayer_grants(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#GRANTS", taxpayer(mode, id))
}

/// The partition of an organization's grants and connections, apart from its profile for the same reason.
pub(super) fn grants(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#GRANTS", organization(mode, id))
}

/// The partition of the pointers to an organization's API keys.
pub(super) fn api_keys(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#KEYS", organization(mode, id))
}

/// The partition of an audit trail. Nobody changes what is there, and nothing takes it away.
pub(super) fn audit(mode: Mode, trail: &Trail) -> String {
    match trail {
        Trail::Organization(id) => format!("{}#AUDIT", organization(mode, id)),
        Trail::Taxpayer(id) => format!("{}#AUDIT", taxpayer(mode, id)),
    }
}

impl Key {
    fn new(pk: String, sk: impl Into<String>) -> Self {
        Key { pk, sk: sk.into() }
    }

    /// A taxpayer.
    pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(taxpayer(mode, id), PROFILE)
    }

    /// The active grants on a taxpayer.
    pub fn access(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(taxpayer_grants(mode, id), "ACCESS")
    }

    /// A grant, with its taxpayer.
    pub fn grant(mode: Mode, taxpayer_id: &TaxpayerId, id: &GrantId) -> Self {
        Key::new(taxpayer_grants(mode, taxpayer_id), format!("{GRANT}{id}"))
    }

    /// A taxpayer's settings, apart from its profile: who changes the one must not write the other.
    pub fn settings(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(format!("{}#SETTINGS", taxpayer(mode, id)), "SETTINGS")
    }

    /// A document.
    pub fn document(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(format!("{}#DOCUMENT#{id}", taxpayer(mode, taxpayer_id)), DOCUMENT)
    }

    /// The way of a document through the network.
    pub fn transmission(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(Key::document(mode, taxpayer_id, id).pk, TRANSMISSION)
    }

    /// A tax report.
    pub fn tax_report(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(format!("{}#FILING#{id}", taxpayer(Mode::Live, taxpayer_id)), FILING)
    }

    /// The pointer to a filing in one of the lists that it is in.
    pub fn in_filings(taxpayer_id: &TaxpayerId, list: FilingList, id: &ReportId) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        Key::new(tax_reports(taxpayer_id, list, shard), id.to_string())
    }

    /// The way of a filing through the network.
    pub fn filing_transmission(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(Key::tax_report(taxpayer_id, id).pk, TRANSMISSION)
    }

    /// When the next filing may be sent.
    pub fn filing_pace() -> Self {
        Key::new("LIVE#PACE".to_owned(), "FILINGS")
    }

    /// What the network said about a question, which is hashed: identifiers may be long.
    pub fn lookup(mode: Mode, question: &str) -> Self {
        Key::new(format!("{}#LOOKUP#{}", mode.key(), sha256_hex(question.as_bytes())), "LOOKUP")
    }

    /// Who asks the network a question, hashed likewise, for others with the same one to wait for.
    pub fn asking(mode: Mode, question: &str) -> Self {
        Key { sk: "ASKING".to_owned(), ..Key::lookup(mode, question) }
    }

    /// The circuit breaker of the access point at an address.
    pub fn receiver_breaker(mode: Mode, address: &str) -> Self {
        Key::new(format!("{}#RECEIVER#{}", mode.key(), sha256_hex(address.as_bytes())), "GATE")
    }

    /// The record of an idempotency key.
    pub fn idempotency(mode: Mode, taxpayer_id: &TaxpayerId, key: &IdempotencyHash) -> Self {
        let hash = key.as_str();
        Key::new(format!("{}#IDEMPOTENCY#{hash}", taxpayer(mode, taxpayer_id)), IDEMPOTENCY)
    }

    /// An event.
    pub fn event(mode: Mode, taxpayer_id: &TaxpayerId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", taxpayer(mode, taxpayer_id)), EVENT)
    }

    /// The pointer to a document in one of the lists that it is in.
    pub fn pointer(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        index: Index<'_>,
        issue_date: Date,
        id: &DocumentId,
    ) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        let sort = match index {
            Index::Issued => format!("{issue_date}#{id}"),
            _ => id.to_string(),
        };
        Key::new(list(mode, taxpayer_id, index, shard), sort)
    }

    /// The pointer to a credit note of an invoice.
    pub fn credit_note(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        invoice: &DocumentId,
        id: &DocumentId,
    ) -> Self {
        Key::new(credit_notes(mode, taxpayer_id, invoice), id.to_string())
    }

    /// Which document first used a number or a UUID.
    pub fn first_use(mode: Mode, taxpayer_id: &TaxpayerId, used: FirstUse<'_>) -> Self {
        let used = match used {
            FirstUse::Number(operation, number) => {
                format!("NUMBER#{}#{}", operation.as_str(), hash_of_number(number))
            }
            FirstUse::NumberAsWritten(operation, number) => {
                format!("NUMBER#{}#{}", operation.as_str(), sha256_hex(number.as_bytes()))
            }
            FirstUse::Uuid(uuid) => format!("UUID#{uuid}"),
        };
        Key::new(format!("{}#FIRST#{used}", taxpayer(mode, taxpayer_id)), "CLAIM")
    }

    /// Whose document a transmitted message carries.
    pub fn message(mode: Mode, id: &MessageId) -> Self {
        Key::new(format!("{}#MESSAGE#{id}", mode.key()), "OUTBOUND")
    }

    /// A message of another access point.
    pub fn inbound(mode: Mode, envelope: &EnvelopeHash) -> Self {
        Key::new(format!("{}#INBOUND#{envelope}", mode.key()), MESSAGE)
    }

    /// Which message of a seat first had an eb:MessageId. Seats hold no space.
    pub fn as4_message_id(mode: Mode, sender: &SeatId, message_id: &str) -> Self {
        let hash = sha256_hex(format!("{sender} {message_id}").as_bytes());
        Key::new(format!("{}#INBOUND#{hash}", mode.key()), "AS4")
    }

    /// A status message about an envelope.
    pub fn status_message(mode: Mode, about: &EnvelopeHash, own: &EnvelopeHash) -> Self {
        Key::new(status_messages(mode, about), format!("{STATUS}{own}"))
    }

    /// The status that is owed for a document, among those of the day (in UTC) on which the document came,
    /// which its identifier tells: they are counted day by day.
    pub fn mls_outbound(mode: Mode, id: &DocumentId) -> Self {
        let day = id.made_at().map_or("0".to_owned(), |made| made.strftime("%F").to_string());
        Key::new(
            mls_outbound_partition(mode, &day, shard_of(id.as_str(), ANSWER_SHARDS)),
            id.to_string(),
        )
    }

    /// The way of a status that is owed for a document.
    pub fn mls_transmission(mode: Mode, id: &DocumentId) -> Self {
        Key::new(format!("{}#ANSWER#{id}", mode.key()), TRANSMISSION)
    }

    /// The counter that an exchange belongs to. There are none in Sandbox.
    pub fn exchange(CountedExchange { instance_id, at, kind }: &CountedExchange) -> Self {
        let shard = shard_of(instance_id.as_str(), EXCHANGE_SHARDS);
        // None of these holds a line break.
        let told_apart = [
            kind.direction.as_str(),
            kind.provider.as_str(),
            &kind.document_type.to_string(),
            &kind.process.to_string(),
            kind.sender_country.as_deref().unwrap_or_default(),
            kind.end_user.as_deref().unwrap_or_default(),
        ];
        let hash = sha256_hex(told_apart.join("\n").as_bytes());
        Key::new(exchanges(Month::of(*at), shard), format!("{EXCHANGE}{hash}"))
    }

    /// A report of a month to OpenPeppol. There are none in Sandbox.
    pub fn peppol_report(PeppolReportId { month, kind, number }: &PeppolReportId) -> Self {
        Key::new(peppol_reports(*month), format!("{}{number:05}", peppol_report_prefix(*kind)))
    }

    /// The way of a monthly report through the network.
    pub fn peppol_report_transmission(id: &PeppolReportId) -> Self {
        let Key { pk, sk } = Key::peppol_report(id);
        Key::new(format!("{pk}#{sk}"), TRANSMISSION)
    }

    /// A taxpayer in a register.
    pub fn registration(mode: Mode, taxpayer_id: &TaxpayerId, register: Register) -> Self {
        let owner = taxpayer(mode, taxpayer_id);
        Key::new(format!("{owner}#{REGISTRATION}#{}", register.as_str()), REGISTRATION)
    }

    /// What a taxpayer shows of itself.
    pub fn business_card(mode: Mode, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(format!("{}#CARD", taxpayer(mode, taxpayer_id)), "CARD")
    }

    /// An organization.
    pub fn organization(mode: Mode, id: &OrganizationId) -> Self {
        Key::new(organization(mode, id), PROFILE)
    }

    /// An organization's subscription, which is Live's alone. It is not in the organization's own partition, since who
    /// hears from the billing provider must not write profiles.
    pub fn subscription(id: &OrganizationId) -> Self {
        let owner = organization(Mode::Live, id);
        Key::new(format!("{owner}#{SUBSCRIPTION}"), SUBSCRIPTION)
    }

    /// Where subscriptions stood before: read still, and never written.
    pub fn subscription_before(id: &OrganizationId) -> Self {
        Key::new(organization(Mode::Live, id), SUBSCRIPTION)
    }

    /// What an organization may send in Sandbox: Live has no quotas.
    pub fn quota(id: &OrganizationId) -> Self {
        Key::new(format!("{}#QUOTA", organization(Mode::Sandbox, id)), "QUOTA")
    }

    /// What a Live document is billed by: of the Sandbox there is none.
    pub fn usage(UsageRecord { document_id, at, .. }: &UsageRecord) -> Self {
        let shard = shard_of(document_id.as_str(), USAGE_SHARDS);
        Key::new(usage(at.to_zoned(TimeZone::UTC).date(), shard), document_id.to_string())
    }

    /// Up to which day usage was exported.
    pub fn usage_exported() -> Self {
        Key::new(format!("{}#USAGE", Mode::Live.key()), "EXPORTED")
    }

    /// A pointer to a subscription that the billing provider said something about.
    pub fn subscriber(id: &OrganizationId) -> Self {
        let shard = shard_of(id.as_str(), SUBSCRIBER_SHARDS);
        Key::new(subscribers(shard), format!("{ORGANIZATION}{id}"))
    }

    /// That an event of the billing provider was taken: its identifier is hashed.
    pub fn billing_event(hash: &str) -> Self {
        Key::new(format!("{}#BILLING#{hash}", Mode::Live.key()), EVENT)
    }

    /// How many seats of an organization are in use, apart from the subscription: who makes grants must not write that.
    pub fn seats(id: &OrganizationId) -> Self {
        Key::new(format!("{}#SEATS", organization(Mode::Live, id)), "SEATS")
    }

    /// A grant, with its organization.
    pub fn grant_mirror(mode: Mode, organization_id: &OrganizationId, id: &GrantId) -> Self {
        Key::new(grants(mode, organization_id), format!("{GRANT}{id}"))
    }

    /// The connection of an organization with a taxpayer.
    pub fn connection(mode: Mode, organization_id: &OrganizationId, id: &TaxpayerId) -> Self {
        Key::new(grants(mode, organization_id), format!("{CONNECTION}{id}"))
    }

    /// An archive.
    pub fn archive(mode: Mode, taxpayer_id: &TaxpayerId, id: &ArchiveId) -> Self {
        Key::new(archives(mode, taxpayer_id), id.to_string())
    }

    /// Which archive of a period was asked for last.
    pub fn archive_of_period(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        (from, to): (jiff::civil::Date, jiff::civil::Date),
    ) -> Self {
        Key::new(archives(mode, taxpayer_id), format!("PERIOD#{from}#{to}"))
    }

    /// An import.
    pub fn import(
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        id: &ImportId,
    ) -> Self {
        Key::new(imports(mode, organization_id, taxpayer_id), id.to_string())
    }

    /// Which import of a file was made last.
    pub fn import_of_file(
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
        (operation, sha256): (Operation, &str),
    ) -> Self {
        let sort = format!("FILE#{operation}#{sha256}");
        Key::new(imports(mode, organization_id, taxpayer_id), sort)
    }

    /// A webhook endpoint.
    pub fn endpoint(mode: Mode, organization_id: &OrganizationId, id: &EndpointId) -> Self {
        Key::new(endpoints(mode, organization_id), format!("{ENDPOINT}{id}"))
    }

    /// How often an endpoint was added, beside them.
    pub fn endpoint_additions(mode: Mode, organization_id: &OrganizationId) -> Self {
        Key::new(endpoints(mode, organization_id), "ADDITIONS")
    }

    /// The delivery of an event to an endpoint.
    pub fn delivery(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
        event: &EventId,
    ) -> Self {
        let owner = organization(mode, organization_id);
        Key::new(format!("{owner}#DELIVERY#{endpoint}#{event}"), DELIVERY)
    }

    /// The pointer to a delivery in a list.
    pub fn in_deliveries(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
        list: DeliveryList,
        event: &EventId,
    ) -> Self {
        let shard = shard_of(event.as_str(), LIST_SHARDS);
        let partition = deliveries(mode, organization_id, endpoint, list, shard);
        Key::new(partition, format!("{DELIVERY_POINTER}{event}"))
    }

    /// What an attempt at a delivery sent and was answered.
    pub fn attempt(attempt: &AttemptRecord) -> Self {
        let AttemptRecord { mode, organization_id, endpoint_id, event_id, number, .. } = attempt;
        let partition = attempts(*mode, organization_id, endpoint_id, event_id);
        Key::new(partition, format!("{ATTEMPT}{number:05}"))
    }

    /// What is kept of an endpoint that was deleted.
    pub fn deleted_endpoint(mode: Mode, organization_id: &OrganizationId, id: &EndpointId) -> Self {
        Key::new(endpoints(mode, organization_id), format!("{DELETED}{id}"))
    }

    /// The pointer of an organization to an event, in the order of events.
    pub fn event_pointer(
        mode: Mode,
        organization_id: &OrganizationId,
        EventPointer { event_id, taxpayer_id, test, .. }: &EventPointer,
    ) -> Self {
        let partition = event_pointers_with(mode, organization_id, event_id);
        let sort = match test {
            true => event_pointer_prefix(event_id),
            false => format!("{}{taxpayer_id}", event_pointer_prefix(event_id)),
        };
        Key::new(partition, sort)
    }

    /// What one of an organization's counters counted of the days of a week, which begins on a Monday.
    pub fn daily_counts(
        mode: Mode,
        organization_id: &OrganizationId,
        week: Date,
        counter: u8,
    ) -> Self {
        let owner = organization(mode, organization_id);
        Key::new(format!("{owner}#TALLY#{counter}"), format!("TALLY#{week}"))
    }

    /// That a document failed, as an event told an organization.
    pub fn failure(mode: Mode, organization_id: &OrganizationId, event: &EventId) -> Self {
        Key::new(failures(mode, organization_id), format!("{FAILURE}{event}"))
    }

    /// What an organization awaits of a document, in the order of `by`: who settles it computes the same.
    pub fn awaited(
        mode: Mode,
        organization_id: &OrganizationId,
        what: Awaited,
        by: Timestamp,
        document_id: &DocumentId,
    ) -> Self {
        let (by, what) = (instant(by), what.as_str());
        let partition = awaited(mode, organization_id);
        Key::new(partition, format!("{AWAITED}{by}#{document_id}#{what}"))
    }

    /// An event about a document, with the organization that heard of it.
    pub fn event_of_document(
        mode: Mode,
        organization_id: &OrganizationId,
        document_id: &DocumentId,
        event_id: &EventId,
    ) -> Self {
        let partition = events_about(mode, organization_id, document_id);
        Key::new(partition, format!("{TOLD}{event_id}"))
    }

    /// An event that an organization had made up: with it, and not among those of a taxpayer, of which it is none.
    pub fn test_event(mode: Mode, organization_id: &OrganizationId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", organization(mode, organization_id)), EVENT)
    }

    /// The circuit breaker of an endpoint, in a partition of its own: busy as long as the endpoint is.
    pub fn endpoint_breaker(
        mode: Mode,
        organization_id: &OrganizationId,
        endpoint: &EndpointId,
    ) -> Self {
        Key::new(format!("{}#GATE#{endpoint}", organization(mode, organization_id)), "GATE")
    }

    /// An API key.
    pub fn api_key(mode: Mode, hash: &KeyHash) -> Self {
        Key::new(format!("{}#APIKEY#{}", mode.key(), hash.as_str()), "KEY")
    }

    /// An OAuth client.
    pub fn client(mode: Mode, id: &ClientId) -> Self {
        Key::new(format!("{}#CLIENT#{id}", mode.key()), "CLIENT")
    }

    /// The pointer to an OAuth client, with its organization.
    pub fn client_pointer(mode: Mode, organization_id: &OrganizationId, id: &ClientId) -> Self {
        Key::new(clients(mode, organization_id), format!("{CLIENT}{id}"))
    }

    /// An authorization request.
    pub fn authorization_request(mode: Mode, hash: &RequestHash) -> Self {
        Key::new(format!("{}#AUTHORIZATION#{}", mode.key(), hash.as_str()), "REQUEST")
    }

    /// An authorization code.
    pub fn code(mode: Mode, hash: &CodeHash) -> Self {
        Key::new(format!("{}#CODE#{}", mode.key(), hash.as_str()), "CODE")
    }

    /// An access token.
    pub fn access_token(mode: Mode, hash: &AccessTokenHash) -> Self {
        Key::new(format!("{}#TOKEN#{}", mode.key(), hash.as_str()), "ACCESS")
    }

    /// A refresh token.
    pub fn refresh_token(mode: Mode, hash: &RefreshTokenHash) -> Self {
        Key::new(format!("{}#TOKEN#{}", mode.key(), hash.as_str()), "REFRESH")
    }

    /// A family of tokens. It is not the taxpayer's own partition, since who refreshes tokens must not write
    /// profiles.
    pub fn token_family(mode: Mode, taxpayer_id: &TaxpayerId, id: &FamilyId) -> Self {
        Key::new(format!("{}#TOKENS#{id}", taxpayer(mode, taxpayer_id)), "FAMILY")
    }

    /// A mail that somebody is to get.
    pub fn mail(mode: Mode, id: &MailId) -> Self {
        Key::new(format!("{}#MAIL#{id}", mode.key()), "MAIL")
    }

    /// A wish to onboard a business.
    pub fn application(mode: Mode, id: &ApplicationId) -> Self {
        Key::new(format!("{}#APPLICATION#{id}", mode.key()), "APPLICATION")
    }

    /// How far the changes at the national portal were read. There is none of Sandbox.
    pub fn portal_cursor() -> Self {
        Key::new("LIVE#PORTAL".to_owned(), "CHANGES")
    }

    /// What a link to sign in leads to.
    pub fn link(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#LINK#{}", mode.key(), hash.as_str()), "LINK")
    }

    /// That a link of a mail was used.
    pub fn link_use(mode: Mode, mail: &MailId) -> Self {
        Key::new(format!("{}#SIGNIN#{mail}", mode.key()), "USED")
    }

    /// A session.
    pub fn session(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#SESSION#{}", mode.key(), hash.as_str()), "SESSION")
    }

    /// What all sessions of a taxpayer or a member are compared with. It is not in the taxpayer's own partition, since
    /// who serves pages must not write profiles and grants.
    pub fn sessions(mode: Mode, holder: &Holder) -> Self {
        Key::new(sessions(mode, holder), "SESSIONS")
    }

    /// A session among those of its holder.
    pub fn session_pointer(mode: Mode, holder: &Holder, hash: &TokenHash) -> Self {
        Key::new(sessions(mode, holder), format!("{OPEN_SESSION}{}", hash.as_str()))
    }

    /// A member of an organization.
    pub fn member(mode: Mode, organization_id: &OrganizationId, id: &MemberId) -> Self {
        Key::new(members(mode, organization_id), format!("{MEMBER}{id}"))
    }

    /// How many members an organization has.
    pub fn member_count(mode: Mode, organization_id: &OrganizationId) -> Self {
        Key::new(members(mode, organization_id), "COUNT")
    }

    /// What an address is in an organization: one member at most.
    pub fn membership(mode: Mode, address: &EmailAddress, id: &OrganizationId) -> Self {
        Key::new(memberships(mode, address), format!("{ORGANIZATION}{id}"))
    }

    /// A taxpayer among those that are registered with an address.
    pub fn email(mode: Mode, address: &EmailAddress, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(email(mode, address), format!("{TAXPAYER}{taxpayer_id}"))
    }

    /// How often somebody did something in a window, which begins at a second since 1970.
    pub fn rate(mode: Mode, what: &str, whom: &str, window: i64) -> Self {
        let whom = sha256_hex(whom.as_bytes());
        Key::new(format!("{}#RATE#{what}#{whom}#{window}", mode.key()), "RATE")
    }

    /// The pointer to an API key of an organization.
    pub fn api_key_pointer(mode: Mode, organization_id: &OrganizationId, id: &KeyId) -> Self {
        Key::new(api_keys(mode, organization_id), format!("{API_KEY}{id}"))
    }

    /// An entry of an audit trail.
    pub fn audit(mode: Mode, trail: &Trail, id: &AuditId) -> Self {
        Key::new(audit(mode, trail), id.to_string())
    }

    /// Who is behind a participant identifier. A 0235 value may be written as a TIN or as a TRN
    /// that begins with it; both are the same business.
    pub fn participant(mode: Mode, id: &ParticipantId) -> Self {
        let value = id.tin().unwrap_or(id.value());
        Key::new(format!("{}#PARTICIPANT#{}:{value}", mode.key(), id.scheme()), "TAXPAYER")
    }

    /// The index partition of an item, by a hash of its whole key: neither the items of one owner
    /// nor those of one moment meet in one.
    pub(super) fn due_partition(&self, mode: Mode) -> String {
        due_shard(mode, self.shard(DUE_SHARDS))
    }

    /// The index partition of an item that is parked.
    pub(super) fn parked_partition(&self, mode: Mode) -> String {
        parked_shard(mode, self.shard(PARKED_SHARDS))
    }

    fn shard(&self, shards: u8) -> u8 {
        shard_of(&format!("{} {}", self.pk, self.sk), shards)
    }
}

/// A list of a taxpayer's documents, newest first: which of them are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index<'a> {
    /// All.
    All,
    /// Those that went this way.
    Direction(Direction),
    /// Those of an operation.
    Type(Operation),
    /// Those on their way: accepted, converted or dispatching.
    InFlight,
    /// Those that could not be sent, or may not have been.
    Failed,
    /// Those that were rejected, here or by the recipient's access point.
    Rejected,
    /// Those with this number.
    Number(&'a str),
    /// Those with this source_id.
    Source(&'a str),
    /// All, the latest issue date first.
    Issued,
}

/// What a document may be the first of its taxpayer to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstUse<'a> {
    /// A number (IBT-001), among the documents of an operation.
    Number(Operation, &'a str),
    /// The same by its bytes, as numbers were claimed before canonically equivalent ones were one.
    NumberAsWritten(Operation, &'a str),
    /// A UUID (BTAE-07).
    Uuid(Uuid),
}

impl Index<'static> {
    /// The list of a status, for those statuses that few documents have. The others are what is
    /// left of a direction: outbound ones are sent, delivered or forwarded, inbound ones received.
    pub fn of_status(status: Status) -> Option<Self> {
        match status {
            Status::Accepted | Status::Converted | Status::Dispatching => Some(Index::InFlight),
            Status::Failed | Status::Unconfirmed => Some(Index::Failed),
            Status::Rejected => Some(Index::Rejected),
            Status::Sent
            | Status::Delivered
            | Status::Forwarded
            | Status::Received
            | Status::Unknown => None,
        }
    }
}

/// The partition of one shard of a list.
pub(super) fn list(mode: Mode, taxpayer_id: &TaxpayerId, index: Index<'_>, shard: u8) -> String {
    let name = match index {
        Index::All => "ALL".to_owned(),
        Index::Direction(direction) => format!("DIRECTION#{}", direction.as_str()),
        Index::Type(operation) => format!("TYPE#{}", operation.as_str()),
        Index::InFlight => "STATUS#in_flight".to_owned(),
        Index::Failed => "STATUS#failed".to_owned(),
        Index::Rejected => "STATUS#rejected".to_owned(),
        Index::Number(number) => format!("NUMBER#{}", sha256_hex(number.as_bytes())),
        Index::Source(source_id) => format!("SOURCE#{}", sha256_hex(source_id.as_bytes())),
        Index::Issued => "ISSUED".to_owned(),
    };
    format!("{}#LIST#{name}#{shard}", taxpayer(mode, taxpayer_id))
}

/// The hash of a document's number, in which canonically equivalent spellings are one: é is one character
/// or two (UAX #15, form C). A number that is in form C already has the hash of its bytes.
fn hash_of_number(number: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfc();
    sha256_hex(normalizer.normalize(number).as_bytes())
}

/// The credit notes of an invoice of the taxpayer's own.
pub(super) fn credit_notes(mode: Mode, taxpayer_id: &TaxpayerId, invoice: &DocumentId) -> String {
    format!("{}#LIST#CREDITED#{invoice}", taxpayer(mode, taxpayer_id))
}

/// A list of a taxpayer's tax reports, newest first: which of them are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilingList {
    /// All.
    All,
    /// Those that have come to nothing yet.
    Open,
    /// Those that the authority refused.
    NotCompliant,
    /// Those that did not reach it.
    Failed,
}

impl FilingList {
    /// The list of a status, for those statuses that few filings have.
    pub fn of_status(status: TaxReportStatus) -> Option<Self> {
        match status {
            TaxReportStatus::Due | TaxReportStatus::Filing | TaxReportStatus::Submitted => {
                Some(FilingList::Open)
            }
            TaxReportStatus::NotCompliant => Some(FilingList::NotCompliant),
            TaxReportStatus::Failed => Some(FilingList::Failed),
            TaxReportStatus::Reported | TaxReportStatus::Unknown => None,
        }
    }
}

/// The partition of one shard of a list of tax reports.
pub(super) fn tax_reports(taxpayer_id: &TaxpayerId, list: FilingList, shard: u8) -> String {
    let name = match list {
        FilingList::All => "ALL",
        FilingList::Open => "OPEN",
        FilingList::NotCompliant => "NOT_COMPLIANT",
        FilingList::Failed => "FAILED",
    };
    format!("{}#FILINGS#{name}#{shard}", taxpayer(Mode::Live, taxpayer_id))
}

/// A list of the deliveries to an endpoint, those of the newest events first: which of them are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryList {
    /// All.
    All,
    /// Those of which an attempt failed, until one is taken.
    Failed,
}

/// The partition of the taxpayers that are registered with an address.
pub(super) fn email(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#EMAIL#{}", mode.key(), address.hash())
}

/// The partition of one shard of the answers of a day.
pub(super) fn mls_outbound_partition(mode: Mode, day: &str, shard: u8) -> String {
    format!("{}#ANSWER#{day}#{shard}", mode.key())
}

/// The partition of the status messages about an envelope.
pub(super) fn status_messages(mode: Mode, about: &EnvelopeHash) -> String {
    format!("{}#STATUS#{about}", mode.key())
}

/// The partition of one shard of the exchanges of a month.
pub(super) fn exchanges(month: Month, shard: u8) -> String {
    format!("{}#EXCHANGES#{month}#{shard}", Mode::Live.key())
}

/// The partition of one shard of the usage of a day.
pub(super) fn usage(day: Date, shard: u8) -> String {
    format!("{}#USAGE#{day}#{shard}", Mode::Live.key())
}

/// The partition of one shard of the pointers to subscriptions.
pub(super) fn subscribers(shard: u8) -> String {
    format!("{}#SUBSCRIBERS#{shard}", Mode::Live.key())
}

/// The partition of the reports on a month.
pub(super) fn peppol_reports(month: Month) -> String {
    format!("{}#MONTHLY#{month}", Mode::Live.key())
}

/// What the sort keys of a kind of report begin with.
pub(super) fn peppol_report_prefix(kind: Kind) -> String {
    format!("{kind}#")
}

/// One index partition of a mode.
pub fn due_shard(mode: Mode, shard: u8) -> String {
    format!("{}#DUE#{shard}", mode.key())
}

/// One index partition of what is parked in a mode.
pub fn parked_shard(mode: Mode, shard: u8) -> String {
    format!("{}#PARKED#{shard}", mode.key())
}

fn shard_of(text: &str, shards: u8) -> u8 {
    Sha256::digest(text)[0] % shards
}

/// Which job: an item that can be due, found by its key in a stream record or in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobId {
    /// A document on its way through the queues.
    Document(Mode, TaxpayerId, DocumentId),
    /// An event that must become deliveries.
    Event(Mode, TaxpayerId, EventId),
    /// A delivery that must be attempted.
    Delivery(Mode, OrganizationId, EventId, EndpointId),
    /// A message of another access point that must be judged.
    Message(Mode, EnvelopeHash),
    /// The status that is owed for a document of another access point.
    MlsOutbound(Mode, DocumentId),
    /// A taxpayer of whom a register must be told.
    Registration(Mode, TaxpayerId, Register),
    /// An archive, whose documents must be gathered.
    Archive(Mode, TaxpayerId, ArchiveId),
    /// An import, whose documents must be sent.
    Import(Mode, OrganizationId, TaxpayerId, ImportId),
    /// A report to the tax authority, which is Live's alone.
    TaxReport(TaxpayerId, ReportId),
    /// A report of a month to OpenPeppol, which is Live's alone.
    PeppolReport(PeppolReportId),
    /// A receipt that is to be moved to the bucket: it stands in the transmission of what it proves.
    Receipt(Mode, Proves),
    /// A mail that somebody is to get.
    Mail(Mode, MailId),
    /// An application whose business is to be registered.
    Application(Mode, ApplicationId),
}

/// What a receipt proves the delivery of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proves {
    /// A document.
    Document(TaxpayerId, DocumentId),
    /// The status about a document.
    MlsOutbound(DocumentId),
    /// A report to the tax authority.
    TaxReport(TaxpayerId, ReportId),
    /// A report of a month to OpenPeppol.
    PeppolReport(PeppolReportId),
}

/// Names each kind, for who operates the service.
macro_rules! kinds {
    ($($kind:ident = $name:literal,)+) => {
        impl JobId {
            /// The names of all kinds.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The kind's name.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(JobId::$kind(..) => $name,)+
                }
            }
        }
    };
}

kinds! {
    Document = "document",
    Event = "event",
    Delivery = "delivery",
    Message = "message",
    MlsOutbound = "answer",
    Registration = "registration",
    Application = "application",
    TaxReport = "filing",
    PeppolReport = "monthly",
    Archive = "archive",
    Import = "import",
    Receipt = "receipt",
    Mail = "mail",
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mode, kind) = (self.mode(), self.kind());
        match self {
            JobId::Document(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Event(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Delivery(_, organization, event, endpoint) => {
                write!(f, "{mode} {kind} {organization} {event} {endpoint}")
            }
            JobId::Message(_, envelope) => write!(f, "{mode} {kind} {envelope}"),
            JobId::MlsOutbound(_, document) => write!(f, "{mode} {kind} {document}"),
            JobId::Registration(_, taxpayer, register) => {
                write!(f, "{mode} {kind} {taxpayer} {}", register.as_str())
            }
            JobId::TaxReport(taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::PeppolReport(id) => write!(f, "{mode} {kind} {id}"),
            JobId::Archive(_, taxpayer, id) => write!(f, "{mode} {kind} {taxpayer} {id}"),
            JobId::Import(_, organization, taxpayer, id) => {
                write!(f, "{mode} {kind} {organization} {taxpayer} {id}")
            }
            JobId::Receipt(_, of) => match of {
                Proves::Document(taxpayer, id) => {
                    write!(f, "{mode} {kind} document {taxpayer} {id}")
                }
                Proves::MlsOutbound(id) => write!(f, "{mode} {kind} answer {id}"),
                Proves::TaxReport(taxpayer, id) => {
                    write!(f, "{mode} {kind} filing {taxpayer} {id}")
                }
                Proves::PeppolReport(id) => write!(f, "{mode} {kind} monthly {id}"),
            },
            JobId::Mail(_, id) => write!(f, "{mode} {kind} {id}"),
            JobId::Application(_, id) => write!(f, "{mode} {kind} {id}"),
        }
    }
}

impl JobId {
    /// Live or Sandbox.
    pub fn mode(&self) -> Mode {
        match self {
            JobId::Document(mode, ..)
            | JobId::Event(mode, ..)
            | JobId::Delivery(mode, ..)
            | JobId::Message(mode, ..)
            | JobId::MlsOutbound(mode, ..)
            | JobId::Registration(mode, ..)
            | JobId::Archive(mode, ..)
            | JobId::Import(mode, ..)
            | JobId::Receipt(mode, _)
            | JobId::Mail(mode, _)
            | JobId::Application(mode, _) => *mode,
            JobId::TaxReport(..) | JobId::PeppolReport(..) => Mode::Live,
        }
    }

    /// Reads a key; `None` for an item that is never due.
    pub fn parse(pk: &str, sk: &str) -> Option<JobId> {
        let parts: Vec<_> = pk.split('#').collect();
        let mode = match *parts.first()? {
            "LIVE" => Mode::Live,
            "SANDBOX" => Mode::Sandbox,
            _ => return None,
        };
        let job_id = match parts[1..] {
            ["TAXPAYER", owner, "DOCUMENT", id] if sk == TRANSMISSION => {
                JobId::Receipt(mode, Proves::Document(owner.parse().ok()?, id.parse().ok()?))
            }
            ["TAXPAYER", owner, FILING, id] if sk == TRANSMISSION => {
                JobId::Receipt(mode, Proves::TaxReport(owner.parse().ok()?, id.parse().ok()?))
            }
            ["ANSWER", id] => JobId::Receipt(mode, Proves::MlsOutbound(id.parse().ok()?)),
            ["MONTHLY", month, kind, number] => {
                JobId::Receipt(mode, Proves::PeppolReport(peppol_report_id(month, kind, number)?))
            }
            ["TAXPAYER", owner, "DOCUMENT", id] => {
                JobId::Document(mode, owner.parse().ok()?, id.parse().ok()?)
            }
            ["TAXPAYER", owner, "EVENT", id] => {
                JobId::Event(mode, owner.parse().ok()?, id.parse().ok()?)
            }
            ["ORGANIZATION", owner, DELIVERY, endpoint, event] => JobId::Delivery(
                mode,
                owner.parse().ok()?,
                event.parse().ok()?,
                endpoint.parse().ok()?,
            ),
            ["TAXPAYER", owner, REGISTRATION, register] => {
                let register = Register::ALL.into_iter().find(|one| one.as_str() == register)?;
                JobId::Registration(mode, owner.parse().ok()?, register)
            }
            ["TAXPAYER", owner, FILING, id] => {
                JobId::TaxReport(owner.parse().ok()?, id.parse().ok()?)
            }
            ["INBOUND", envelope] => JobId::Message(mode, envelope.parse().ok()?),
            ["ANSWER", _, _] => JobId::MlsOutbound(mode, sk.parse().ok()?),
            ["TAXPAYER", owner, "ARCHIVES"] => {
                JobId::Archive(mode, owner.parse().ok()?, sk.parse().ok()?)
            }
            ["ORGANIZATION", owner, "IMPORTS", taxpayer] => {
                JobId::Import(mode, owner.parse().ok()?, taxpayer.parse().ok()?, sk.parse().ok()?)
            }
            ["MAIL", id] => JobId::Mail(mode, id.parse().ok()?),
            ["APPLICATION", id] => JobId::Application(mode, id.parse().ok()?),
            ["MONTHLY", month] => {
                let (kind, number) = sk.split_once('#')?;
                JobId::PeppolReport(peppol_report_id(month, kind, number)?)
            }
            _ => return None,
        };
        // Other items of the same partition are never due.
        let key = job_id.key();
        (key.pk == pk && key.sk == sk).then_some(job_id)
    }

    /// The item's key.
    pub(super) fn key(&self) -> Key {
        match self {
            JobId::Document(mode, taxpayer_id, id) => Key::document(*mode, taxpayer_id, id),
            JobId::Event(mode, taxpayer_id, id) => Key::event(*mode, taxpayer_id, id),
            JobId::Delivery(mode, organization_id, event, endpoint) => {
                Key::delivery(*mode, organization_id, endpoint, event)
            }
            JobId::Message(mode, envelope) => Key::inbound(*mode, envelope),
            JobId::MlsOutbound(mode, document) => Key::mls_outbound(*mode, document),
            JobId::Registration(mode, taxpayer_id, register) => {
                Key::registration(*mode, taxpayer_id, *register)
            }
            JobId::TaxReport(taxpayer_id, id) => Key::tax_report(taxpayer_id, id),
            JobId::PeppolReport(id) => Key::peppol_report(id),
            JobId::Archive(mode, taxpayer_id, id) => Key::archive(*mode, taxpayer_id, id),
            JobId::Import(mode, organization_id, taxpayer_id, id) => {
                Key::import(*mode, organization_id, taxpayer_id, id)
            }
            JobId::Receipt(mode, of) => match of {
                Proves::Document(taxpayer_id, id) => Key::transmission(*mode, taxpayer_id, id),
                Proves::MlsOutbound(id) => Key::mls_transmission(*mode, id),
                Proves::TaxReport(taxpayer_id, id) => Key::filing_transmission(taxpayer_id, id),
                Proves::PeppolReport(id) => Key::peppol_report_transmission(id),
            },
            JobId::Mail(mode, id) => Key::mail(*mode, id),
            JobId::Application(mode, id) => Key::application(*mode, id),
        }
    }
}

/// A monthly report by the parts of its key.
fn peppol_report_id(month: &str, kind: &str, number: &str) -> Option<PeppolReportId> {
    let kind = Kind::ALL.into_iter().find(|one| one.as_str() == kind)?;
    Some(PeppolReportId { month: month.parse().ok()?, kind, number: number.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::Timestamp;

    use super::*;
    use crate::types::SeededRandom;

    #[test]
    fn keys_of_due_items_are_read_back() {
        let taxpayer: TaxpayerId = "txpay_1".parse().unwrap();
        let organization: OrganizationId = "org_1".parse().unwrap();
        let event: EventId = "evt_1".parse().unwrap();
        for job_id in [
            JobId::Document(Mode::Sandbox, taxpayer.clone(), "doc_1".parse().unwrap()),
            JobId::TaxReport(taxpayer.clone(), "rep_1".parse().unwrap()),
            JobId::PeppolReport(PeppolReportId::first(
                "2026-10".parse().unwrap(),
                Kind::Transactions,
            )),
            JobId::PeppolReport(PeppolReportId {
                month: "2026-10".parse().unwrap(),
                kind: Kind::EndUsers,
                number: 1_000,
            }),
            JobId::Registration(Mode::Live, taxpayer.clone(), Register::Network),
            JobId::Registration(Mode::Sandbox, taxpayer.clone(), Register::Directory),
            JobId::Event(Mode::Live, taxpayer.clone(), event.clone()),
            JobId::Delivery(Mode::Live, organization.clone(), event, "we_1".parse().unwrap()),
            JobId::Message(Mode::Live, EnvelopeHash::of(&"i-1".parse().unwrap())),
            JobId::Mail(Mode::Sandbox, "mail_1".parse().unwrap()),
            JobId::Receipt(
                Mode::Live,
                Proves::Document(taxpayer.clone(), "doc_1".parse().unwrap()),
            ),
            JobId::Receipt(Mode::Live, Proves::MlsOutbound("doc_1".parse().unwrap())),
            JobId::Receipt(
                Mode::Live,
                Proves::TaxReport(taxpayer.clone(), "rep_1".parse().unwrap()),
            ),
            JobId::Receipt(
                Mode::Live,
                Proves::PeppolReport(PeppolReportId::first(
                    "2026-10".parse().unwrap(),
                    Kind::EndUsers,
                )),
            ),
            JobId::Archive(Mode::Live, taxpayer.clone(), "arc_1".parse().unwrap()),
            JobId::Import(
                Mode::Sandbox,
                organization.clone(),
                taxpayer.clone(),
                "imp_1".parse().unwrap(),
            ),
            JobId::Application(Mode::Live, "apl_1".parse().unwrap()),
            JobId::MlsOutbound(Mode::Live, "doc_1".parse().unwrap()),
            JobId::MlsOutbound(Mode::Live, DocumentId::new(Timestamp::MIN, &SeededRandom::new(1))),
            JobId::MlsOutbound(
                Mode::Live,
                DocumentId::new("2026-11-20T23:59:59.999Z".parse().unwrap(), &SeededRandom::new(1)),
            ),
        ] {
            let key = job_id.key();
            assert_eq!(JobId::parse(&key.pk, &key.sk), Some(job_id));
        }
        for (pk, sk) in [
            ("SANDBOX#TAXPAYER#txpay_1", "PROFILE"),
            ("SANDBOX#TAXPAYER#txpay_1#DOCUMENT#doc_1", "TRANSMISSION#1"),
            ("SANDBOX#TAXPAYER#txpay_1#DOCUMENT#doc_1#doc_2", "DOCUMENT"),
            ("SANDBOX#ORGANIZATION#org_1#DOCUMENT#doc_1", "DOCUMENT"),
            ("SANDBOX#ORGANIZATION#org_1#DELIVERIES#we_1#ALL#0", "POINTER#evt_1"),
            ("SANDBOX#ORGANIZATION#org_1#DELIVERIES#we_1#ALL#1", "POINTER#evt_1"),
            ("TEST#TAXPAYER#txpay_1#DOCUMENT#doc_1", "DOCUMENT"),
            ("LIVE#INBOUND#i-1", "MESSAGE"),
            (&format!("LIVE#INBOUND#{}", sha256_hex(b"i-1")), "AS4"),
            ("LIVE#MAIL#mail_1", "USED"),
            ("LIVE#APPLICATION#apl_1", "USED"),
            ("LIVE#PORTAL", "CHANGES"),
            ("LIVE#SIGNIN#mail_1", "USED"),
            ("LIVE#ANSWER#doc_1", "ANSWER"),
            ("LIVE#EXCHANGES#2026-11#7", "EXCHANGE#0a"),
            ("LIVE#ANSWER#2026-11-20#99", "doc_1"),
            ("LIVE#MONTHLY#2026-10", "TSR#1"),
            ("LIVE#MONTHLY#2026-10", "STR#00001"),
            ("LIVE#MONTHLY#2026-13", "TSR#00001"),
            ("SANDBOX#MONTHLY#2026-10", "TSR#00001"),
            ("LIVE#MONTHLY#2026-10#TSR#00001", "REPORT"),
            ("LIVE#MONTHLY#2026-10#TSR#1", "TRANSMISSION"),
            ("LIVE#TAXPAYER#txpay_1#REGISTRATION#elsewhere", "REGISTRATION"),
            ("LIVE#TAXPAYER#txpay_1#CARD", "CARD"),
            ("SANDBOX#TAXPAYER#txpay_1#FILING#rep_1", "TRANSMISSION"),
            ("LIVE#TAXPAYER#txpay_1#FILINGS#ALL#0", "rep_1"),
            ("LIVE#TAXPAYER#txpay_1#FILINGS#ALL#1", "rep_1"),
            ("SANDBOX#TAXPAYER#txpay_1#FILING#rep_1", "FILING"),
            ("", ""),
        ] {
            assert_eq!(JobId::parse(pk, sk), None, "{pk} {sk}");
        }
    }

    #[test]
    fn a_tin_and_a_trn_that_begins_with_it_are_one_participant() {
        let [tin, trn] = ["0235:1001234501", "0235:100123450100003"]
            .map(|id| Key::participant(Mode::Sandbox, &id.parse().unwrap()).pk);
        assert_eq!(tin, trn);
        assert_eq!(tin, "SANDBOX#PARTICIPANT#0235:1001234501");
    }

    #[test]
    fn the_deliveries_of_one_endpoint_are_spread_over_every_shard_of_the_index_and_their_list() {
        let random = SeededRandom::new(1);
        let organization = OrganizationId::new(Timestamp::UNIX_EPOCH, &random);
        let endpoint = EndpointId::new(Timestamp::UNIX_EPOCH, &random);
        let (mut due, mut listed) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..6_400 {
            let event = EventId::new(Timestamp::UNIX_EPOCH, &random);
            let key = Key::delivery(Mode::Live, &organization, &endpoint, &event);
            *due.entry(key.due_partition(Mode::Live)).or_insert(0) += 1;
            let all = DeliveryList::All;
            let pointer = Key::in_deliveries(Mode::Live, &organization, &endpoint, all, &event);
            *listed.entry(pointer.pk).or_insert(0) += 1;
        }
        assert_eq!((due.len(), listed.len()), (usize::from(DUE_SHARDS), usize::from(LIST_SHARDS)));
        // 100 and 3,200 on average: three standard deviations and more are allowed.
        assert!(due.values().all(|n| (60..=140).contains(n)), "{due:?}");
        assert!(listed.values().all(|n| (3_050..=3_350).contains(n)), "{listed:?}");
    }
}

//! Every key of the table, in one place.
//!
//! There is one table. The partition key `pk` always begins with the mode and then the owner. A [`Key`] has no
//! constructor that takes less, so no read can omit either.
//!
//! | item | pk | sk | attributes | read by |
//! |---|---|---|---|---|
//! | taxpayer | `<MODE>#TAXPAYER#<txpay_…>` | `PROFILE` | [`Taxpayer`](crate::access::Taxpayer) | every request |
//! | access | taxpayer's `#GRANTS` | `ACCESS` | a [`Grant`](crate::access::Grant) for each active grant, named by its id; `version`; `used` and `used_for`: when each grant was last used, and for what | every request, relay, deliver |
//! | grant | taxpayer's `#GRANTS` | `GRANT#<tgr_…>` | [`Grant`](crate::access::Grant), in any state | history |
//! | settings | taxpayer's `#SETTINGS` | `SETTINGS` | [`TaxpayerSettings`](super::TaxpayerSettings) | taxpayer, sends (Live) |
//! | document | taxpayer's `#DOCUMENT#<doc_…>` | `DOCUMENT` | [`DocumentRecord`](super::DocumentRecord), marks | documents, stages, relay, sweeper |
//! | tax report | taxpayer's `#FILING#<rep_…>` (Live) | `FILING` | [`TaxReportRecord`](super::TaxReportRecord), marks | reports, stages, relay, sweeper, report |
//! | transmission of a tax report | tax report's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | pointer to a tax report | taxpayer's `#FILINGS#<list>#<shard>` (Live) | `<rep_…>` | the fields that filters need | reports |
//! | pace | `LIVE#PACE` | `FILINGS` | when the next tax report may be sent | report |
//! | transmission | document's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | dispatch, attempts |
//! | lookup | `<MODE>#LOOKUP#<SHA-256>` | `LOOKUP` | the network's result for a recipient, `ttl` | sends (Live) |
//! | first use | taxpayer's `#FIRST#NUMBER#<operation>#<SHA-256>`, `#FIRST#UUID#<uuid>` | `CLAIM` | the document that first used it | submit |
//! | idempotency | taxpayer's `#IDEMPOTENCY#<SHA-256 of key>` | `IDEMPOTENCY` | [`IdempotencyRecord`](super::IdempotencyRecord) | submit |
//! | event | taxpayer's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), marks, `ttl` | relay, sweep, deliver |
//! | pointer | taxpayer's `#LIST#<index>#<shard>` | `<doc_…>`, or `<issue date>#<doc_…>` | the fields that filters need | documents |
//! | pointer to a credit note | taxpayer's `#LIST#CREDITED#<doc_…>` of the invoice | `<doc_…>` | its id | sends of credit notes |
//! | message | `<MODE>#MESSAGE#<SBDH instance id>` | `OUTBOUND` | the document that the message carries, or the document that it reports | status messages |
//! | inbound message | `<MODE>#INBOUND#<SHA-256 of SBDH instance id>` | `MESSAGE` | [`MessageRecord`](super::MessageRecord), marks | receive, relay, sweeper, validate_inbound |
//! | message id | `<MODE>#INBOUND#<SHA-256 of seat and eb:MessageId>` | `AS4` | the first inbound message with this id | receive |
//! | status message | `<MODE>#STATUS#<SHA-256 of the SBDH instance id that it is about>` | `STATUS#<SHA-256 of its own>` | [`StatusRecord`](super::StatusRecord) | operators |
//! | outbound MLS | `<MODE>#ANSWER#<day>#<shard>` | `<doc_…>` | [`MlsOutboundRecord`](super::MlsOutboundRecord), marks | validate_inbound, deliver, relay, sweeper, mls |
//! | transmission of an outbound MLS | `<MODE>#ANSWER#<doc_…>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | mls |
//! | exchange count | `LIVE#EXCHANGES#<month>#<shard>` | `EXCHANGE#<SHA-256 of the distinguishing fields>` | [`ExchangeCount`](super::ExchangeCount) | OpenPeppol reports |
//! | OpenPeppol report | `LIVE#MONTHLY#<month>` | `<kind>#<number>` | [`PeppolReportRecord`](super::PeppolReportRecord), marks | relay, sweeper, report |
//! | transmission of an OpenPeppol report | `LIVE#MONTHLY#<month>#<kind>#<number>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | usage | `LIVE#USAGE#<day>#<shard>` | `<doc_…>` | [`UsageRecord`], `ttl` | usage export |
//! | export of usage | `LIVE#USAGE` | `EXPORTED` | the last exported day | usage export |
//! | organization | `<MODE>#ORGANIZATION#<org_…>` | `PROFILE` | [`Organization`](crate::access::Organization) | portal |
//! | subscription | organization's `#SUBSCRIPTION` (Live) | `SUBSCRIPTION` | [`Subscription`](super::Subscription) | submit, consent |
//! | seats | organization's `#SEATS` (Live) | `SEATS` | how many seats are in use | consent |
//! | billing event | `LIVE#BILLING#<SHA-256 of webhook-id>` | `EVENT` | marks the event as processed, `ttl` | billing |
//! | subscriber | `LIVE#SUBSCRIBERS#<shard>` | `ORGANIZATION#<org_…>` | marks an organization whose subscription the billing provider reported | billing_reconcile |
//! | quota | organization's `#QUOTA` (Sandbox) | `QUOTA` | [`Quota`](super::Quota) | sends (Sandbox) |
//! | grant mirror | organization's `#GRANTS` | `GRANT#<tgr_…>` | [`Grant`](crate::access::Grant), in any state | grants list |
//! | connection | organization's `#GRANTS` | `CONNECTION#<txpay_…>` | [`Connection`](crate::access::Connection) | consent, revocation, taxpayers list |
//! | endpoint | organization's `#ENDPOINTS` | `ENDPOINT#<we_…>` | [`EndpointRecord`](super::EndpointRecord) | webhook_api, relay, deliver |
//! | deleted endpoint | organization's `#ENDPOINTS` | `DELETED#<we_…>` | [`DeletedEndpoint`](super::DeletedEndpoint), `ttl` | webhook_api |
//! | additions of endpoints | organization's `#ENDPOINTS` | `ADDITIONS` | [`Additions`](super::Additions) | webhook_api, overview |
//! | pointer to an event | organization's `#EVENTS#<shard>` | `<evt_…>#<txpay_…>`; for a test event `<evt_…>#` | [`EventPointer`], `ttl` | webhook_api |
//! | daily counts | organization's `#TALLY#<counter>` | `TALLY#<Monday>` | the number of documents for each weekday and outcome ([`DailyCounts`](super::DailyCounts)), `ttl` | overview |
//! | failed document | organization's `#FAILURES` | `FAILURE#<evt_…>` | [`FailedDocument`](super::FailedDocument), `ttl` | overview |
//! | awaited MLS or tax report outcome | organization's `#AWAITED` | `AWAITED#<instant>#<doc_…>#<what>` | [`AwaitedOf`](super::AwaitedOf), `ttl` | overview |
//! | event about a document | organization's `#EVENTS#<doc_…>` | `TOLD#<evt_…>` | [`EventOfDocument`](super::EventOfDocument), `ttl` | portal |
//! | test event | organization's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), `ttl` | webhook_api, deliver |
//! | attempt | organization's `#ATTEMPTS#<we_…>#<evt_…>` | `ATTEMPT#<number>` | [`AttemptRecord`], `ttl` | webhook_api |
//! | delivery | organization's `#DELIVERY#<we_…>#<evt_…>` | `DELIVERY` | [`DeliveryRecord`](super::DeliveryRecord), marks, `ttl` | deliver, sweeper |
//! | pointer to a delivery | organization's `#DELIVERIES#<we_…>#<list>#<shard>` | `POINTER#<evt_…>` | `ttl` | webhook_api |
//! | breaker | organization's `#GATE#<we_…>` | `GATE` | [`breakers`](super::breakers) | deliver |
//! | pointer to an API key | organization's `#KEYS` | `KEY#<key_…>` | the key's hash | list and revocation of keys |
//! | audit trail | organization's or taxpayer's `#AUDIT` | `<aud_…>` | [`AuditRecord`](crate::access::AuditRecord) | audit events |
//! | API key | `<MODE>#APIKEY#<SHA-256 of key>` | `KEY` | [`ApiKey`](crate::access::ApiKey) | every request |
//! | OAuth client | `<MODE>#CLIENT#<client_…>` | `CLIENT` | [`OAuthClient`](crate::access::oauth::OAuthClient) | oauth |
//! | pointer to a client | organization's `#CLIENTS` | `CLIENT#<client_…>` | its name | operators |
//! | authorization request | `<MODE>#AUTHORIZATION#<SHA-256 of handle>` | `REQUEST` | [`AuthorizationRequest`](crate::access::oauth::AuthorizationRequest), `ttl` | oauth |
//! | authorization code | `<MODE>#CODE#<SHA-256 of code>` | `CODE` | [`AuthorizationCode`](crate::access::oauth::AuthorizationCode), `ttl` | oauth |
//! | access token | `<MODE>#TOKEN#<SHA-256 of token>` | `ACCESS` | [`AccessToken`](crate::access::oauth::AccessToken), `ttl` | every request |
//! | refresh token | `<MODE>#TOKEN#<SHA-256 of token>` | `REFRESH` | [`RefreshToken`](crate::access::oauth::RefreshToken), `ttl` | oauth |
//! | token family | taxpayer's `#TOKENS#<fam_…>` | `FAMILY` | [`TokenFamily`](crate::access::oauth::TokenFamily), `ttl` | every request |
//! | registration | taxpayer's `#REGISTRATION#<register>` | `REGISTRATION` | [`RegistrationRecord`](super::RegistrationRecord), marks | register, inbound, smp |
//! | business card | taxpayer's `#CARD` | `CARD` | [`BusinessCardRecord`](super::BusinessCardRecord) | smp |
//! | application | `<MODE>#APPLICATION#<apl_…>` | `APPLICATION` | [`ApplicationRecord`](super::ApplicationRecord), marks, `ttl` | onboarding, mail, relay, sweeper, register |
//! | changes at the national portal | `LIVE#PORTAL` | `CHANGES` | [`PortalCursor`](super::PortalCursor) | register |
//! | archive | taxpayer's `#ARCHIVES` | `<arc_…>` | [`ArchiveRecord`](super::ArchiveRecord), marks, `ttl` | archives, relay, sweeper |
//! | archive of a period | taxpayer's `#ARCHIVES` | `PERIOD#<from>#<to>` | [`ArchiveOfPeriod`](super::ArchiveOfPeriod), `ttl` | creation of an archive |
//! | import | organization's `#IMPORTS#<txpay_…>` | `<imp_…>` | [`ImportRecord`](super::ImportRecord), marks, `ttl` | imports, relay, sweeper |
//! | import of a file | organization's `#IMPORTS#<txpay_…>` | `FILE#<operation>#<SHA-256 of file>` | [`ImportOfFile`](super::ImportOfFile), `ttl` | creation of an import |
//! | mail | `<MODE>#MAIL#<mail_…>` | `MAIL` | [`MailRecord`](super::MailRecord), marks, `ttl` | relay, sweeper, mail |
//! | link | `<MODE>#LINK#<SHA-256 of its token>` | `LINK` | [`LinkRecord`](super::LinkRecord), `ttl` | sign-in |
//! | use of a link | `<MODE>#SIGNIN#<mail_…>` | `USED` | [`LinkUse`](super::LinkUse), `ttl` | sign-in |
//! | member | organization's `#MEMBERS` | `MEMBER#<mbr_…>` | [`Member`](crate::access::Member) | every page of an organization, sign-in |
//! | member count | organization's `#MEMBERS` | `COUNT` | the number of members, and of owners among them | invitation and removal of members |
//! | membership | `<MODE>#MEMBERSHIP#<SHA-256 of address>` | `ORGANIZATION#<org_…>` | the member with this address in the organization | sign-in, mail |
//! | session | `<MODE>#SESSION#<SHA-256 of its token>` | `SESSION` | [`SessionRecord`](super::SessionRecord), `ttl` | every page |
//! | sessions | taxpayer's `#SESSIONS`, organization's `#SESSIONS#<mbr_…>` | `SESSIONS` | [`SessionsRecord`](super::SessionsRecord) | every page |
//! | session pointer | as sessions | `OPEN#<SHA-256 of its token>` | [`SessionPointer`](super::SessionPointer), `ttl` | account page |
//! | email address | `<MODE>#EMAIL#<SHA-256 of address>` | `TAXPAYER#<txpay_…>` | a taxpayer that is registered with the address | sign-in, mail |
//! | rate | `<MODE>#RATE#<what>#<SHA-256 of the actor>#<window>` | `RATE` | the number of actions, `ttl` | [`rates`](super::Rate) |
//! | participant | `<MODE>#PARTICIPANT#0235:<TIN>` | `TAXPAYER` | [`Recipient`](super::Recipient) | sends to the participant |
//!
//! Free texts of callers (source ids, numbers, idempotency keys) are hashed in keys. They may contain any character and
//! be longer than a key may be.
//!
//! # Marks
//!
//! The index `due` (`due_pk`, `due_at`; keys alone) holds the jobs. `due_pk` is `<MODE>#DUE#<shard>`. `due_at` is the
//! instant from which the sweeper may claim the job. An item with the attribute `relay` waits for the stream's relay as
//! well, and the stream is filtered on that attribute.
//!
//! `ttl` (seconds since 1970) is when DynamoDB removes an item:
//!
//! - a delivery [`DELIVERY_KEPT`](super::DELIVERY_KEPT) after it ended;
//! - an event [`EVENT_KEPT`](super::EVENT_KEPT) after it was relayed;
//! - documents, their pointers and idempotency records never.
//!
//! A parked job is in the same index under `<MODE>#PARKED#<shard>`, with the instant of parking. `jobs.rs` lists all
//! attributes of a job.
//!
//! **To add a kind of job**, add a variant of [`JobId`] with its key, and an arm in `service::relay` that names its
//! queue. The sweeper, the count of attempts, parking and redrive do not depend on the kind.
//!
//! **Facts about a document that its stages do not own** (a transmission) are separate items in the document's
//! partition. A stage updates its own attributes of the document and never replaces the whole item. A status message
//! that ends the exchange also updates only its own attributes.
//!
//! **Tax reports exist in Live only**, so their key functions take no mode. Each has a pointer in the list of all, and
//! one in the list of open ones until it has an outcome. Rare outcomes (not compliant, failed) have a list of their
//! own.
//!
//! # Throughput
//!
//! All items of one `pk` share 1,000 write units a second (1 KB each, doubled in a transaction) and 3,000 read units (4
//! KB each). Therefore:
//!
//! - An item that a send writes has its own partition (document, idempotency record, event, delivery), or is in one of
//!   several shards (pointers, the index).
//! - Items that many sends read (profile and access) share no partition with items that a send writes.
//! - A list reads pointers and single documents. A send reads neither, so no list can throttle a send.
//!
//! Identity and permissions also have their own partitions, because IAM restricts writes by the partition key alone.
//!
//! **Pointers, not indexes.** A list must contain a document as soon as its send is answered, but a global index lags
//! behind. So each document has a pointer item for each of its lists, written in the document's transaction (2 units
//! each). One of these lists is in time order. In one partition a taxpayer could send 500 documents a second; with
//! [`LIST_SHARDS`] it is 1,000. A page takes one query for each shard and one BatchGetItem. A global index would cost 1
//! unit an entry, need the same shards, and not be consistent. Tax reports, events and deliveries are listed in the
//! same way.

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
/// Name of the index over due jobs.
pub const DUE_INDEX: &str = "due";
/// Partition key of the index.
pub const DUE_PK: &str = "due_pk";
/// Sort key of the index.
pub const DUE_AT: &str = "due_at";
/// Marks an item that the stream's relay must claim.
pub const RELAY: &str = "relay";
/// When DynamoDB may remove an item.
pub const TTL: &str = "ttl";

/// The number of index partitions over which the due items of a mode are spread. An event costs the index 2 writes and
/// a delivery 4. So a mode can process 10,000 events a second with one delivery each.
pub const DUE_SHARDS: u8 = 64;
/// The number of index partitions over which the parked items of a mode are spread.
pub const PARKED_SHARDS: u8 = 4;
/// The number of partitions over which the pointers of one list are spread. A page takes three calls: one query for
/// each shard, and one read of the items that it shows.
///
/// An open tax report costs 3 units: 2 in the transaction of its send, 1 when it leaves the list. So a taxpayer can
/// have 666 a second, which is more than `ReportRate` allows all taxpayers together. A pointer to an event or to a
/// delivery costs 1 unit. So an organization can get 2,000 events a second, and an endpoint 2,000 deliveries.
pub const LIST_SHARDS: u8 = 2;

/// The number of items, each in its own partition, that count the events of an organization and week. An event costs 2
/// writes there, and simultaneous events seldom hit the same item. The counters of three weeks fit into one batch read
/// (100 keys). An overview never covers more than three weeks.
pub const DAILY_COUNTERS: u8 = 32;

/// The number of partitions over which the outbound MLS of one day are spread. One costs 5 writes: created, decided,
/// leased, ended.
pub const ANSWER_SHARDS: u8 = 16;

/// The number of partitions over which the exchange counts of a month are spread. One exchange costs a write.
/// Simultaneous exchanges of one kind in one shard wait for each other.
pub const EXCHANGE_SHARDS: u8 = 32;

/// The number of partitions over which the usage of a day is spread. A usage record costs 2 units, so all taxpayers
/// together can send 8,000 Live documents a second.
pub const USAGE_SHARDS: u8 = 16;

/// The number of partitions over which the pointers to subscriptions are spread.
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
/// Sort key of a tax report.
pub const FILING: &str = "FILING";
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
/// Prefix of the sort keys of pointers to deliveries.
pub const DELIVERY_POINTER: &str = "POINTER#";
/// Prefix of the sort keys of attempts.
pub const ATTEMPT: &str = "ATTEMPT#";
/// Prefix of the sort keys of deleted endpoints.
pub const DELETED: &str = "DELETED#";
/// Prefix of the sort keys of an organization's events about a document.
pub const TOLD: &str = "TOLD#";
/// Prefix of the sort keys of grants, in both partitions.
pub const GRANT: &str = "GRANT#";
/// Prefix of the sort keys of connections.
pub const CONNECTION: &str = "CONNECTION#";
/// Prefix of the sort keys of exchange counts.
pub const EXCHANGE: &str = "EXCHANGE#";
/// Prefix of the sort keys of status messages.
pub const STATUS: &str = "STATUS#";
/// Prefix of the sort keys of pointers to OAuth clients.
pub const CLIENT: &str = "CLIENT#";
/// Prefix of the sort keys of memberships and of pointers to subscriptions.
pub const ORGANIZATION: &str = "ORGANIZATION#";
/// Prefix of the sort keys of taxpayers of an email address.
pub const TAXPAYER: &str = "TAXPAYER#";
/// Prefix of the sort keys of pointers to API keys.
pub const API_KEY: &str = "KEY#";
/// Prefix of the sort keys of failed documents.
pub const FAILURE: &str = "FAILURE#";
/// Prefix of the sort keys of awaited outcomes.
pub const AWAITED: &str = "AWAITED#";
/// Prefix of the sort keys of endpoints.
pub const ENDPOINT: &str = "ENDPOINT#";

/// Prefix of a taxpayer's partition keys. The prefix itself is the partition of its profile.
pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#TAXPAYER#{id}", mode.key())
}

/// Prefix of the sort keys of session pointers.
pub(super) const OPEN_SESSION: &str = "OPEN#";

/// Prefix of the sort keys of members.
pub(super) const MEMBER: &str = "MEMBER#";

/// The partition of the sessions record and the session pointers of a taxpayer or a member.
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

/// The partition of the memberships of an email address. The taxpayers of an address have another partition, so the
/// function that invites members cannot change them.
pub(super) fn memberships(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#MEMBERSHIP#{}", mode.key(), address.hash())
}

/// Prefix of an organization's partition keys. The prefix itself is the partition of its profile.
pub fn organization(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#ORGANIZATION#{id}", mode.key())
}

/// The partition of an organization's endpoints. It is not the partition of the profile: the function `deliver` may
/// switch an endpoint off, but must not write profiles and grants.
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

/// The shard of event pointers that contains an event.
pub(super) fn event_pointers_with(
    mode: Mode,
    organization_id: &OrganizationId,
    event: &EventId,
) -> String {
    event_pointers(mode, organization_id, shard_of(event.as_str(), LIST_SHARDS))
}

/// The partition of the events about a document that an organization received.
pub(super) fn events_about(
    mode: Mode,
    organization_id: &OrganizationId,
    document_id: &DocumentId,
) -> String {
    format!("{}#EVENTS#{document_id}", organization(mode, organization_id))
}

/// Prefix of the sort keys of pointers to an event. It is the whole sort key of a test event's pointer.
pub(super) fn event_pointer_prefix(event: &EventId) -> String {
    format!("{event}#")
}

/// The number of the counter that counts an event.
pub(super) fn daily_counter(event: &EventId) -> u8 {
    shard_of(event.as_str(), DAILY_COUNTERS)
}

/// The partition of the outcomes that an organization awaits. It is one partition, so that a query reads the earliest
/// first. A Live document has two awaited outcomes and costs 4 writes there: an organization can send 250 a second.
pub(super) fn awaited(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#AWAITED", organization(mode, organization_id))
}

/// The partition of an organization's recently failed documents.
pub(super) fn failures(mode: Mode, organization_id: &OrganizationId) -> String {
    format!("{}#FAILURES", organization(mode, organization_id))
}

/// The partition of the pointers to an organization's OAuth clients.
pub fn clients(mode: Mode, id: &OrganizationId) -> String {
    format!("{}#CLIENTS", organization(mode, id))
}

/// The partition of the grants on a taxpayer. It is not the profile's: the function that writes grants must not write
/// profiles.
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

/// The partition of an audit trail. Its entries are never changed or removed.
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

    /// A taxpayer's settings. They are apart from its profile, so that one can be writable without the other.
    pub fn settings(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(format!("{}#SETTINGS", taxpayer(mode, id)), "SETTINGS")
    }

    /// A document.
    pub fn document(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(format!("{}#DOCUMENT#{id}", taxpayer(mode, taxpayer_id)), DOCUMENT)
    }

    /// The transmission of a document.
    pub fn transmission(mode: Mode, taxpayer_id: &TaxpayerId, id: &DocumentId) -> Self {
        Key::new(Key::document(mode, taxpayer_id, id).pk, TRANSMISSION)
    }

    /// A tax report.
    pub fn tax_report(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(format!("{}#FILING#{id}", taxpayer(Mode::Live, taxpayer_id)), FILING)
    }

    /// The pointer to a tax report in a list.
    pub fn in_filings(taxpayer_id: &TaxpayerId, list: FilingList, id: &ReportId) -> Self {
        let shard = shard_of(id.as_str(), LIST_SHARDS);
        Key::new(tax_reports(taxpayer_id, list, shard), id.to_string())
    }

    /// The transmission of a tax report.
    pub fn filing_transmission(taxpayer_id: &TaxpayerId, id: &ReportId) -> Self {
        Key::new(Key::tax_report(taxpayer_id, id).pk, TRANSMISSION)
    }

    /// When the next tax report may be sent.
    pub fn filing_pace() -> Self {
        Key::new("LIVE#PACE".to_owned(), "FILINGS")
    }

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

    /// The record of an idempotency key.
    pub fn idempotency(mode: Mode, taxpayer_id: &TaxpayerId, key: &IdempotencyHash) -> Self {
        let hash = key.as_str();
        Key::new(format!("{}#IDEMPOTENCY#{hash}", taxpayer(mode, taxpayer_id)), IDEMPOTENCY)
    }

    /// An event.
    pub fn event(mode: Mode, taxpayer_id: &TaxpayerId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", taxpayer(mode, taxpayer_id)), EVENT)
    }

    /// The pointer to a document in a list.
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

    /// A monthly report to OpenPeppol. Live only.
    pub fn peppol_report(PeppolReportId { month, kind, number }: &PeppolReportId) -> Self {
        Key::new(peppol_reports(*month), format!("{}{number:05}", peppol_report_prefix(*kind)))
    }

    /// The transmission of a monthly report.
    pub fn peppol_report_transmission(id: &PeppolReportId) -> Self {
        let Key { pk, sk } = Key::peppol_report(id);
        Key::new(format!("{pk}#{sk}"), TRANSMISSION)
    }

    /// The registration of a taxpayer in a register.
    pub fn registration(mode: Mode, taxpayer_id: &TaxpayerId, register: Register) -> Self {
        let owner = taxpayer(mode, taxpayer_id);
        Key::new(format!("{owner}#{REGISTRATION}#{}", register.as_str()), REGISTRATION)
    }

    /// A taxpayer's business card.
    pub fn business_card(mode: Mode, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(format!("{}#CARD", taxpayer(mode, taxpayer_id)), "CARD")
    }

    /// An organization.
    pub fn organization(mode: Mode, id: &OrganizationId) -> Self {
        Key::new(organization(mode, id), PROFILE)
    }

    /// An organization's subscription. Live only. It is not in the organization's own partition: the function that
    /// receives billing events must not write profiles.
    pub fn subscription(id: &OrganizationId) -> Self {
        let owner = organization(Mode::Live, id);
        Key::new(format!("{owner}#{SUBSCRIPTION}"), SUBSCRIPTION)
    }

    /// The former key of subscriptions. It is still read, and never written.
    pub fn subscription_before(id: &OrganizationId) -> Self {
        Key::new(organization(Mode::Live, id), SUBSCRIPTION)
    }

    /// An organization's Sandbox quota. Live has no quotas.
    pub fn quota(id: &OrganizationId) -> Self {
        Key::new(format!("{}#QUOTA", organization(Mode::Sandbox, id)), "QUOTA")
    }

    /// The usage record that bills a document. Live only.
    pub fn usage(UsageRecord { document_id, at, .. }: &UsageRecord) -> Self {
        let shard = shard_of(document_id.as_str(), USAGE_SHARDS);
        Key::new(usage(at.to_zoned(TimeZone::UTC).date(), shard), document_id.to_string())
    }

    /// The last day whose usage was exported.
    pub fn usage_exported() -> Self {
        Key::new(format!("{}#USAGE", Mode::Live.key()), "EXPORTED")
    }

    /// The pointer to an organization whose subscription the billing provider reported.
    pub fn subscriber(id: &OrganizationId) -> Self {
        let shard = shard_of(id.as_str(), SUBSCRIBER_SHARDS);
        Key::new(subscribers(shard), format!("{ORGANIZATION}{id}"))
    }

    /// Marks an event of the billing provider as processed. Its identifier is hashed.
    pub fn billing_event(hash: &str) -> Self {
        Key::new(format!("{}#BILLING#{hash}", Mode::Live.key()), EVENT)
    }

    /// The number of an organization's seats in use. It is apart from the subscription: the function that creates
    /// grants must not write that.
    pub fn seats(id: &OrganizationId) -> Self {
        Key::new(format!("{}#SEATS", organization(Mode::Live, id)), "SEATS")
    }

    /// A grant, in its organization's partition.
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

    /// The last archive that was requested for a period.
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

    /// The last import of a file.
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

    /// The count of an organization's added endpoints, in the partition of the endpoints.
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

    /// The request and the response of an attempt at a delivery.
    pub fn attempt(attempt: &AttemptRecord) -> Self {
        let AttemptRecord { mode, organization_id, endpoint_id, event_id, number, .. } = attempt;
        let partition = attempts(*mode, organization_id, endpoint_id, event_id);
        Key::new(partition, format!("{ATTEMPT}{number:05}"))
    }

    /// The remaining facts about a deleted endpoint.
    pub fn deleted_endpoint(mode: Mode, organization_id: &OrganizationId, id: &EndpointId) -> Self {
        Key::new(endpoints(mode, organization_id), format!("{DELETED}{id}"))
    }

    /// An organization's pointer to an event, in the order of events.
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

    /// One counter of an organization for one week, which begins on a Monday.
    pub fn daily_counts(
        mode: Mode,
        organization_id: &OrganizationId,
        week: Date,
        counter: u8,
    ) -> Self {
        let owner = organization(mode, organization_id);
        Key::new(format!("{owner}#TALLY#{counter}"), format!("TALLY#{week}"))
    }

    /// A failed document, by the event that reported the failure to an organization.
    pub fn failure(mode: Mode, organization_id: &OrganizationId, event: &EventId) -> Self {
        Key::new(failures(mode, organization_id), format!("{FAILURE}{event}"))
    }

    /// An outcome that an organization awaits for a document, ordered by `by`. The event that settles it computes the
    /// same key.
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

    /// An event about a document, in the partition of the organization that received it.
    pub fn event_of_document(
        mode: Mode,
        organization_id: &OrganizationId,
        document_id: &DocumentId,
        event_id: &EventId,
    ) -> Self {
        let partition = events_about(mode, organization_id, document_id);
        Key::new(partition, format!("{TOLD}{event_id}"))
    }

    /// A test event of an organization. It is in the organization's partition, because it belongs to no taxpayer.
    pub fn test_event(mode: Mode, organization_id: &OrganizationId, id: &EventId) -> Self {
        Key::new(format!("{}#EVENT#{id}", organization(mode, organization_id)), EVENT)
    }

    /// The circuit breaker of an endpoint, in a partition of its own because it is as busy as the endpoint.
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

    /// The pointer to an OAuth client, in its organization's partition.
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

    /// A token family. It is not in the taxpayer's own partition: the function that refreshes tokens must not write
    /// profiles.
    pub fn token_family(mode: Mode, taxpayer_id: &TaxpayerId, id: &FamilyId) -> Self {
        Key::new(format!("{}#TOKENS#{id}", taxpayer(mode, taxpayer_id)), "FAMILY")
    }

    /// A mail.
    pub fn mail(mode: Mode, id: &MailId) -> Self {
        Key::new(format!("{}#MAIL#{id}", mode.key()), "MAIL")
    }

    /// An application to onboard a business.
    pub fn application(mode: Mode, id: &ApplicationId) -> Self {
        Key::new(format!("{}#APPLICATION#{id}", mode.key()), "APPLICATION")
    }

    /// The position up to which the changes at the national portal were read. Live only.
    pub fn portal_cursor() -> Self {
        Key::new("LIVE#PORTAL".to_owned(), "CHANGES")
    }

    /// A sign-in link.
    pub fn link(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#LINK#{}", mode.key(), hash.as_str()), "LINK")
    }

    /// Marks the link of a mail as used.
    pub fn link_use(mode: Mode, mail: &MailId) -> Self {
        Key::new(format!("{}#SIGNIN#{mail}", mode.key()), "USED")
    }

    /// A session.
    pub fn session(mode: Mode, hash: &TokenHash) -> Self {
        Key::new(format!("{}#SESSION#{}", mode.key(), hash.as_str()), "SESSION")
    }

    /// The record that all sessions of a taxpayer or a member are compared with. It is not in the taxpayer's own
    /// partition: the functions that serve pages must not write profiles and grants.
    pub fn sessions(mode: Mode, holder: &Holder) -> Self {
        Key::new(sessions(mode, holder), "SESSIONS")
    }

    /// The pointer to a session, in its holder's partition.
    pub fn session_pointer(mode: Mode, holder: &Holder, hash: &TokenHash) -> Self {
        Key::new(sessions(mode, holder), format!("{OPEN_SESSION}{}", hash.as_str()))
    }

    /// A member of an organization.
    pub fn member(mode: Mode, organization_id: &OrganizationId, id: &MemberId) -> Self {
        Key::new(members(mode, organization_id), format!("{MEMBER}{id}"))
    }

    /// The number of members of an organization.
    pub fn member_count(mode: Mode, organization_id: &OrganizationId) -> Self {
        Key::new(members(mode, organization_id), "COUNT")
    }

    /// The member with an address in an organization, at most one.
    pub fn membership(mode: Mode, address: &EmailAddress, id: &OrganizationId) -> Self {
        Key::new(memberships(mode, address), format!("{ORGANIZATION}{id}"))
    }

    /// A taxpayer that is registered with an address.
    pub fn email(mode: Mode, address: &EmailAddress, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(email(mode, address), format!("{TAXPAYER}{taxpayer_id}"))
    }

    /// The number of actions of somebody in a window, which begins at a second since 1970.
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

    /// The taxpayer behind a participant identifier. A 0235 value may be written as a TIN, or as a TRN that begins with
    /// the TIN. Both are the same business.
    pub fn participant(mode: Mode, id: &ParticipantId) -> Self {
        let value = id.tin().unwrap_or(id.value());
        Key::new(format!("{}#PARTICIPANT#{}:{value}", mode.key(), id.scheme()), "TAXPAYER")
    }

    /// The index partition of an item. It is a hash of the whole key, so items of one owner or of one moment are
    /// spread.
    pub(super) fn due_partition(&self, mode: Mode) -> String {
        due_shard(mode, self.shard(DUE_SHARDS))
    }

    /// The index partition of a parked item.
    pub(super) fn parked_partition(&self, mode: Mode) -> String {
        parked_shard(mode, self.shard(PARKED_SHARDS))
    }

    fn shard(&self, shards: u8) -> u8 {
        shard_of(&format!("{} {}", self.pk, self.sk), shards)
    }
}

/// A list of a taxpayer's documents, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index<'a> {
    /// All documents.
    All,
    /// Documents of a direction.
    Direction(Direction),
    /// Documents of an operation.
    Type(Operation),
    /// Unfinished documents: accepted, converted or dispatching.
    InFlight,
    /// Documents that failed, and documents whose delivery is unconfirmed.
    Failed,
    /// Documents that were rejected, here or by the recipient's access point.
    Rejected,
    /// Documents with this number.
    Number(&'a str),
    /// Documents with this source_id.
    Source(&'a str),
    /// All documents, the latest issue date first.
    Issued,
}

/// A value that a taxpayer may use for one document only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstUse<'a> {
    /// A number (IBT-001), among the documents of an operation.
    Number(Operation, &'a str),
    /// A number by its bytes. Earlier versions claimed numbers so, before canonically equivalent spellings counted as
    /// one.
    NumberAsWritten(Operation, &'a str),
    /// A UUID (BTAE-07).
    Uuid(Uuid),
}

impl Index<'static> {
    /// The list of a status, for the statuses that few documents have. The other statuses are the rest of a direction:
    /// outbound documents are sent, delivered or forwarded, inbound ones received.
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

/// The hash of a document's number. Canonically equivalent spellings have the same hash: é is one character or two (UAX
/// #15, form C). The hash of a number in form C is the hash of its bytes.
fn hash_of_number(number: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfc();
    sha256_hex(normalizer.normalize(number).as_bytes())
}

/// The partition of the credit notes of an invoice of the taxpayer.
pub(super) fn credit_notes(mode: Mode, taxpayer_id: &TaxpayerId, invoice: &DocumentId) -> String {
    format!("{}#LIST#CREDITED#{invoice}", taxpayer(mode, taxpayer_id))
}

/// A list of a taxpayer's tax reports, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilingList {
    /// All tax reports.
    All,
    /// Tax reports without an outcome.
    Open,
    /// Tax reports that the authority refused.
    NotCompliant,
    /// Tax reports that did not reach the authority.
    Failed,
}

impl FilingList {
    /// The list of a status, for the statuses that few tax reports have.
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

/// A list of the deliveries to an endpoint, those of the newest events first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryList {
    /// All deliveries.
    All,
    /// Deliveries with a failed attempt, until an attempt succeeds.
    Failed,
}

/// The partition of the taxpayers that are registered with an address.
pub(super) fn email(mode: Mode, address: &EmailAddress) -> String {
    format!("{}#EMAIL#{}", mode.key(), address.hash())
}

/// The partition of one shard of the outbound MLS of a day.
pub(super) fn mls_outbound_partition(mode: Mode, day: &str, shard: u8) -> String {
    format!("{}#ANSWER#{day}#{shard}", mode.key())
}

/// The partition of the status messages about an envelope.
pub(super) fn status_messages(mode: Mode, about: &EnvelopeHash) -> String {
    format!("{}#STATUS#{about}", mode.key())
}

/// The partition of one shard of the exchange counts of a month.
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

/// Prefix of the sort keys of a kind of report.
pub(super) fn peppol_report_prefix(kind: Kind) -> String {
    format!("{kind}#")
}

/// One index partition of a mode.
pub fn due_shard(mode: Mode, shard: u8) -> String {
    format!("{}#DUE#{shard}", mode.key())
}

/// One index partition of the parked items of a mode.
pub fn parked_shard(mode: Mode, shard: u8) -> String {
    format!("{}#PARKED#{shard}", mode.key())
}

fn shard_of(text: &str, shards: u8) -> u8 {
    Sha256::digest(text)[0] % shards
}

/// Identifies a job: an item that can be due. It is found by its key in a stream record or in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobId {
    /// A document that is converted and dispatched.
    Document(Mode, TaxpayerId, DocumentId),
    /// An event that must become deliveries.
    Event(Mode, TaxpayerId, EventId),
    /// A delivery that must be attempted.
    Delivery(Mode, OrganizationId, EventId, EndpointId),
    /// A message of another access point that must be validated.
    Message(Mode, EnvelopeHash),
    /// The MLS that is owed for a document of another access point.
    MlsOutbound(Mode, DocumentId),
    /// A registration that must be published to a register.
    Registration(Mode, TaxpayerId, Register),
    /// An archive whose documents must be collected.
    Archive(Mode, TaxpayerId, ArchiveId),
    /// An import whose documents must be sent.
    Import(Mode, OrganizationId, TaxpayerId, ImportId),
    /// A report to the tax authority. Live only.
    TaxReport(TaxpayerId, ReportId),
    /// A monthly report to OpenPeppol. Live only.
    PeppolReport(PeppolReportId),
    /// A receipt that must be moved to the bucket. It is stored in the transmission that it proves.
    Receipt(Mode, Proves),
    /// A mail that must be sent.
    Mail(Mode, MailId),
    /// An application whose business must be registered.
    Application(Mode, ApplicationId),
}

/// The exchange that a receipt proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proves {
    /// A document.
    Document(TaxpayerId, DocumentId),
    /// An MLS about a document.
    MlsOutbound(DocumentId),
    /// A report to the tax authority.
    TaxReport(TaxpayerId, ReportId),
    /// A monthly report to OpenPeppol.
    PeppolReport(PeppolReportId),
}

/// Names each kind, for operators.
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

    /// Parses a key; `None` for an item that is never due.
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

/// The id of a monthly report, from the parts of its key.
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
        // The averages are 100 and 3,200. The bounds are more than three standard deviations away.
        assert!(due.values().all(|n| (60..=140).contains(n)), "{due:?}");
        assert!(listed.values().all(|n| (3_050..=3_350).contains(n)), "{listed:?}");
    }
}

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
//! | logo | taxpayer's `#SETTINGS` | `LOGO` | [`LogoRecord`](super::LogoRecord) | renderings, portal |
//! | document | taxpayer's `#DOCUMENT#<doc_…>` | `DOCUMENT` | [`DocumentRecord`](super::DocumentRecord), marks | documents, stages, relay, sweeper |
//! | tax report | taxpayer's `#FILING#<rep_…>` (Live) | `FILING` | [`TaxReportRecord`](super::TaxReportRecord), marks | reports, stages, relay, sweeper, report |
//! | transmission of a tax report | tax report's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | pointer to a tax report | taxpayer's `#FILINGS#<list>#<shard>` (Live) | `<rep_…>` | the fields that filters need; none in the list of all for the first report about a sent document | reports |
//! | pace | `LIVE#PACE`, `LIVE#PACE#<shard>` | `FILINGS` | when the next tax report may be sent | report |
//! | transmission | document's | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | dispatch, attempts |
//! | lookup | `<MODE>#LOOKUP#<SHA-256>` | `LOOKUP` | the network's result for a recipient, `ttl` | sends (Live) |
//! | first use | taxpayer's `#FIRST#NUMBER#<operation>#<SHA-256>`, `#FIRST#UUID#<uuid>` | `CLAIM` | the document that first used it | submit |
//! | idempotency | taxpayer's `#IDEMPOTENCY#<SHA-256 of key>` | `IDEMPOTENCY` | [`IdempotencyRecord`](super::IdempotencyRecord) | submit |
//! | event | taxpayer's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), marks, `ttl` | relay, sweep, deliver |
//! | pointer | taxpayer's `#LIST#<index>#<shard>` | `<doc_…>`, or `<issue date>#<doc_…>` if the document was made on another day | the fields that filters need | documents |
//! | pointer to a credit note | taxpayer's `#LIST#CREDITED#<doc_…>` of the invoice | `<doc_…>` | its id | sends of credit notes |
//! | message | `<MODE>#MESSAGE#<SBDH instance id>` | `OUTBOUND` | the document that the message carries, or the document that it reports; `ttl` | receive, validate_inbound |
//! | inbound message | `<MODE>#INBOUND#<SHA-256 of SBDH instance id>` | `MESSAGE` | [`MessageRecord`](super::MessageRecord), marks; `ttl` once a status message has its effect | receive, relay, sweeper, validate_inbound |
//! | message id | `<MODE>#INBOUND#<SHA-256 of seat and eb:MessageId>` | `AS4` | the first inbound message with this id; `ttl` | receive |
//! | status message | `<MODE>#STATUS#<SHA-256 of the SBDH instance id that it is about>` | `STATUS#<SHA-256 of its own>` | [`StatusRecord`](super::StatusRecord) | operators |
//! | outbound MLS | `<MODE>#ANSWER#<day>#<shard>` | `<doc_…>` | [`MlsOutboundRecord`](super::MlsOutboundRecord), marks | validate_inbound, deliver, relay, sweeper, mls |
//! | transmission of an outbound MLS | `<MODE>#ANSWER#<doc_…>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | mls |
//! | exchange count | `LIVE#EXCHANGES#<month>#<shard>` | `EXCHANGE#<SHA-256 of the distinguishing fields>` | [`ExchangeCount`](super::ExchangeCount) | OpenPeppol reports |
//! | OpenPeppol report | `LIVE#MONTHLY#<month>` | `<kind>#<number>` | [`PeppolReportRecord`](super::PeppolReportRecord), marks | relay, sweeper, report |
//! | transmission of an OpenPeppol report | `LIVE#MONTHLY#<month>#<kind>#<number>` | `TRANSMISSION` | [`TransmissionRecord`](super::TransmissionRecord) | report |
//! | usage | `LIVE#USAGE#<day>#<shard>` | `<doc_…>` | [`UsageRecord`](super::UsageRecord), `ttl` | usage export |
//! | retirement of items | `LIVE#RETIREMENT` | `SHARD#<shard>`, of received documents `RECEIVED#<shard>` | [`RetirementPlace`](super::RetirementPlace) | archives |
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
//! | additions of endpoints | organization's `#ENDPOINTS` | `ADDITIONS` | [`Additions`](super::endpoints::Additions) | webhook_api, overview |
//! | version of endpoints | organization's `#ENDPOINTS#<shard>` | `VERSION` | `version`: one more after every change of an endpoint | relay |
//! | pointer to an event | organization's `#EVENTS#<shard>` | `<evt_…>#<txpay_…>`; for a test event `<evt_…>#` | [`EventPointer`](super::EventPointer), `ttl` | webhook_api |
//! | daily counts | organization's `#TALLY#<counter>` | `TALLY#<Monday>` | the number of documents for each weekday and outcome ([`DailyCounts`](super::DailyCounts)), `ttl` | overview |
//! | failed document | organization's `#FAILURES` | `FAILURE#<evt_…>` | [`FailedDocument`](super::FailedDocument), `ttl` | overview |
//! | awaited MLS or tax report outcome | organization's `#AWAITED#<shard>` | `AWAITED#<instant>#<doc_…>#<what>` | [`AwaitedOf`](super::AwaitedOf), `ttl` | overview |
//! | event about a document | organization's `#EVENTS#<doc_…>` | `TOLD#<evt_…>` | [`EventOfDocument`](super::EventOfDocument), `ttl` | portal |
//! | test event | organization's `#EVENT#<evt_…>` | `EVENT` | [`EventRecord`](super::EventRecord), `ttl` | webhook_api, deliver |
//! | long attempt | organization's `#ATTEMPTS#<we_…>#<evt_…>` | `ATTEMPT#<number>` | [`AttemptRecord`](super::AttemptRecord), `ttl` | webhook_api |
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
//! | draft | organization's `#IMPORTS#<txpay_…>` | `DRAFT#<imp_…>` | [`DraftRecord`](super::DraftRecord), `ttl` | documents written by hand |
//! | columns of imports | organization's `#IMPORTS#COLUMNS` | `COLUMNS#<operation>` | [`ColumnsRecord`](super::ColumnsRecord) | imports in the portal |
//! | mail | `<MODE>#MAIL#<mail_…>` | `MAIL` | [`MailRecord`](super::MailRecord), marks, `ttl` | relay, sweeper, mail |
//! | link | `<MODE>#LINK#<SHA-256 of its token>` | `LINK` | [`LinkRecord`](super::LinkRecord), `ttl` | sign-in |
//! | use of a link | `<MODE>#SIGNIN#<mail_…>` | `USED` | [`LinkUse`](super::LinkUse), `ttl` | sign-in |
//! | last sweep of a part | `<MODE>#SWEEP` | `LAST`, `LAST#<part>` | [`SweepRecord`](super::SweepRecord) | sweeper, portal |
//! | end of certificates | `LIVE#CERTIFICATE` | `END` | when the first of the service's certificates expires | sweeper, trust_refresh |
//! | notice | organization's `#NOTICES` | kind of notification | [`NoticeRecord`](super::NoticeRecord), marks | relay, sweeper, deliver, notifications page |
//! | member | organization's `#MEMBERS` | `MEMBER#<mbr_…>` | [`Member`](crate::access::Member) | every page of an organization, sign-in |
//! | member count | organization's `#MEMBERS` | `COUNT` | the number of members, and of owners among them | invitation and removal of members |
//! | saved views | organization's `#MEMBERS` | `VIEWS#<mbr_…>` | [`SavedViews`](super::SavedViews) | lists of documents |
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
//! - a delivery [`DELIVERY_KEPT`](super::jobs::DELIVERY_KEPT) after it ended;
//! - an event [`EVENT_KEPT`](super::EVENT_KEPT) after it was relayed;
//! - documents, their pointers and idempotency records never.
//!
//! Other items of a closed document are retired to the bucket (`retired.rs`).
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
//! unit an entry, need the same shards, and not be consistent. Tax reports are listed in the same way; events and
//! deliveries too, in [`EVENT_SHARDS`].

mod billing;
mod credentials;
mod documents;
mod job_id;
mod key;
mod network;
mod organizations;
mod overview;
mod people;
mod tax_reports;
mod taxpayers;
mod webhooks;

pub use billing::*;
pub use credentials::*;
pub use documents::*;
pub use job_id::*;
pub use key::*;
pub use network::*;
pub use organizations::*;
pub use overview::*;
pub use people::*;
pub use tax_reports::*;
pub use taxpayers::*;
pub use webhooks::*;

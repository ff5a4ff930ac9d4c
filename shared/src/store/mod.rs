//! The table, the bucket and the queues. [`keys`] documents every item with its key. Every read, conditional write and
//! transaction is a named function.
//!
//! **Outcomes of a write.** A conditional write is done, refused, or unknown. It is unknown when the response was lost,
//! or when an attempt that the SDK repeated may have been applied. The functions here never guess:
//!
//! - A refusal is compared with the intended write, because a repeated attempt meets its own write.
//! - An unknown outcome is read back.
//! - If that read fails too, the caller gets [`StoreError::Unknown`] and must tell its client to retry with the same
//!   key.

mod api_keys;
mod applications;
mod archives;
mod audit;
pub mod breakers;
mod certificates;
mod collections;
#[cfg(test)]
mod compatibility;
mod connections;
mod daily_counts;
mod deliveries;
mod documents;
mod drafts;
mod dynamo;
mod emails;
mod endpoints;
mod event_lists;
mod events;
mod exchange_counts;
mod first_uses;
mod grants;
mod idempotency;
mod images;
mod imports;
mod jobs;
pub mod keys;
mod leases;
mod list_partitions;
mod listing;
mod logos;
mod lookups;
mod mailer;
mod mails;
mod members;
mod messages;
mod mls_outbound;
mod names;
mod notices;
mod oauth;
mod pace;
mod payloads;
mod peppol_reports;
mod pointers;
mod profiles;
mod queues;
mod quotas;
mod rates;
mod records;
mod registrations;
mod resubmissions;
mod retired;
mod revocation_lists;
mod saved_views;
mod sealed;
mod seats;
mod sessions;
mod statuses;
mod subscriptions;
mod sweeps;
mod tax_report_lists;
mod tax_reports;
mod taxpayer_changes;
mod text;
mod transmissions;
mod uploads;
mod usage;
mod usage_exports;

use std::{error::Error, sync::Arc};

use crate::types::Random;

pub use archives::{ARCHIVE_KEPT, ArchivePartDone};
pub use audit::AuditSelection;
pub use collections::{CollectionPage, GrantSelection};
pub use connections::GrantChange;
pub use daily_counts::{AWAITED_KEPT, AwaitedOf, DailyCounts, FailedDocument};
pub use deliveries::Change;
pub use documents::{Effects, Progress, Recorded, Recording, SavedReply, Step};
#[cfg(test)]
pub(crate) use dynamo::{from_item, unpacked};
#[cfg(test)]
pub use endpoints::Additions;
pub use endpoints::{MAX_ENDPOINTS, Watched};
pub use event_lists::{DeliveryState, EVENT_SHOWN, EventSelection, PublishedEvent};
pub use first_uses::EarlierUses;
pub use grants::{Access, Recipient};
pub use idempotency::{Release, Reservation, Reserved};
pub use images::Image;
pub use imports::Chunk;
#[cfg(test)]
pub use imports::IMPORT_KEPT;
pub use jobs::{
    Due, DueCursor, EVENT_KEPT, Job, JobVersion, Listed, Mark, Parked, QUEUE_GRACE, RELAY_GRACE,
    Seen,
};
pub use leases::Leased;
pub use listing::{First, Position, PositionedPage, Selection};
pub use lookups::Asking;
pub use mailer::{Letter, Mailer, MailerError, sender};
pub use members::{MAX_MEMBERS, Unchanged};
pub use messages::{
    MessageRecorded, MessageValidation, Repetition, Settling, ValidatedMessage, ValidatedStatus,
};
pub use mls_outbound::Answered;
pub use oauth::{Issue, TokensEnded};
pub use pace::{TurnLease, TurnRequest};
pub use payloads::{ArchivePlace, Beside, Bucket, Held, PayloadKind, PayloadMethod};
pub use peppol_reports::Reported;
pub use pointers::Transmitted;
pub use queues::{
    ApplicationMessage, ArchiveMessage, DeliverMessage, FirstAttempt, ImportMessage, MAX_DELAY,
    MailMessage, Message, MlsOutboundMessage, PeppolReportMessage, Queue, QueueError,
    RegisterMessage, ReportMessage, StageMessage, ValidateInboundMessage,
};
pub use quotas::{Quota, quota_day};
pub use rates::{Rate, Share, Taken, place};
pub use records::*;
pub use retired::{DailyEntry, DailyList, RETIRED_AFTER, Retirable, RetirementPlace};
pub use saved_views::{SavedView, SavedViews};
pub use seats::{Billing, Seat, SeatChange};
pub use sessions::Used;
pub use statuses::SettledDocument;
pub use subscriptions::{BillingEvent, Heard, Known};
pub use sweeps::SweepRecord;
pub use tax_report_lists::TaxReportSelection;
pub use tax_reports::{Filed, NewTaxReport, SettledTaxReport};
pub use taxpayer_changes::{TaxpayerChanged, TaxpayerState, TaxpayerWrites};
pub use text::instant;
pub use usage::{Departure, USAGE_KEPT};
pub use usage_exports::UsageExport;
#[cfg(test)]
pub use usage_exports::usage_object;

/// Why an operation of the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A read failed, or a write is known not to have happened.
    #[error("the store cannot be reached: {0}")]
    Unavailable(#[source] BoxError),
    /// A write may or may not have happened.
    #[error("a write's outcome is not known: {0}")]
    Unknown(#[source] BoxError),
    /// A stored item is malformed.
    #[error("a stored item cannot be used: {0}")]
    Corrupt(#[source] BoxError),
}

type BoxError = Box<dyn Error + Send + Sync>;

/// The table. Clients are built once and shared.
#[derive(Clone)]
pub struct Store {
    dynamo: aws_sdk_dynamodb::Client,
    table: Arc<str>,
    random: Arc<dyn Random>,
    cold: Option<retired::ColdStorage>,
}

impl Store {
    /// A store over a table. `random` adds jitter to the retries of conflicting writes.
    pub fn new(dynamo: aws_sdk_dynamodb::Client, table: &str, random: Arc<dyn Random>) -> Self {
        Store { dynamo, table: table.into(), random, cold: None }
    }
}

//! The enums of the API that several of its bodies and parameters use, and their conversion to those of the service.

use serde::{Deserialize, Serialize};
use utoipa::{PartialSchema, ToSchema};

use crate::{
    access::{Action, GrantStatus as InnerGrantStatus, TaxpayerStatus as InnerTaxpayerStatus},
    document::Operation,
    i18n::Language,
    rendering::Languages,
    store::{
        DeliveryState, Direction, EventType as InnerType, Status, StatusCode, TaxReportKind,
        TaxReportOutcome, TaxReportRole, TaxReportStatus,
    },
};

/// Converts between an enum of the API and the equivalent enum of the service.
macro_rules! same {
    ($shown:ident = $inner:ident { $($variant:ident)* }) => {
        impl From<$inner> for $shown {
            fn from(inner: $inner) -> Self {
                match inner { $($inner::$variant => $shown::$variant,)* }
            }
        }

        impl From<$shown> for $inner {
            fn from(shown: $shown) -> Self {
                match shown { $($shown::$variant => $inner::$variant,)* }
            }
        }
    };
}

pub(super) use same;

/// The names of an enum, in its order.
pub(super) fn names_of<T: PartialSchema>() -> Vec<String> {
    let schema = serde_json::to_value(T::schema()).unwrap_or_default();
    // Constants with descriptions, or a plain enumeration: utoipa writes either.
    let plain = schema["enum"].as_array().into_iter().flatten();
    let described = schema["oneOf"].as_array().into_iter().flatten().map(|one| &one["const"]);
    plain.chain(described).filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The direction of a document, from the taxpayer's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentDirection {
    /// Sent by the taxpayer.
    Outbound,
    /// Received by the taxpayer.
    Inbound,
}

same!(DocumentDirection = Direction { Outbound Inbound });

/// The status of a document. It only moves forward: accepted → converted → dispatching → sent, unconfirmed or failed.
/// A sent or unconfirmed document becomes delivered, forwarded or rejected when the recipient's access point reports
/// it. An inbound document is received or rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentStatus {
    /// Accepted for queued delivery.
    Accepted,
    /// The UBL is made.
    Converted,
    /// On its way.
    Dispatching,
    /// Sent: the recipient's access point has it, and has signed for that.
    Sent,
    /// It left, and whether it arrived cannot be found out any more: no proof came in time. Ask the
    /// recipient before you send it again.
    Unconfirmed,
    /// It could not be sent, for good; `warnings` says why.
    Failed,
    /// The recipient has it: its access point says so in a Message Level Status (AP).
    Delivered,
    /// The recipient's access point passed it on, and nobody has confirmed that it arrived (AB).
    Forwarded,
    /// Received from another access point or, in Sandbox, from another taxpayer.
    Received,
    /// Outbound: the recipient's access point rejected it (RE); `message_level_status` says why.
    /// Inbound: it came from another access point and breaks the rules; `warnings` says which. It
    /// counts as not received, and no document.received tells of it.
    Rejected,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(DocumentStatus = Status { Accepted Converted Dispatching Sent Unconfirmed Failed Delivered Forwarded Received Rejected Unknown });

/// The operation that creates a type of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// POST /invoices
    Invoice,
    /// POST /credit-notes
    CreditNote,
    /// POST /self-billing/invoices
    SelfBilledInvoice,
    /// POST /self-billing/credit-notes
    SelfBilledCreditNote,
}

same!(DocumentType = Operation { Invoice CreditNote SelfBilledInvoice SelfBilledCreditNote });

/// The code of a Message Level Status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum MessageLevelStatusCode {
    /// Delivered to the recipient, who confirmed it.
    #[serde(rename = "AP")]
    Delivered,
    /// Delivered without confirmation.
    #[serde(rename = "AB")]
    Forwarded,
    /// Rejected or undeliverable.
    #[serde(rename = "RE")]
    Rejected,
    /// A code that this version of the service does not know yet; only while it is being updated.
    #[serde(rename = "unknown")]
    Unknown,
}

same!(MessageLevelStatusCode = StatusCode { Delivered Forwarded Rejected Unknown });

/// The languages of a page for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ViewLanguage {
    /// English.
    En,
    /// Arabic, from right to left.
    Ar,
    /// English and Arabic, side by side.
    Both,
}

impl From<ViewLanguage> for Languages {
    fn from(language: ViewLanguage) -> Self {
        match language {
            ViewLanguage::En => Languages::One(Language::English),
            ViewLanguage::Ar => Languages::One(Language::Arabic),
            ViewLanguage::Both => Languages::Both,
        }
    }
}

/// The kind of a report (TDT-006).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ReportKind {
    /// It was issued, or received.
    #[serde(rename = "S")]
    Submit,
    /// The same again, after a report that did not hold.
    #[serde(rename = "R")]
    Resubmit,
    /// What was reported of it holds no more.
    #[serde(rename = "W")]
    Withdraw,
    /// It was received, and breaks the rules.
    #[serde(rename = "F")]
    Failed,
    /// A kind that this version of the service does not know yet; only while it is being updated.
    #[serde(rename = "unknown")]
    Unknown,
}

same!(ReportKind = TaxReportKind { Submit Resubmit Withdraw Failed Unknown });

/// The side of the document on which the taxpayer is (TDT-010).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ReportRole {
    /// It sent the document.
    #[serde(rename = "01")]
    Sender,
    /// It received it.
    #[serde(rename = "02")]
    Receiver,
    /// A role that this version of the service does not know yet; only while it is being updated.
    #[serde(rename = "unknown")]
    Unknown,
}

same!(ReportRole = TaxReportRole { Sender Receiver Unknown });

/// The status of a report. It only moves forward: due → filing → submitted → reported or not_compliant. It ends as
/// failed if the report did not reach the tax authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportStatus {
    /// It is owed, and was not taken up yet.
    Due,
    /// It is on its way.
    Filing,
    /// The authority has it, or may have it; its verdict is awaited.
    Submitted,
    /// The authority accepted it.
    Reported,
    /// The authority refused it; `reasons` says why.
    NotCompliant,
    /// It did not reach the authority in 48 hours, cannot be made, or was given up; `reasons` says why.
    Failed,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(ReportStatus = TaxReportStatus { Due Filing Submitted Reported NotCompliant Failed Unknown });

/// The outcome of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportOutcome {
    /// The authority accepted it.
    Reported,
    /// The authority refused it.
    NotCompliant,
    /// It did not reach the authority.
    Failed,
    /// An outcome that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(ReportOutcome = TaxReportOutcome { Reported NotCompliant Failed Unknown });

/// The status of a taxpayer. Organizations can act only for an active taxpayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(description = STATUS_DESCRIPTION)]
pub enum TaxpayerStatus {
    /// Onboarding is not complete.
    Onboarding,
    /// Onboarded and active.
    Active,
    /// It may not act for now.
    Suspended,
    /// It must confirm its details again before it acts.
    Reverification,
    /// It left for good.
    Deregistered,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(TaxpayerStatus = InnerTaxpayerStatus { Onboarding Active Suspended Reverification Deregistered Unknown });

/// Whether a grant is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantStatus {
    /// It is active.
    Active,
    /// The taxpayer or the organization ended it.
    Revoked,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(GrantStatus = InnerGrantStatus { Active Revoked Unknown });

/// The description includes the table of all transitions, which a test compares with the code.
pub(super) const STATUS_DESCRIPTION: &str = concat!(
    "The status of a taxpayer. Organizations can act only for an active taxpayer. Every change is published as \
     taxpayer.updated to organizations with a grant.\n\n",
    include_str!("../access/transitions.md")
);

/// The action of an audit event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum AuditAction {
    /// The organization was made.
    #[serde(rename = "organization.created")]
    OrganizationCreated,
    /// An API key was made.
    #[serde(rename = "key.created")]
    KeyCreated,
    /// An API key was revoked.
    #[serde(rename = "key.revoked")]
    KeyRevoked,
    /// Somebody was invited to be a member.
    #[serde(rename = "member.invited")]
    MemberInvited,
    /// A member signed in for the first time.
    #[serde(rename = "member.joined")]
    MemberJoined,
    /// A member got another role.
    #[serde(rename = "member.role_changed")]
    MemberRoleChanged,
    /// Somebody is a member no more.
    #[serde(rename = "member.removed")]
    MemberRemoved,
    /// An OAuth client was made.
    #[serde(rename = "client.created")]
    ClientCreated,
    /// An OAuth client got other redirect URIs.
    #[serde(rename = "client.updated")]
    ClientUpdated,
    /// An OAuth client was deleted.
    #[serde(rename = "client.deleted")]
    ClientDeleted,
    /// An OAuth client got another secret.
    #[serde(rename = "client.secret_rotated")]
    ClientSecretRotated,
    /// A taxpayer approved the organization.
    #[serde(rename = "grant.approved")]
    GrantApproved,
    /// A grant was revoked, by the taxpayer or by the organization.
    #[serde(rename = "grant.revoked")]
    GrantRevoked,
    /// The operator of the access point created the taxpayer.
    #[serde(rename = "taxpayer.created")]
    TaxpayerCreated,
    /// Settings or metadata of a taxpayer changed.
    #[serde(rename = "taxpayer.updated")]
    TaxpayerUpdated,
    /// The onboarding status of a taxpayer changed.
    #[serde(rename = "taxpayer.status_changed")]
    TaxpayerStatusChanged,
    /// Somebody asked to onboard the taxpayer.
    #[serde(rename = "onboarding.requested")]
    OnboardingRequested,
    /// The link that was sent for that was used.
    #[serde(rename = "onboarding.verified")]
    OnboardingVerified,
    /// The taxpayer confirmed its details.
    #[serde(rename = "onboarding.confirmed")]
    OnboardingConfirmed,
    /// A member signed in.
    #[serde(rename = "sign_in.succeeded")]
    SignInSucceeded,
    /// A member signed out, of one session or of all.
    #[serde(rename = "session.ended")]
    SessionEnded,
    /// A refresh token came that had been replaced: all tokens that came of it were ended.
    #[serde(rename = "token.reuse_detected")]
    TokenReuseDetected,
    /// Whoever operates the access point had the subscription be active, or gave it other seats.
    #[serde(rename = "subscription.set")]
    SubscriptionSet,
    /// Whoever operates the access point ended the subscription.
    #[serde(rename = "subscription.ended")]
    SubscriptionEnded,
    /// Whoever operates the access point set how much may be sent in Sandbox on a day.
    #[serde(rename = "quota.set")]
    QuotaSet,
    /// A webhook endpoint was made.
    #[serde(rename = "endpoint.created")]
    EndpointCreated,
    /// A webhook endpoint was changed, enabled or disabled.
    #[serde(rename = "endpoint.updated")]
    EndpointUpdated,
    /// A webhook endpoint got another signing secret.
    #[serde(rename = "endpoint.secret_rotated")]
    EndpointSecretRotated,
    /// A webhook endpoint was disabled by the service, since it is gone or took nothing for days.
    #[serde(rename = "endpoint.disabled")]
    EndpointDisabled,
    /// A webhook endpoint was deleted.
    #[serde(rename = "endpoint.deleted")]
    EndpointDeleted,
    /// A test event was sent; the subject is the event.
    #[serde(rename = "event.tested")]
    EventTested,
    /// An event was sent to a webhook endpoint again; the subject is the event.
    #[serde(rename = "delivery.retried")]
    DeliveryRetried,
    /// What failed at a webhook endpoint was sent again; the subject is the endpoint.
    #[serde(rename = "endpoint.replayed")]
    EndpointReplayed,
    /// A file of documents was taken in; the subject is the import.
    #[serde(rename = "import.created")]
    ImportCreated,
    /// An action that this version of the service does not know yet; only while it is being updated.
    #[serde(rename = "unknown")]
    Unknown,
}

same!(AuditAction = Action {
    OrganizationCreated KeyCreated KeyRevoked MemberInvited MemberJoined MemberRoleChanged MemberRemoved
    ClientCreated ClientUpdated ClientDeleted ClientSecretRotated GrantApproved GrantRevoked
    TaxpayerCreated TaxpayerUpdated TaxpayerStatusChanged OnboardingRequested OnboardingVerified OnboardingConfirmed SignInSucceeded
    SessionEnded TokenReuseDetected SubscriptionSet SubscriptionEnded QuotaSet EndpointCreated EndpointUpdated
    EndpointSecretRotated EndpointDisabled EndpointDeleted EventTested DeliveryRetried EndpointReplayed ImportCreated
    Unknown
});

/// The event types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum WebhookEventType {
    /// The organization's first grant on a taxpayer.
    #[serde(rename = "taxpayer.created")]
    TaxpayerCreated,
    /// A taxpayer's details or status, or the organization's grants on it changed.
    #[serde(rename = "taxpayer.updated")]
    TaxpayerUpdated,
    /// The organization lost its last grant on a taxpayer.
    #[serde(rename = "taxpayer.deleted")]
    TaxpayerDeleted,
    /// The result of a send.
    #[serde(rename = "document.sent")]
    DocumentSent,
    /// An inbound document.
    #[serde(rename = "document.received")]
    DocumentReceived,
    /// A document's status changed.
    #[serde(rename = "document.status")]
    DocumentStatus,
    /// The outcome of a report to the tax authority.
    #[serde(rename = "document.reported")]
    DocumentReported,
    /// A type that this version of the service does not know yet; only while it is being updated.
    #[serde(rename = "unknown")]
    Unknown,
}

same!(WebhookEventType = InnerType {
    TaxpayerCreated TaxpayerUpdated TaxpayerDeleted DocumentSent DocumentReceived DocumentStatus DocumentReported Unknown
});

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookDeliveryStatus {
    /// It waits for its first attempt, be it that it was asked for again.
    Pending,
    /// An attempt runs.
    Delivering,
    /// Attempts failed, and it waits for another one.
    Failing,
    /// The endpoint took it: it answered 2xx.
    Delivered,
    /// It failed, and there is no further attempt unless you ask for one.
    Failed,
    /// A status that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

same!(WebhookDeliveryStatus = DeliveryState { Pending Delivering Failing Delivered Failed Unknown });

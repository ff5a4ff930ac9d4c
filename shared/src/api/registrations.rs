//! A taxpayer's business card, its Directory listing, and its registrations.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    business_card::BusinessCardResponse, error::ApiError, request::Call, response::three_digits,
};
use crate::{
    access::Scope,
    api::route::{Answer, Content, HttpMethod, RequestBody, Route, TAXPAYER},
    error::Code::NotFound,
    service::business_cards,
    store::{Register, RegistrationRecord, RegistrationStatus},
};

const CARD_ANSWER: Answer = Answer::of(200, "The business card", Content::BusinessCard);

const LISTING_ANSWER: Answer = Answer::of(200, "The listing", Content::Listing);

/// The status of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationState {
    /// It was never wanted.
    None,
    /// The register is about to be notified.
    Registering,
    /// The register has it.
    Registered,
    /// Another service provider is about to be let take the taxpayer over.
    Preparing,
    /// Another service provider may take the taxpayer over.
    Prepared,
    /// The register is about to be notified that it ends.
    Withdrawing,
    /// It has ended.
    Withdrawn,
    /// A state that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

/// A register of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegisterName {
    /// The network itself: others find the taxpayer, and what it receives.
    Network,
    /// The Peppol Directory, which shows its business card.
    Directory,
}

/// A registration of a taxpayer in a register.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegistrationResponse {
    /// The register.
    pub register: RegisterName,
    /// Status of the registration.
    pub state: RegistrationState,
    /// Why the last attempt to notify the register failed. Null otherwise.
    #[schema(required)]
    pub cause: Option<String>,
    /// Whether the service has stopped retrying. It retries after the operator has corrected the cause.
    pub given_up: bool,
    /// Peppol document types that the taxpayer can receive, including wildcards.
    pub document_types: Vec<String>,
    /// Time of the last change of the state, in UTC with milliseconds.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub updated_at: Timestamp,
}

/// The current and former registrations of a taxpayer.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListRegistrationsResponse {
    /// The registrations, one for each register.
    pub items: Vec<RegistrationResponse>,
}

/// Whether the Peppol Directory shows a taxpayer's business card.
#[derive(Debug, Serialize, ToSchema)]
pub struct DirectoryListingResponse {
    /// Status of the listing.
    pub state: RegistrationState,
    /// Why the last attempt to notify the Directory failed. Null otherwise.
    #[schema(required)]
    pub cause: Option<String>,
    /// Whether the service has stopped retrying. It retries after the operator has corrected the cause.
    pub given_up: bool,
}

impl From<RegistrationStatus> for RegistrationState {
    fn from(status: RegistrationStatus) -> Self {
        match status {
            RegistrationStatus::Registering => RegistrationState::Registering,
            RegistrationStatus::Registered => RegistrationState::Registered,
            RegistrationStatus::Preparing => RegistrationState::Preparing,
            RegistrationStatus::Prepared => RegistrationState::Prepared,
            RegistrationStatus::Withdrawing => RegistrationState::Withdrawing,
            RegistrationStatus::Withdrawn => RegistrationState::Withdrawn,
            RegistrationStatus::Unknown => RegistrationState::Unknown,
        }
    }
}

impl From<RegistrationRecord> for RegistrationResponse {
    fn from(record: RegistrationRecord) -> Self {
        let types = record.services.iter().map(|service| service.document_type.to_string());
        RegistrationResponse {
            register: match record.register {
                Register::Network => RegisterName::Network,
                Register::Directory => RegisterName::Directory,
            },
            state: record.status.into(),
            document_types: types.collect(),
            given_up: record.parked.is_some(),
            cause: record.cause,
            updated_at: record.updated_at,
        }
    }
}

impl From<Option<RegistrationRecord>> for DirectoryListingResponse {
    fn from(record: Option<RegistrationRecord>) -> Self {
        let Some(RegistrationRecord { status, cause, parked, .. }) = record else {
            return DirectoryListingResponse {
                state: RegistrationState::None,
                cause: None,
                given_up: false,
            };
        };
        DirectoryListingResponse { state: status.into(), cause, given_up: parked.is_some() }
    }
}

pub(super) const CARD: Route = Route {
    id: "get_business_card",
    path: "/taxpayer/business-card",
    summary: "Get the business card",
    description: "Returns the business card of the taxpayer. It is public while the taxpayer is listed in the \
        Peppol Directory.",
    answers: &[CARD_ANSWER],
    errors: &[NotFound],
    ..TAXPAYER
};

pub(super) async fn card(call: Call) -> Result<Response, ApiError> {
    let card = business_cards::card(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(BusinessCardResponse::from(card)).into_response())
}

pub(super) const PUT_CARD: Route = Route {
    id: "put_business_card",
    method: HttpMethod::Put,
    path: "/taxpayer/business-card",
    summary: "Replace the business card",
    description: "Replaces the business card of the taxpayer. If the taxpayer is listed in the Directory, the \
        Directory fetches the new card. In Sandbox, no register is notified.",
    any_of: &[Scope::InvoicesWrite],
    answers: &[CARD_ANSWER],
    errors: &[],
    body: Some(RequestBody::BusinessCard),
    ..TAXPAYER
};

pub(super) async fn put_card(mut call: Call) -> Result<Response, ApiError> {
    let body = call.json_body().await?;
    let entities = business_cards::read(&body)?;
    let card = business_cards::put_card(call.ctx(), &call.caller.taxpayer, entities).await?;
    Ok(Json(BusinessCardResponse::from(card)).into_response())
}

pub(super) const LISTING: Route = Route {
    id: "get_directory_listing",
    path: "/taxpayer/directory-listing",
    summary: "Get the Directory listing",
    description: "Returns whether the Peppol Directory shows the taxpayer's business card.",
    answers: &[LISTING_ANSWER],
    ..TAXPAYER
};

/// The state of the Directory listing.
pub(super) async fn listing(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::listing(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(listing)).into_response())
}

pub(super) const LIST: Route = Route {
    id: "put_directory_listing",
    method: HttpMethod::Put,
    path: "/taxpayer/directory-listing",
    summary: "Create the Directory listing",
    description: "Publishes the taxpayer's business card in the Peppol Directory. The card must exist (404 \
        otherwise). The request has no body. The Directory is notified in the background. In Sandbox no register \
        is notified, and the state is registered immediately.",
    any_of: &[Scope::InvoicesWrite],
    answers: &[LISTING_ANSWER],
    errors: &[NotFound],
    ..TAXPAYER
};

/// Lists the taxpayer in the Directory.
pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::list(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(Some(listing))).into_response())
}

pub(super) const UNLIST: Route = Route {
    id: "delete_directory_listing",
    method: HttpMethod::Delete,
    path: "/taxpayer/directory-listing",
    summary: "Remove the Directory listing",
    description: "Removes the taxpayer's business card from the Peppol Directory. A taxpayer that was never \
        listed stays unlisted.",
    any_of: &[Scope::InvoicesWrite],
    answers: &[LISTING_ANSWER],
    ..TAXPAYER
};

/// Removes the taxpayer from the Directory.
pub(super) async fn unlist(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::unlist(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(listing)).into_response())
}

pub(super) const REGISTRATIONS: Route = Route {
    id: "list_registrations",
    path: "/taxpayer/registrations",
    summary: "List registrations",
    description: "Returns the registrations of the taxpayer in the registers of the network, with the causes of \
        failures. A registration starts when onboarding ends. In Sandbox, no register is notified.",
    answers: &[Answer::of(200, "The registrations", Content::Registrations)],
    ..TAXPAYER
};

/// The current and former registrations of the taxpayer.
pub(super) async fn registrations(call: Call) -> Result<Response, ApiError> {
    let found = business_cards::registrations(call.ctx(), &call.caller.taxpayer).await?;
    let items = found.into_iter().map(Into::into).collect();
    Ok(Json(ListRegistrationsResponse { items }).into_response())
}

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
    service::business_cards,
    store::{Register, RegistrationRecord, RegistrationStatus},
};

/// The status of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationState {
    /// It was never wanted.
    None,
    /// The register is about to be told.
    Registering,
    /// The register has it.
    Registered,
    /// Another service provider is about to be let take the taxpayer over.
    Preparing,
    /// Another service provider may take the taxpayer over.
    Prepared,
    /// The register is about to be told that it ends.
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

pub(super) async fn card(call: Call) -> Result<Response, ApiError> {
    let card = business_cards::card(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(BusinessCardResponse::from(card)).into_response())
}

pub(super) async fn put_card(mut call: Call) -> Result<Response, ApiError> {
    let body = call.json_body().await?;
    let entities = business_cards::read(&body)?;
    let card = business_cards::put_card(call.ctx(), &call.caller.taxpayer, entities).await?;
    Ok(Json(BusinessCardResponse::from(card)).into_response())
}

/// The state of the Directory listing.
pub(super) async fn listing(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::listing(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(listing)).into_response())
}

/// Lists the taxpayer in the Directory.
pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::list(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(Some(listing))).into_response())
}

/// Removes the taxpayer from the Directory.
pub(super) async fn unlist(call: Call) -> Result<Response, ApiError> {
    let listing = business_cards::unlist(call.ctx(), &call.caller.taxpayer).await?;
    Ok(Json(DirectoryListingResponse::from(listing)).into_response())
}

/// The current and former registrations of the taxpayer.
pub(super) async fn registrations(call: Call) -> Result<Response, ApiError> {
    let found = business_cards::registrations(call.ctx(), &call.caller.taxpayer).await?;
    let items = found.into_iter().map(Into::into).collect();
    Ok(Json(ListRegistrationsResponse { items }).into_response())
}

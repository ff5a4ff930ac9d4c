//! An organization's own affairs: its identity, its connected taxpayers, and its grants.

use std::collections::{BTreeMap, BTreeSet};

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    error::ApiError,
    request::{Call, OwnCall},
    response::{three_digits, three_digits_or_null},
    taxpayer::TaxpayerSettingsResponse,
    wire::{GrantStatus, TaxpayerStatus},
};
use crate::{
    access::{self, Actor, CredentialId, Grant, OrganizationCaller, Scope},
    api::{
        query,
        route::{ActsFor, Answer, Content, HttpMethod, OWN, Route},
    },
    error::Code::*,
    service::{
        self, Connecting, Identity, grants,
        taxpayers::{self, Connected},
    },
    types::Mode,
};

/// The party that revoked a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantRevoker {
    /// The taxpayer took its approval back.
    Taxpayer,
    /// The organization disconnected itself.
    Organization,
    /// Whoever operates the access point.
    Operator,
    /// Somebody that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

/// A taxpayer's authorization of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct GrantResponse {
    /// Identifier of the grant.
    #[schema(
        pattern = "^tgr_[0-9A-Za-z]{1,64}$",
        example = "tgr_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub grant_id: String,
    /// Taxpayer that approved the grant.
    #[schema(
        pattern = "^txpay_[0-9A-Za-z]{1,64}$",
        example = "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub taxpayer_id: String,
    /// Status of the grant.
    pub status: GrantStatus,
    /// Approved scopes.
    #[schema(example = json!(["invoices:read", "invoices:write"]))]
    pub scopes: Vec<String>,
    /// Name of the connection, from the authorization request.
    #[schema(required)]
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace, from the authorization request.
    #[schema(required)]
    pub external_id: Option<String>,
    /// Time when all tokens of the grant were revoked, because a refresh token or a code was used twice. Null
    /// otherwise. The grant remains active, and API keys can still use it. To get new tokens, have the taxpayer
    /// connect again.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-08-01T10:00:00.000Z")]
    pub tokens_ended_at: Option<Timestamp>,
    /// Time of the approval.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub created_at: Timestamp,
    /// Time of the revocation. Null while the grant is active.
    #[serde(serialize_with = "three_digits_or_null")]
    #[schema(required, example = "2026-08-01T10:00:00.000Z")]
    pub revoked_at: Option<Timestamp>,
    /// Party that revoked the grant. Null while the grant is active.
    #[schema(required)]
    pub revoked_by: Option<GrantRevoker>,
}

/// A page of grants.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListGrantsResponse {
    /// The grants, newest first.
    pub items: Vec<GrantResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A taxpayer to which the organization is connected.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxpayerResponse {
    /// Identifier on this access point. Pass it in the header x-ae-taxpayer-id.
    #[schema(
        pattern = "^txpay_[0-9A-Za-z]{1,64}$",
        example = "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718"
    )]
    pub taxpayer_id: String,
    /// Peppol participant identifier: 0235 and the TIN.
    #[schema(example = "0235:1001234501")]
    pub participant_id: String,
    /// Status of the taxpayer.
    pub status: TaxpayerStatus,
    /// The organization's active grants on the taxpayer, oldest first. There is at least one.
    pub grants: Vec<GrantResponse>,
    /// Creation time of the oldest active grant.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub connected_at: Timestamp,
    /// Name of the taxpayer. Null without the scope taxpayer:read.
    #[schema(required)]
    pub name: Option<String>,
    /// The organization's own data about the taxpayer. Other organizations neither see nor change it.
    pub metadata: BTreeMap<String, String>,
    /// Registered profile, which is the supplier of the taxpayer's documents. It has the fields of `supplier` of a
    /// send, and `vat_identifiers`, the additional TRNs for its invoices. Null without the scope taxpayer:read, and
    /// in GET /taxpayers.
    #[schema(required, value_type = Option<Object>)]
    pub profile: Option<Value>,
    /// Settings of the taxpayer. Present in GET and PATCH /taxpayer. Null in other responses, and without the scope
    /// taxpayer:read.
    #[schema(required)]
    pub settings: Option<TaxpayerSettingsResponse>,
}

/// A page of taxpayers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListTaxpayersResponse {
    /// The taxpayers, newest first.
    pub items: Vec<TaxpayerResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// The two separate environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentName {
    /// The real Peppol network and the real tax authority.
    Live,
    /// Free test environment; nothing leaves the service.
    Sandbox,
}

/// The type of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// An API key of the organization.
    ApiKey,
    /// An access token, which acts for one taxpayer.
    AccessToken,
    /// A member's session in the portal, which is of no use here.
    Session,
}

/// The credential of the request.
#[derive(Debug, Serialize, ToSchema)]
pub struct CredentialResponse {
    /// Type of the credential.
    pub kind: CredentialKind,
    /// Identifier of the API key, or of the client of the access token. It is not secret.
    #[schema(example = "key_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub id: String,
    /// Grant of the access token. Null for an API key.
    #[schema(required)]
    pub grant: Option<TokenGrantResponse>,
}

/// The grant of an access token.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenGrantResponse {
    /// Taxpayer for which the token acts.
    #[schema(example = "txpay_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub taxpayer_id: String,
    /// Grant that the token uses.
    #[schema(example = "tgr_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub grant_id: String,
    /// Scopes of the token.
    #[schema(example = json!(["invoices:read", "invoices:write"]))]
    pub scopes: Vec<String>,
}

/// The caller.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeResponse {
    /// Environment of the credential.
    pub environment: EnvironmentName,
    /// Identifier of the organization.
    #[schema(example = "org_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub organization_id: String,
    /// Name of the organization.
    pub organization_name: String,
    /// Credential of the request.
    pub credential: CredentialResponse,
}

impl From<Actor> for GrantRevoker {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Operator => GrantRevoker::Operator,
            Actor::ApiKey(_) | Actor::Client(_) | Actor::Member(_) => GrantRevoker::Organization,
            Actor::Taxpayer(_) => GrantRevoker::Taxpayer,
            // These actors cannot revoke a grant.
            Actor::NationalPortal | Actor::Service | Actor::Unknown(_) => GrantRevoker::Unknown,
        }
    }
}

impl From<Grant> for GrantResponse {
    fn from(grant: Grant) -> Self {
        GrantResponse {
            grant_id: grant.grant_id.into(),
            taxpayer_id: grant.taxpayer_id.into(),
            status: grant.status.into(),
            scopes: names(grant.scopes),
            tokens_ended_at: grant.tokens_ended_at,
            grant_label: grant.grant_label,
            external_id: grant.external_id,
            created_at: grant.created_at,
            revoked_at: grant.revoked_at,
            revoked_by: grant.revoked_by.map(Into::into),
        }
    }
}

/// A taxpayer without its profile.
impl From<Connected> for TaxpayerResponse {
    fn from(connected: Connected) -> Self {
        let details = connected.shows_details();
        let connected_at = connected.since();
        let access::Taxpayer { taxpayer_id, participant_id, name, status, .. } = connected.taxpayer;
        TaxpayerResponse {
            taxpayer_id: taxpayer_id.into(),
            participant_id: participant_id.to_string(),
            status: status.into(),
            grants: connected.grants.into_iter().map(Into::into).collect(),
            connected_at,
            name: details.then_some(name),
            metadata: connected.metadata,
            profile: None,
            settings: None,
        }
    }
}

pub(super) const ME: Route = Route {
    id: "get_me",
    path: "/me",
    summary: "Get the caller",
    description: "Returns the organization and the environment of the credential. For an access token, also \
        returns its taxpayer, grant and scopes.",
    answers: &[Answer::of(200, "The caller", Content::Me)],
    errors: &[],
    acts_for: ActsFor::Either,
    ..OWN
};

/// The identity of the caller.
pub(super) async fn me(call: Call<Identity>) -> Result<Response, ApiError> {
    let (caller, grant) = match call.caller {
        Identity::Organization(caller) => (caller, None),
        Identity::TokenHolder(caller) => {
            let access::Caller { mode, organization_id, credential, taxpayer, grant_ids, scopes } =
                *caller;
            let grant = TokenGrantResponse {
                taxpayer_id: taxpayer.taxpayer_id.into(),
                // A token has exactly one grant.
                grant_id: grant_ids.into_iter().next().map(Into::into).unwrap_or_default(),
                scopes: names(scopes),
            };
            (OrganizationCaller { mode, organization_id, credential }, Some(grant))
        }
    };
    let OrganizationCaller { mode, organization_id, credential } = caller;
    let organization = service::organization(&call.app.sending.ctx, mode, &organization_id).await?;
    let (kind, id) = match credential {
        CredentialId::ApiKey(id) => (CredentialKind::ApiKey, id.into()),
        CredentialId::AccessToken(client_id) => (CredentialKind::AccessToken, client_id.into()),
        // The portal does not call this operation.
        CredentialId::Session(member_id) => (CredentialKind::Session, member_id.into()),
    };
    let me = MeResponse {
        environment: match mode {
            Mode::Live => EnvironmentName::Live,
            Mode::Sandbox => EnvironmentName::Sandbox,
        },
        organization_id: organization_id.into(),
        organization_name: organization.name,
        credential: CredentialResponse { kind, id, grant },
    };
    Ok(Json(me).into_response())
}

fn names(scopes: BTreeSet<Scope>) -> Vec<String> {
    scopes.into_iter().map(|scope| scope.as_str().to_owned()).collect()
}

pub(super) const LIST_TAXPAYERS: Route = Route {
    id: "list_taxpayers",
    path: "/taxpayers",
    summary: "List connected taxpayers",
    description: "Returns the taxpayers on which the organization has an active grant, with any scopes and any \
        status, newest first. Requires only Authorization. Details are included if a grant has the scope \
        taxpayer:read. A page may be shorter than `limit`. Continue until `next_cursor` is null.",
    query: query::LIST_TAXPAYERS,
    answers: &[Answer::of(200, "A page", Content::Taxpayers)],
    ..OWN
};

pub(super) async fn list_taxpayers(call: OwnCall) -> Result<Response, ApiError> {
    let filter = taxpayers::Filter {
        status: call.query.name::<TaxpayerStatus>("status")?.map(Into::into),
        participant_id: call.query.participant("participant_id")?,
    };
    let page = taxpayers::list(call.ctx(), &call.caller, &filter, call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListTaxpayersResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) const GET_TAXPAYER: Route = Route {
    id: "get_taxpayer",
    path: "/taxpayers/{taxpayer_id}",
    summary: "Get a connected taxpayer",
    description: "Returns a connected taxpayer. Its registered profile is included if a grant has the scope \
        taxpayer:read. The answer is 403 grant_required if the taxpayer does not exist, gave no grant to the \
        organization, or revoked it.",
    answers: &[Answer::of(200, "The taxpayer", Content::Taxpayer)],
    ..OWN
};

/// A taxpayer, with its profile.
pub(super) async fn get_taxpayer(call: OwnCall) -> Result<Response, ApiError> {
    let found = taxpayers::get(call.ctx(), &call.caller, &call.variable).await?;
    let profile = match found.shows_details() {
        true => serde_json::from_str(&found.taxpayer.profile).ok(),
        false => None,
    };
    Ok(Json(TaxpayerResponse { profile, ..found.into() }).into_response())
}

pub(super) const REVOKE_GRANT: Route = Route {
    id: "revoke_grant",
    method: HttpMethod::Delete,
    path: "/grants/{grant_id}",
    summary: "Revoke a grant",
    description: "Revokes the organization's grant on a taxpayer. The next request through the grant is answered \
        with 403, and all of its tokens are invalid. If the organization has another active grant on the \
        taxpayer, taxpayer.updated follows. If it was the last grant, taxpayer.deleted follows. A grant that is \
        already revoked stays unchanged and is returned again. Requires only Authorization. Only the taxpayer \
        can grant access again.",
    answers: &[Answer::of(200, "The revoked grant", Content::Grant)],
    errors: &[NotFound],
    ..OWN
};

pub(super) async fn revoke_grant(call: OwnCall<Connecting>) -> Result<Response, ApiError> {
    let by = call.by(&call.caller.credential);
    let OrganizationCaller { mode, organization_id, .. } = &call.caller;
    // A malformed identifier cannot belong to the organization.
    let grant_id = call.variable.parse().map_err(|_| grants::unknown_grant())?;
    let grant = grants::revoke(&call.app.ctx, *mode, organization_id, &grant_id, &by).await?;
    Ok(Json(GrantResponse::from(grant)).into_response())
}

pub(super) const LIST_GRANTS: Route = Route {
    id: "list_grants",
    path: "/grants",
    summary: "List grants",
    description: "Returns all active and revoked grants of the organization, newest first. Use it to find \
        changes whose events you missed. Requires only Authorization. A page may be shorter than `limit`. \
        Continue until `next_cursor` is null.",
    query: query::LIST_GRANTS,
    answers: &[Answer::of(200, "A page", Content::Grants)],
    ..OWN
};

pub(super) async fn list_grants(call: OwnCall) -> Result<Response, ApiError> {
    let filter = grants::Filter {
        status: call.query.name::<GrantStatus>("status")?.map(Into::into),
        taxpayer_id: call.query.taxpayer("taxpayer_id")?,
    };
    let page = grants::list(call.ctx(), &call.caller, &filter, call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListGrantsResponse { items, next_cursor: page.next_cursor }).into_response())
}

//! The form that changes an endpoint.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    fields::{BUSINESS, BUSINESSES, Businesses, chosen_businesses, chosen_types, description},
    notifying, path_of,
};
use crate::{
    access::Permission,
    pages::{
        App, Form, Frame, PageError, PageRequest,
        excerpt::cut,
        organization::{Refusal, correctable, deliveries, done, frame, identifier},
    },
    service::{
        sessions::SignedInMember,
        webhooks::{self, MAX_DESCRIPTION, MAX_URL, Patch},
    },
    store::{EndpointRecord, EndpointStatus, EventType},
    types::{EndpointId, TaxpayerId},
};

#[derive(Template)]
#[template(path = "organization/webhook_change.html")]
struct ChangePage<'a> {
    frame: Frame<'a>,
    problem: Option<&'a Refusal>,
    endpoint_id: &'a EndpointId,
    /// Its shortened URL, for the heading.
    address: String,
    entered: Entered,
    longest_url: usize,
    longest_description: usize,
    types: [EventType; 7],
    businesses: Businesses,
}

/// The values of the form that changes an endpoint.
struct Entered {
    url: String,
    description: String,
    /// The chosen types; empty for all types.
    types: Vec<EventType>,
    chosen: Vec<TaxpayerId>,
    /// The typed identifiers of businesses.
    typed: Option<String>,
    enabled: bool,
    /// The version that the form changes.
    version: u64,
}

impl Entered {
    /// The values of a stored endpoint.
    fn of(endpoint: EndpointRecord) -> Self {
        Entered {
            url: endpoint.url,
            description: endpoint.description.unwrap_or_default(),
            types: endpoint.event_types,
            chosen: endpoint.taxpayer_ids,
            typed: None,
            enabled: endpoint.status == EndpointStatus::Enabled,
            version: endpoint.version,
        }
    }

    /// The entered values after a refusal.
    fn again(form: &Form, endpoint: &EndpointRecord) -> Self {
        // Checked boxes stay checked, whatever is wrong with the typed text.
        let checked = || form.chosen(BUSINESS).filter_map(|text| text.parse().ok());
        Entered {
            // A longer value was not typed into the form.
            url: cut(form.field("url").trim(), MAX_URL),
            description: cut(form.field("description"), MAX_DESCRIPTION),
            types: chosen_types(form),
            chosen: chosen_businesses(form).unwrap_or_else(|_| checked().collect()),
            typed: Some(form.field(BUSINESSES).to_owned()),
            enabled: !form.field("enabled").is_empty(),
            // The version at which the form was opened, so that a stale form cannot overwrite another change.
            version: form.field("version").parse().unwrap_or(endpoint.version),
        }
    }
}

/// The path of the form that changes an endpoint, below the path of the mode.
pub(super) fn path_of_change(id: &EndpointId) -> String {
    format!("{}/change", path_of(id))
}

/// The form that changes an endpoint. It has its own page, since it lists the businesses.
pub(in crate::pages::organization) async fn changing(
    State(app): State<App>,
    request: PageRequest,
    Path(endpoint_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let id: EndpointId = endpoint_id.parse().map_err(|_| PageError::NotFound)?;
    change_page(&app, &request, &member, &id, None).await
}

/// The page of that form, with the stored values, or with the entered values and their errors.
async fn change_page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    id: &EndpointId,
    refused: Option<(&Form, &Refusal)>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let endpoint = webhooks::get(&app.ctx, request.mode, organization_id, id).await?.endpoint;
    let address = deliveries::address(&endpoint.url);
    let entered = match refused {
        Some((form, _)) => Entered::again(form, &endpoint),
        None => Entered::of(endpoint),
    };
    let (chosen, typed) = (&entered.chosen, entered.typed.as_deref());
    let page = ChangePage {
        frame: frame(request, signed_in),
        problem: refused.map(|(_, problem)| problem),
        endpoint_id: id,
        address,
        businesses: Businesses::of(app, signed_in, chosen, typed).await?,
        entered,
        longest_url: MAX_URL,
        longest_description: MAX_DESCRIPTION,
        types: EventType::ALL,
    };
    let status = if refused.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(in crate::pages::organization) async fn change(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let (signed_in, by) = form.request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let request = &form.request_to(&path_of_change(&id));
    let chosen = match chosen_businesses(&form) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            return change_page(&app, request, &signed_in, &id, Some((&form, &refusal))).await;
        }
    };
    let patch = Patch {
        url: Some(form.field("url").trim().to_owned()),
        event_types: Some(chosen_types(&form)),
        taxpayer_ids: Some(chosen),
        description: Some(description(&form)),
        enabled: Some(!form.field("enabled").is_empty()),
        version: form.field("version").parse().ok(),
    };
    let organization_id = &signed_in.member.organization_id;
    let notifying = notifying(&app)?;
    match webhooks::patch(notifying, request.mode, organization_id, &id, &patch, &by).await {
        Ok(_) => Ok(done(request, &path_of(&id), "changed")),
        Err(failure) => {
            let refused = Some((&form, &correctable(failure)?));
            change_page(&app, request, &signed_in, &id, refused).await
        }
    }
}

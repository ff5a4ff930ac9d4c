//! The list of endpoints, and the form that creates one.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    PATH, ShownEndpoint,
    fields::{BUSINESSES, Businesses, chosen_businesses, chosen_types, description},
    notifying,
};
use crate::{
    access::Permission,
    pages::{
        App, Form, Frame, PageError, PageRequest,
        excerpt::cut,
        organization::{Part, Refusal, Who, correctable, frame, said},
    },
    service::{
        sessions::SignedInMember,
        webhooks::{self, EndpointSettings, MAX_DESCRIPTION, MAX_URL},
    },
    store::EventType,
    types::{EndpointId, TaxpayerId},
};

/// Maximum endpoints on a page: this many stay below 50 kB, whatever the length of other texts.
const ENDPOINTS: usize = 10;

#[derive(Template)]
#[template(path = "organization/webhooks.html")]
struct WebhooksPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    url: &'a str,
    description: &'a str,
    longest_url: usize,
    longest_description: usize,
    /// A new endpoint and its secret, which is shown only once.
    new: Option<(&'a EndpointId, &'a str)>,
    types: [EventType; 7],
    businesses: Businesses,
    endpoints: Part<ShownEndpoint>,
}

/// The notices of a page of endpoints.
#[derive(Default)]
struct EndpointsNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    url: &'a str,
    description: &'a str,
    chosen: &'a [TaxpayerId],
    typed: Option<&'a str>,
    new: Option<(&'a EndpointId, &'a str)>,
}

pub(in crate::pages::organization) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let done = said(&request, &[("deleted", "webhooks-done-deleted")])?;
    page(&app, &request, &member, EndpointsNotice { done, ..EndpointsNotice::default() }).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    notice: EndpointsNotice<'_>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let EndpointsNotice { done, problem, url, description, chosen, typed, new } = notice;
    let (found, businesses) = tokio::try_join!(
        async {
            Ok::<_, PageError>(webhooks::list(&app.ctx, request.mode, organization_id).await?)
        },
        Businesses::of(app, signed_in, chosen, typed),
    )?;
    let shown = found.into_iter().map(ShownEndpoint::of).collect();
    let id = |shown: &ShownEndpoint| shown.watched.endpoint.endpoint_id.to_string();
    let page = WebhooksPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        // A longer value was not typed into the form.
        url: &cut(url, MAX_URL),
        description: &cut(description, MAX_DESCRIPTION),
        longest_url: MAX_URL,
        longest_description: MAX_DESCRIPTION,
        new,
        types: EventType::ALL,
        businesses,
        endpoints: Part::of(request, PATH, shown, ENDPOINTS, id)?,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(in crate::pages::organization) async fn create(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let (url, entered) = (form.field("url").trim(), form.field("description"));
    let typed = Some(form.field(BUSINESSES));
    let notice = EndpointsNotice { url, description: entered, typed, ..EndpointsNotice::default() };
    let chosen = match chosen_businesses(&form) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            return page(
                &app,
                request,
                &signed_in,
                EndpointsNotice { problem: Some(&refusal), ..notice },
            )
            .await;
        }
    };
    let wanted = EndpointSettings {
        url: url.to_owned(),
        event_types: chosen_types(&form),
        taxpayer_ids: chosen.clone(),
        description: description(&form),
        ..EndpointSettings::default()
    };
    let organization_id = &signed_in.member.organization_id;
    let made = webhooks::create(notifying(&app)?, request.mode, organization_id, wanted, &by).await;
    match made {
        Ok(made) => {
            let secret = made.secret.expose();
            let new = Some((&made.endpoint.endpoint_id, secret.as_str()));
            page(&app, request, &signed_in, EndpointsNotice { new, ..EndpointsNotice::default() })
                .await
        }
        Err(failure) => {
            let problem = correctable(failure)?;
            let notice = EndpointsNotice { problem: Some(&problem), chosen: &chosen, ..notice };
            page(&app, request, &signed_in, notice).await
        }
    }
}

//! The functions whose events are HTTP requests.

use std::{sync::Arc, time::Duration};

use axum::Router;
use lambda_http::{
    Request, RequestExt,
    http::Request as HttpRequest,
    tower::{ServiceExt, util::MapRequestLayer},
};
use lambda_runtime::Error;

use super::{start, start_log};
use crate::{
    api::{self, Bounds, DocsUrl, Pace, RawPath, Spool},
    config::{ApiOriginConfig, BrandConfig},
    docs as documentation,
    lambda::{Deployment, block_on, serve},
    pages,
    service::{
        Connecting, Notifying, Portal, Receiving, Serving, Subscribing, publish::Publishing,
    },
};

/// The API.
pub fn api() -> Result<(), Error> {
    start(async |deployment| {
        let serving = Arc::new(Serving::on(&deployment, api::render)?);
        serve(documented(api::router(serving), &deployment)?).await
    })
}

/// The operations on webhook endpoints and events.
pub fn webhook_api() -> Result<(), Error> {
    start(async |deployment| {
        let webhooks = api::hooks(Notifying::on(&deployment).await?);
        serve(documented(webhooks, &deployment)?).await
    })
}

/// The events of the billing provider.
pub fn billing() -> Result<(), Error> {
    start(async |deployment| {
        let billing = api::billing(Subscribing::on(&deployment).await?);
        serve(documented(billing, &deployment)?).await
    })
}

/// OAuth, consent and onboarding: the operations of the API, and pages.
pub fn oauth() -> Result<(), Error> {
    start(async |deployment| {
        let api = documented(api::oauth(Connecting::on(&deployment)?), &deployment)?;
        serve(or_pages(api, Portal::of_taxpayers(&deployment)?.map(pages::portal))).await
    })
}

/// The portal of organizations.
pub fn portal() -> Result<(), Error> {
    start(async |deployment| {
        serve(pages::organization(Portal::of_organizations(&deployment).await?)).await
    })
}

/// Documents as PDF. A function of its own, so that no other contains the typesetter.
#[cfg(feature = "pdf")]
pub fn pdf() -> Result<(), Error> {
    start(async |deployment| {
        let api = documented(api::pdf(crate::service::Printing::on(&deployment)?), &deployment)?;
        serve(or_pages(api, Portal::of_documents(&deployment)?.map(pages::pdf))).await
    })
}

/// The documentation of the API. It needs nothing of the deployment but its brand.
pub fn docs() -> Result<(), Error> {
    block_on(async {
        let environment = start_log()?;
        let BrandConfig { brand } = BrandConfig::read(&environment)?;
        let ApiOriginConfig { origin } = ApiOriginConfig::read(&environment)?;
        serve(documentation::router(&brand, origin.as_deref())).await
    })
}

/// Our SMP.
pub fn smp() -> Result<(), Error> {
    start(async |deployment| {
        let smp = api::smp(Publishing::on(&deployment).await?);
        serve(smp.layer(MapRequestLayer::new(keep_path))).await
    })
}

/// Receives AS4 messages of other access points.
pub fn inbound() -> Result<(), Error> {
    start(async |deployment| {
        let inbound = api::as4(Receiving::on(&deployment)?, one_message());
        lambda_http::run(ServiceExt::<Request>::map_err(inbound, Error::from)).await
    })
}

/// Adds links to the documentation to the errors of an API.
fn documented(api: Router, deployment: &Deployment) -> Result<Router, Error> {
    Ok(api::documented(api, DocsUrl::read(deployment.environment())?))
}

/// An API with pages at all other paths.
fn or_pages(api: Router, pages: Option<Router>) -> Router {
    match pages {
        Some(pages) => api.fallback_service(pages),
        None => api,
    }
}

/// Keeps the path as API Gateway gives it: made a URI, a decoded one would end at the first `#`.
fn keep_path<B>(mut request: HttpRequest<B>) -> HttpRequest<B> {
    let path = RawPath(request.raw_http_path().to_owned());
    request.extensions_mut().insert(path);
    request
}

/// Maximum size of a message. Lambda accepts 6 MiB a request, in which a message is Base64. API Gateway answers larger
/// requests itself (AWS Lambda developer guide, "Lambda quotas").
const MAX_MESSAGE_BYTES: usize = 6 * 1024 * 1024 / 4 * 3;

/// The bounds of an invocation, which has one message, already received.
fn one_message() -> Bounds {
    let second = Duration::from_secs(1);
    Bounds {
        bytes: MAX_MESSAGE_BYTES,
        pace: Pace { grace: second, bytes_per_second: u32::MAX, within: second },
        spool: Spool { memory_bytes: MAX_MESSAGE_BYTES, directory: None },
        spool_bytes: u64::MAX,
        spool_bytes_of_address: u64::MAX,
        of_address: usize::MAX,
        at_once: 1,
        place_within: second,
        forwarded: false,
    }
}

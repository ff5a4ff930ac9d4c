//! The HTTP API over `service`: routes, requests, responses, errors and the OpenAPI document.
//!
//! An operation is declared once, as a `Route` (`api::routes`). The declaration contains the required scopes, which are
//! checked first, so no operation can omit the check. A handler is one call of a use case and one response. All errors
//! have one shape, which the edge writes because it knows the request id.

mod archives;
mod as4;
mod attempts;
mod audit;
mod billing;
mod business_card;
mod content;
mod documents;
mod edge;
mod error;
mod header;
mod imports;
mod methods;
mod oauth;
pub mod openapi;
mod organization;
mod query;
mod registrations;
mod reports;
mod request;
mod response;
mod route;
mod smp;
mod submissions;
mod taxpayer;
mod webhooks;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::{self, Request},
    middleware,
    response::Response,
    routing::{MethodFilter, MethodRouter, on},
};

#[cfg(test)]
pub use archives::ArchiveResponse;
pub use archives::describe;
pub use as4::{Bounds, Connections, Pace, Spool, as4, serve_as4};
pub use billing::billing;
pub use edge::X_REQUEST_ID;
pub use error::{ApiError, DOCS, DocsUrl, ERRORS_PAGE, RULES_PAGE, retry_after, status};
#[cfg(test)]
pub use imports::ImportResponse;
#[cfg(test)]
pub use response::DocumentResponse;
pub use response::render;
pub use smp::{RawPath, smp};
pub use submissions::IDEMPOTENT_REPLAYED;
pub(crate) use taxpayer::read as taxpayer_patch;
pub(crate) use webhooks::body as webhook_bodies;
pub use webhooks::events::{ListEventsResponse, ListWebhookDeliveriesResponse};
pub use webhooks::tools::{
    RetriedWebhookDeliveriesResponse, RetryFailedWebhookDeliveriesBody, RetryWebhookDeliveryBody,
    SendTestEventBody,
};
pub use webhooks::{
    CreateWebhookEndpointBody, ListWebhookEndpointsResponse, RotateWebhookSecretBody,
    UpdateWebhookEndpointBody,
};

#[cfg(feature = "pdf")]
use crate::service::Printing;
use crate::{
    access::{Caller, OrganizationCaller},
    document::Operation,
    log::{self, Field},
    service::{Connecting, Context, Notifying, Serving},
    tasks::Boxed,
};
use request::{Call, OwnCall, State};
use route::{HttpMethod, Route};

/// The shared state of the handlers.
pub type App = Arc<Serving>;

/// The base paths of the operations: the versioned one, and the aliases of older integrations.
pub const BASES: [&str; 3] = ["/v1", "/api/v1", "/api"];

/// The maximum size of a response in bytes. Lambda limits a function's response to 6 MiB as a JSON string, in which
/// each byte may take two.
pub const MAX_ANSWER_BYTES: usize = 3_000_000;

/// Every operation, in the order of the documentation.
static ROUTES: [&Route; 58] = [
    &submissions::SEND_INVOICE,
    &submissions::SEND_CREDIT_NOTE,
    &submissions::SEND_SELF_BILLED_INVOICE,
    &submissions::SEND_SELF_BILLED_CREDIT_NOTE,
    &submissions::VALIDATE_INVOICE,
    &submissions::VALIDATE_CREDIT_NOTE,
    &submissions::VALIDATE_SELF_BILLED_INVOICE,
    &submissions::VALIDATE_SELF_BILLED_CREDIT_NOTE,
    &documents::LIST,
    &documents::GET,
    &documents::UBL,
    &documents::SBDH,
    &documents::RECEIPT,
    &documents::CONTENT,
    &documents::HTML,
    &documents::PDF,
    &documents::ATTEMPTS,
    &reports::ABOUT,
    &reports::RESUBMIT,
    &imports::CREATE,
    &imports::LIST,
    &imports::GET,
    &imports::RESULT,
    &archives::CREATE,
    &archives::LIST,
    &archives::GET,
    &archives::FILE,
    &reports::LIST,
    &reports::GET,
    &reports::XML,
    &taxpayer::GET,
    &taxpayer::PATCH,
    &registrations::CARD,
    &registrations::PUT_CARD,
    &registrations::LISTING,
    &registrations::LIST,
    &registrations::UNLIST,
    &registrations::REGISTRATIONS,
    &organization::ME,
    &organization::LIST_TAXPAYERS,
    &organization::GET_TAXPAYER,
    &organization::LIST_GRANTS,
    &organization::REVOKE_GRANT,
    &audit::LIST,
    &webhooks::CREATE,
    &webhooks::LIST,
    &webhooks::GET,
    &webhooks::PATCH,
    &webhooks::DELETE,
    &webhooks::ROTATE,
    &webhooks::events::LIST,
    &webhooks::events::GET,
    &webhooks::events::DELIVERIES,
    &webhooks::events::DELIVERIES_TO,
    &webhooks::events::LOOK,
    &webhooks::tools::RETRY,
    &webhooks::tools::RETRY_FAILED,
    &webhooks::tools::TEST,
];

/// The handler of an operation. Boxed: the router is compiled once for all of them.
type Handler<C, A> = fn(Call<C, A>) -> Boxed<'static, Result<Response, ApiError>>;

/// The operations of the function `api` for a taxpayer.
const FOR_TAXPAYERS: [(&Route, Handler<Caller, App>); 36] = [
    (&submissions::SEND_INVOICE, |call| Box::pin(submissions::send(call, Operation::Invoice))),
    (&submissions::SEND_CREDIT_NOTE, |call| {
        Box::pin(submissions::send(call, Operation::CreditNote))
    }),
    (&submissions::SEND_SELF_BILLED_INVOICE, |call| {
        Box::pin(submissions::send(call, Operation::SelfBilledInvoice))
    }),
    (&submissions::SEND_SELF_BILLED_CREDIT_NOTE, |call| {
        Box::pin(submissions::send(call, Operation::SelfBilledCreditNote))
    }),
    (&submissions::VALIDATE_INVOICE, |call| {
        Box::pin(submissions::validate(call, Operation::Invoice))
    }),
    (&submissions::VALIDATE_CREDIT_NOTE, |call| {
        Box::pin(submissions::validate(call, Operation::CreditNote))
    }),
    (&submissions::VALIDATE_SELF_BILLED_INVOICE, |call| {
        Box::pin(submissions::validate(call, Operation::SelfBilledInvoice))
    }),
    (&submissions::VALIDATE_SELF_BILLED_CREDIT_NOTE, |call| {
        Box::pin(submissions::validate(call, Operation::SelfBilledCreditNote))
    }),
    (&documents::LIST, |call| Box::pin(documents::list(call))),
    (&documents::GET, |call| Box::pin(documents::get(call))),
    (&documents::UBL, |call| Box::pin(documents::ubl(call))),
    (&documents::SBDH, |call| Box::pin(documents::sbdh(call))),
    (&documents::RECEIPT, |call| Box::pin(documents::receipt(call))),
    (&documents::CONTENT, |call| Box::pin(documents::content(call))),
    (&documents::HTML, |call| Box::pin(documents::html(call))),
    (&documents::ATTEMPTS, |call| Box::pin(documents::attempts(call))),
    (&reports::ABOUT, |call| Box::pin(reports::about(call))),
    (&reports::RESUBMIT, |call| Box::pin(reports::resubmit(call))),
    (&imports::CREATE, |call| Box::pin(imports::create(call))),
    (&imports::LIST, |call| Box::pin(imports::list(call))),
    (&imports::GET, |call| Box::pin(imports::get(call))),
    (&imports::RESULT, |call| Box::pin(imports::result(call))),
    (&archives::CREATE, |call| Box::pin(archives::create(call))),
    (&archives::LIST, |call| Box::pin(archives::list(call))),
    (&archives::GET, |call| Box::pin(archives::get(call))),
    (&archives::FILE, |call| Box::pin(archives::file(call))),
    (&reports::LIST, |call| Box::pin(reports::list(call))),
    (&reports::GET, |call| Box::pin(reports::get(call))),
    (&reports::XML, |call| Box::pin(reports::xml(call))),
    (&taxpayer::GET, |call| Box::pin(taxpayer::get(call))),
    (&registrations::CARD, |call| Box::pin(registrations::card(call))),
    (&registrations::PUT_CARD, |call| Box::pin(registrations::put_card(call))),
    (&registrations::LISTING, |call| Box::pin(registrations::listing(call))),
    (&registrations::LIST, |call| Box::pin(registrations::list(call))),
    (&registrations::UNLIST, |call| Box::pin(registrations::unlist(call))),
    (&registrations::REGISTRATIONS, |call| Box::pin(registrations::registrations(call))),
];

/// The operations of the function `api` in an organization's own affairs.
const FOR_ORGANIZATIONS: [(&Route, Handler<OrganizationCaller, App>); 4] = [
    (&organization::LIST_TAXPAYERS, |call| Box::pin(organization::list_taxpayers(call))),
    (&organization::GET_TAXPAYER, |call| Box::pin(organization::get_taxpayer(call))),
    (&organization::LIST_GRANTS, |call| Box::pin(organization::list_grants(call))),
    (&audit::LIST, |call| Box::pin(audit::list(call))),
];

/// The operations of the function `oauth` for a taxpayer. Only that function may change access.
const ACCESS_OF_TAXPAYERS: [(&Route, Handler<Caller, Connecting>); 1] =
    [(&taxpayer::PATCH, |call| Box::pin(taxpayer::patch(call)))];

/// The operations of the function `oauth` in an organization's own affairs.
const ACCESS_OF_ORGANIZATIONS: [(&Route, Handler<OrganizationCaller, Connecting>); 1] =
    [(&organization::REVOKE_GRANT, |call| Box::pin(organization::revoke_grant(call)))];

/// The operations of the function `webhook_api`, which can read the secrets of webhooks.
const WEBHOOKS: [(&Route, Handler<OrganizationCaller, Notifying>); 14] = [
    (&webhooks::CREATE, |call| Box::pin(webhooks::create(call))),
    (&webhooks::LIST, |call| Box::pin(webhooks::list(call))),
    (&webhooks::GET, |call| Box::pin(webhooks::get(call))),
    (&webhooks::PATCH, |call| Box::pin(webhooks::patch(call))),
    (&webhooks::DELETE, |call| Box::pin(webhooks::delete(call))),
    (&webhooks::ROTATE, |call| Box::pin(webhooks::rotate(call))),
    (&webhooks::events::LIST, |call| Box::pin(webhooks::events::list(call))),
    (&webhooks::events::GET, |call| Box::pin(webhooks::events::get(call))),
    (&webhooks::events::DELIVERIES, |call| Box::pin(webhooks::events::deliveries(call))),
    (&webhooks::events::DELIVERIES_TO, |call| Box::pin(webhooks::events::deliveries_to(call))),
    (&webhooks::events::LOOK, |call| Box::pin(webhooks::events::look(call))),
    (&webhooks::tools::RETRY, |call| Box::pin(webhooks::tools::retry(call))),
    (&webhooks::tools::RETRY_FAILED, |call| Box::pin(webhooks::tools::retry_failed(call))),
    (&webhooks::tools::TEST, |call| Box::pin(webhooks::tools::test(call))),
];

/// The HTTP interface of the function `api`. Operations that change access are in `oauth`.
pub fn router(app: App) -> Router {
    let ctx = app.sending.ctx.clone();
    made_of(app, ctx, Router::new(), |route| {
        let of_caller = || (route.id == organization::ME.id).then(|| me(route));
        for_taxpayers(&FOR_TAXPAYERS, route)
            .or_else(|| for_organizations(&FOR_ORGANIZATIONS, route))
            .or_else(of_caller)
    })
}

/// The operations of the function `oauth`, which change access, and the OAuth endpoints.
pub fn oauth(app: Connecting) -> Router {
    let ctx = app.ctx.clone();
    made_of(app, ctx, oauth::routes(), |route| {
        for_taxpayers(&ACCESS_OF_TAXPAYERS, route)
            .or_else(|| for_organizations(&ACCESS_OF_ORGANIZATIONS, route))
    })
}

/// The operations of the function `webhook_api`: an organization's webhooks.
pub fn hooks(app: Notifying) -> Router {
    let ctx = app.ctx.clone();
    made_of(app, ctx, Router::new(), |route| for_organizations(&WEBHOOKS, route))
}

/// The operation of the function `pdf`: documents as PDF.
#[cfg(feature = "pdf")]
pub fn pdf(app: Printing) -> Router {
    let ctx = app.reading.ctx.clone();
    let handlers: [(&Route, Handler<Caller, Printing>); 1] =
        [(&documents::PDF, |call| Box::pin(documents::pdf(call)))];
    made_of(app, ctx, Router::new(), |route| for_taxpayers(&handlers, route))
}

/// The handler of an operation for a taxpayer, if a function has it.
fn for_taxpayers<A: State>(
    handlers: &[(&Route, Handler<Caller, A>)],
    route: &'static Route,
) -> Option<MethodRouter<A>> {
    let (_, handler) = *handlers.iter().find(|(of, _)| of.id == route.id)?;
    let handler = async move |extract::State(app): extract::State<A>, request: Request| {
        log::note(Field::Operation, &route.id);
        handler(Call::read(route, app, request).await?).await
    };
    Some(on(route.method.filter(), handler))
}

/// The handler of an operation in an organization's own affairs, if a function has it.
fn for_organizations<A: State>(
    handlers: &[(&Route, Handler<OrganizationCaller, A>)],
    route: &'static Route,
) -> Option<MethodRouter<A>> {
    let (_, handler) = *handlers.iter().find(|(of, _)| of.id == route.id)?;
    let handler = async move |extract::State(app): extract::State<A>, request: Request| {
        log::note(Field::Operation, &route.id);
        handler(OwnCall::read_own(route, app, request).await?).await
    };
    Some(on(route.method.filter(), handler))
}

/// The handler of the operation for any caller.
fn me(route: &'static Route) -> MethodRouter<App> {
    let handler = async move |extract::State(app): extract::State<App>, request: Request| {
        log::note(Field::Operation, &route.id);
        organization::me(Call::read_any(route, app, request).await?).await
    };
    on(route.method.filter(), handler)
}

/// Adds links to the documentation to a router's errors, if its URL is known.
pub fn documented(router: Router, docs: Option<DocsUrl>) -> Router {
    match docs {
        Some(docs) => router.layer(Extension(docs)),
        None => router,
    }
}

/// A router of the operations for which a function has a handler. A path whose operations belong to other functions
/// answers 405.
fn made_of<S: Clone + Send + Sync + 'static>(
    state: S,
    ctx: Context,
    further: Router<S>,
    handler: impl Fn(&'static Route) -> Option<MethodRouter<S>>,
) -> Router {
    let mut router = further;
    for base in BASES {
        for route in ROUTES {
            let path = format!("{base}{}", route.path);
            router = router.route(&path, handler(route).unwrap_or_default());
        }
    }
    router
        .fallback(error::answer_unknown_path)
        .method_not_allowed_fallback(error::answer_unknown_method)
        .layer(middleware::from_fn_with_state(ctx, edge::finish))
        .with_state(state)
}

impl HttpMethod {
    fn filter(self) -> MethodFilter {
        match self {
            HttpMethod::Get => MethodFilter::GET.or(MethodFilter::HEAD),
            HttpMethod::Post => MethodFilter::POST,
            HttpMethod::Put => MethodFilter::PUT,
            HttpMethod::Patch => MethodFilter::PATCH,
            HttpMethod::Delete => MethodFilter::DELETE,
        }
    }
}

//! The public status page. Everybody may read it, so the facts are read at most once a minute by each process.

use std::sync::Arc;

use askama::Template;
use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use super::{App, Frame, PageError, PageRequest, in_both_modes};
use crate::{
    service::service_status::{self, Area, Health, ServiceStatus},
    types::Mode,
};

/// How long facts are shown before they are read again.
const KEPT: SignedDuration = SignedDuration::from_secs(60);

/// The status of each mode, and when it was read.
type Kept = Arc<Mutex<[Option<(Timestamp, ServiceStatus)>; 2]>>;

pub(super) fn routes(router: Router<App>) -> Router<App> {
    let kept = Kept::default();
    let page =
        async move |State(app): State<App>, request: PageRequest| show(&app, &request, &kept).await;
    in_both_modes(router, "/status", get(page))
}

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage<'a> {
    frame: Frame<'a>,
    status: &'a ServiceStatus,
}

async fn show(app: &App, request: &PageRequest, kept: &Kept) -> Result<Response, PageError> {
    let status = current(app, request.mode, kept).await;
    request.page(StatusCode::OK, &StatusPage { frame: request.frame(), status: &status })
}

/// The status that was read within the last minute. Requests that come together wait for one read. What cannot be read
/// is unknown.
async fn current(app: &App, mode: Mode, kept: &Kept) -> ServiceStatus {
    let mut kept = kept.lock().await;
    let [live, sandbox] = &mut *kept;
    let kept = match mode {
        Mode::Live => live,
        Mode::Sandbox => sandbox,
    };
    let now = app.ctx.now();
    match kept {
        Some((at, status)) if now.duration_since(*at) < KEPT => status.clone(),
        _ => {
            let read = service_status::read(&app.ctx, mode).await;
            let status = read.unwrap_or_else(|failure| {
                let cause = failure.source.map(|source| source.to_string());
                tracing::warn!(error.cause = cause, "the status of the service cannot be read");
                service_status::unknown(mode)
            });
            kept.insert((now, status)).1.clone()
        }
    }
}

/// The names of the messages for an area: its name, and what it covers.
fn words(area: &Area, is_sandbox: bool) -> (&'static str, &'static str) {
    match area {
        Area::Sending if is_sandbox => ("service-status-sending", "service-status-sending-sandbox"),
        Area::Sending => ("service-status-sending", "service-status-sending-text"),
        Area::Receiving => ("service-status-receiving", "service-status-receiving-text"),
        Area::Reporting => ("service-status-reporting", "service-status-reporting-text"),
        Area::Webhooks => ("service-status-webhooks", "service-status-webhooks-text"),
        Area::Imports => ("service-status-imports", "service-status-imports-text"),
    }
}

/// The CSS class of a badge, and the name of its message.
fn badge(health: &Health) -> (&'static str, &'static str) {
    match health {
        Health::Works => ("good", "service-status-works"),
        Health::Delayed => ("warn", "service-status-delayed"),
        Health::Down => ("bad", "service-status-down"),
        Health::Unknown => ("", "service-status-not-known"),
    }
}

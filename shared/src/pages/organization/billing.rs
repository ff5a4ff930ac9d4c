//! The subscription of the organization and its usage.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;

use super::{
    super::{App, Frame, PageError, PageRequest},
    frame,
};
use crate::{
    access::Permission,
    service::{overview, quotas, subscriptions},
    store::{BillingStatus, DailyCounts, Reached, quota_day},
    types::Mode,
};

#[derive(Template)]
#[template(path = "organization/billing.html")]
struct BillingPage<'a> {
    frame: Frame<'a>,
    billing: ShownBilling,
    usage: Usage,
}

/// The recent numbers of documents.
struct Usage {
    /// Each day with documents, the latest first.
    days: Vec<DailyCounts>,
}

impl Usage {
    /// The total numbers of sent and received documents.
    fn sums(&self) -> [u32; 2] {
        let sum = |reached| self.days.iter().map(|day| day.of(reached)).sum();
        [sum(Reached::Sent), sum(Reached::Received)]
    }
}

/// The numbers of sent and received documents of a day.
fn counts(day: &DailyCounts) -> [u32; 2] {
    [day.of(Reached::Sent), day.of(Reached::Received)]
}

/// The content for each mode.
enum ShownBilling {
    /// Live: a subscription.
    Live {
        /// The name of the message for its status.
        status: &'static str,
        /// Maximum number of taxpayers; `None` for any number.
        seats: Option<u32>,
        in_use: u32,
        /// The provider's last confirmation.
        confirmed: Option<Timestamp>,
    },
    /// Sandbox: the daily quota.
    Sandbox {
        /// The quota; `None` for the default before the first send.
        most: Option<u32>,
        sent: u32,
    },
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Bill).await?;
    let id = &member.member.organization_id;
    let billing = match request.mode {
        Mode::Live => {
            let found = subscriptions::show(&app.ctx, id).await?;
            let subscription = found.subscription.as_ref();
            ShownBilling::Live {
                status: match app.freshness.status(subscription, app.ctx.now()) {
                    BillingStatus::Active => "billing-active",
                    BillingStatus::Unsubscribed => "billing-none",
                    BillingStatus::Stale => "billing-stale",
                },
                seats: subscription.and_then(|it| it.seats),
                in_use: found.in_use,
                confirmed: subscription.and_then(|it| it.confirmed_at),
            }
        }
        Mode::Sandbox => {
            let quota = quotas::show(&app.ctx, id).await?;
            let (sent, most) = quota.on(quota_day(app.ctx.now()));
            ShownBilling::Sandbox { most, sent }
        }
    };
    let usage = Usage { days: overview::usage(&app.ctx, request.mode, id).await? };
    request.page(StatusCode::OK, &BillingPage { frame: frame(&request, &member), billing, usage })
}

//! Where a member begins: what wants to be looked at first, what happened lately, and, as long as nothing did, the first
//! steps.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{Frame, House, PageError, Visit, sign_in::role as role_name},
    Who, frame, webhooks,
};
use crate::{
    access::Permission,
    service::{
        page::Asked,
        webhooks::{
            self as endpoints,
            events::{EventFilter, list_events},
        },
    },
    store::ToldEvent,
};

/// How many of the last events are shown.
const LATELY: u8 = 10;

#[derive(Template)]
#[template(path = "organization/overview.html")]
struct OverviewPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    lately: Option<Lately>,
}

/// What who may look sees.
struct Lately {
    /// Endpoints that fail, or were disabled for that.
    failing: Vec<webhooks::Shown>,
    events: Vec<ToldEvent>,
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.any_member(&house).await?;
    let lately = match member.member.role.may(Permission::Look) {
        true => {
            let (ctx, mode) = (&house.ctx, visit.mode);
            let organization_id = &member.member.organization_id;
            let asked = Asked { cursors: &house.cursors, cursor: None, limit: LATELY };
            let filter = EventFilter::default();
            let (watched, events) = tokio::try_join!(
                endpoints::list(ctx, mode, organization_id),
                list_events(ctx, mode, organization_id, &filter, asked),
            )?;
            let mut failing: Vec<_> = watched.into_iter().map(webhooks::Shown::of).collect();
            failing.retain(webhooks::Shown::wants_attention);
            Some(Lately { failing, events: events.items })
        }
        false => None,
    };
    let frame = frame(&visit, &member);
    let page = OverviewPage { frame, who: Who { member: &member }, lately };
    visit.page(StatusCode::OK, &page)
}

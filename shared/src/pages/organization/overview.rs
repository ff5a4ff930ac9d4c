//! The overview, a member's start page: problems that need attention, pending answers of other parties, and the numbers
//! of recent documents. While there is none of it, the page shows the first steps.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{
        App, Frame, PageError, PageRequest,
        documents::{self, Badge},
        nav::role_name,
    },
    Who, frame, path_of_document, webhooks,
};
use crate::{
    access::{KeyStatus, Permission},
    service::{
        Context,
        oauth::clients,
        organizations,
        overview::{self, Overview},
        webhooks as endpoints,
    },
    store::{Awaited, DailyCounts, DocumentRecord, Reached},
    types::{Mode, OrganizationId},
};

#[derive(Template)]
#[template(path = "organization/overview.html")]
struct OverviewPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    lately: Option<Lately>,
    /// The first steps, while there is nothing else to show.
    steps: Vec<Step>,
}

/// A first step.
struct Step {
    /// Its path, and the name of its message.
    path: &'static str,
    name: &'static str,
    is_done: bool,
}

/// The content for members who may see documents.
struct Lately {
    /// Endpoints that fail, or were disabled for failures.
    failing: Vec<webhooks::ShownEndpoint>,
    documents: Overview,
    /// The states of the documents of these days, one column for each.
    columns: Vec<Reached>,
}

impl Lately {
    fn wants_attention(&self) -> bool {
        !self.failing.is_empty() || !self.documents.failures.is_empty()
    }

    /// Whether there is nothing to show.
    fn is_empty(&self) -> bool {
        let Overview { awaited, days, .. } = &self.documents;
        !self.wants_attention() && awaited.is_empty() && days.is_empty()
    }
}

/// The path of a document, below the path of the mode.
fn path_of(document: &DocumentRecord) -> String {
    path_of_document(&document.taxpayer_id, &document.document_id)
}

/// The badge of a state.
fn badge(reached: &Reached) -> Badge {
    documents::reached(*reached)
}

fn count(counted: &DailyCounts, reached: &Reached) -> u32 {
    counted.of(*reached)
}

/// The name of the message for a pending answer.
fn awaited_name(awaited: &Awaited) -> &'static str {
    match awaited {
        Awaited::Status => "overview-awaits-status",
        Awaited::Verdict | Awaited::Unknown => "overview-awaits-verdict",
    }
}

/// The first steps, and whether each is done.
async fn first_steps(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    has_endpoint: bool,
) -> Result<Vec<Step>, PageError> {
    let keys = organizations::list_keys(ctx, mode, organization_id).await?;
    let has_key = keys.iter().any(|key| key.status == KeyStatus::Active);
    let has_client = !clients::list(ctx, mode, organization_id).await?.is_empty();
    let step = |path, name, is_done| Step { path, name, is_done };
    Ok(vec![
        step("/organization/keys", "overview-step-key", has_key),
        step("/organization/webhooks", "overview-step-webhook", has_endpoint),
        step("/organization/clients", "overview-step-client", has_client),
    ])
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.any_member(&app).await?;
    let (ctx, mode) = (&app.ctx, request.mode);
    let organization_id = &member.member.organization_id;
    let mut steps = Vec::new();
    let lately = match member.member.role.may(Permission::Look) {
        true => {
            let (watched, documents) = tokio::try_join!(
                endpoints::list(ctx, mode, organization_id),
                overview::overview(ctx, mode, organization_id),
            )?;
            let has_endpoint = !watched.is_empty();
            let mut failing: Vec<_> =
                watched.into_iter().map(webhooks::ShownEndpoint::of).collect();
            failing.retain(webhooks::ShownEndpoint::wants_attention);
            let came_to = |reached: &Reached| documents.days.iter().any(|day| day.of(*reached) > 0);
            let columns = Reached::ALL.into_iter().filter(came_to).collect();
            let lately = Lately { failing, documents, columns };
            if lately.is_empty() {
                steps = first_steps(ctx, mode, organization_id, has_endpoint).await?;
            }
            Some(lately)
        }
        false => None,
    };
    let frame = frame(&request, &member);
    let page = OverviewPage { frame, who: Who { member: &member }, lately, steps };
    request.page(StatusCode::OK, &page)
}

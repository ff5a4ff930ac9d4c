//! The audit trail of the organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{App, Frame, PageError, PageRequest, conditions::Conditions},
    CURSOR, PAGE, caller, frame,
};
use crate::{
    access::{Action, Actor, AuditRecord, Permission},
    service::{
        audit, members,
        page::{Page, PageQuery},
    },
};

const PATH: &str = "/organization/audit";
/// The conditions of the form.
const CONDITIONS: [&str; 3] = ["action", "from", "to"];

#[derive(Template)]
#[template(path = "organization/audit.html")]
struct AuditPage<'a> {
    frame: Frame<'a>,
    wanted: &'a Conditions,
    /// The invalid condition.
    problem: Option<&'static str>,
    /// Every action of the filter with its name in the API, and whether it is selected.
    actions: Vec<(&'static str, bool)>,
    entries: Vec<ShownEntry>,
    /// The addresses of the first and of the next page.
    first: Option<String>,
    next: Option<String>,
}

/// An entry on the page.
struct ShownEntry {
    /// The actor: an address, an identifier, or the name of a message.
    actor: Result<String, &'static str>,
    entry: AuditRecord,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Audit).await?;
    let wanted = Conditions::of(&request, request.path(PATH), &CONDITIONS)?;
    let (filter, problem) = match filter(&wanted) {
        Ok(filter) => (Some(filter), None),
        Err(condition) => (None, Some(condition)),
    };
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let (mode, organization_id) = (request.mode, &member.member.organization_id);
    let caller = caller(&member);
    let (found, people) = tokio::try_join!(
        async {
            match &filter {
                Some(filter) => audit::list(&app.ctx, &caller, filter, asked).await,
                None => Ok(Page::empty()),
            }
        },
        members::list(&app.ctx, mode, organization_id),
    )?;
    let named = |actor: &Actor| match actor {
        Actor::Operator => Err("audit-operator"),
        Actor::NationalPortal => Err("audit-national-portal"),
        Actor::Member(id) => {
            let found = people.iter().find(|person| person.member_id == *id);
            Ok(found.map_or_else(|| id.to_string(), |person| person.email.as_str().to_owned()))
        }
        other => Ok(other.clone().into()),
    };
    let shown = |entry: AuditRecord| ShownEntry { actor: named(&entry.actor), entry };
    let page = AuditPage {
        frame: frame(&request, &member),
        actions: Action::ALL
            .iter()
            .map(|it| (it.as_str(), it.as_str() == wanted.get("action")))
            .collect(),
        entries: found.items.into_iter().map(shown).collect(),
        first: cursor.is_some().then(|| wanted.page(None)),
        next: found.next_cursor.map(|cursor| wanted.page(Some(&cursor))),
        wanted: &wanted,
        problem,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// The filter, or the name of the invalid condition.
fn filter(wanted: &Conditions) -> Result<audit::Filter, &'static str> {
    Ok(audit::Filter {
        action: wanted.read("action", |text| {
            Action::ALL.iter().copied().find(|action| action.as_str() == text)
        })?,
        from: wanted.day_begins("from")?,
        to: wanted.day_ends("to")?,
    })
}

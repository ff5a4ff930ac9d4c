//! Who did what in the organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{Frame, House, PageError, Visit},
    CURSOR, PAGE, caller, frame,
};
use crate::{
    access::{Action, Actor, AuditRecord, Permission},
    service::{audit, members, page::Asked},
};

/// The parameter with the action that is looked for.
const ACTION: &str = "action";

#[derive(Template)]
#[template(path = "organization/audit.html")]
struct AuditPage<'a> {
    frame: Frame<'a>,
    /// Every action that can be looked for, as the API names it, and whether it is.
    actions: Vec<(&'static str, bool)>,
    entries: Vec<Shown>,
    /// Where the list begins, and where it goes on.
    first: Option<String>,
    next: Option<String>,
}

/// An entry on the page.
struct Shown {
    /// Who: an address, an identifier, or the name of a message.
    actor: Result<String, &'static str>,
    entry: AuditRecord,
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Audit).await?;
    let wanted = visit.parameter(ACTION)?;
    let action = Action::ALL.iter().copied().find(|it| Some(it.as_str()) == wanted.as_deref());
    let cursor = visit.parameter(CURSOR)?;
    let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let filter = audit::Filter { action, ..audit::Filter::default() };
    let (mode, organization_id) = (visit.mode, &member.member.organization_id);
    let caller = caller(&member);
    let (found, people) = tokio::try_join!(
        audit::list(&house.ctx, &caller, &filter, asked),
        members::list(&house.ctx, mode, organization_id),
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
    let shown = |entry: AuditRecord| Shown { actor: named(&entry.actor), entry };
    let page = AuditPage {
        frame: frame(&visit, &member),
        actions: Action::ALL.iter().map(|it| (it.as_str(), Some(*it) == action)).collect(),
        entries: found.items.into_iter().map(shown).collect(),
        first: cursor.is_some().then(|| visit.path("/organization/audit")),
        next: found.next_cursor.map(|cursor| visit.with(CURSOR, &cursor)),
    };
    visit.page(StatusCode::OK, &page)
}

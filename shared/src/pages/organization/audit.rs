//! The audit trail of the organization.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{
        App, Frame, PageError, PageRequest, conditions::Conditions, excerpt::cut, nav::role_name,
    },
    CURSOR, PAGE, caller, frame,
};
use crate::{
    access::{Action, Actor, AuditRecord, Permission},
    i18n::{self, Language, Value},
    service::{
        audit, names,
        page::{Page, PageQuery},
    },
    types::TokenHash,
};

const PATH: &str = "/organization/audit";
/// The conditions of the form.
const CONDITIONS: [&str; 3] = ["action", "from", "to"];
/// Characters of a name in a sentence.
const NAME_SHOWN: usize = 60;
/// Stands for any actor and any object in the sentences of the filter.
const ANYTHING: &str = "\u{2026}";

#[derive(Template)]
#[template(path = "organization/audit.html")]
struct AuditPage<'a> {
    frame: Frame<'a>,
    wanted: &'a Conditions,
    /// The invalid condition.
    problem: Option<&'static str>,
    /// Every action of the filter: its name in the API, its sentence, and whether it is selected.
    actions: Vec<(&'static str, String, bool)>,
    entries: Vec<ShownEntry>,
    /// The addresses of the first and of the next page.
    first: Option<String>,
    next: Option<String>,
}

/// An entry on the page.
struct ShownEntry {
    entry: AuditRecord,
    /// What happened, as a sentence.
    sentence: String,
    /// The short identifier of the object, and the whole one unless it is the hash of a session.
    subject: (String, Option<String>),
}

/// The parts that sentences name, in words.
struct Words<'a> {
    frame: Frame<'a>,
    /// Names by identifier.
    names: HashMap<String, String>,
}

impl Words<'_> {
    /// The name of an object, or its short identifier.
    fn named(&self, id: &str) -> String {
        match self.names.get(id).filter(|name| !name.is_empty()) {
            Some(name) => cut(name, NAME_SHOWN),
            None => self.frame.short(&id),
        }
    }

    /// The actor, as the subject of a sentence.
    fn actor(&self, actor: &Actor) -> String {
        let (message, id) = match actor {
            Actor::Operator => return self.frame.t("audit-operator"),
            Actor::NationalPortal => return self.frame.t("audit-national-portal"),
            Actor::Service => return self.frame.t("audit-service"),
            Actor::Member(id) => return self.named(id.as_str()),
            Actor::Unknown(text) => return cut(text, NAME_SHOWN),
            Actor::ApiKey(id) => ("audit-api-key", id.as_str()),
            Actor::Client(id) => ("audit-client", id.as_str()),
            Actor::Taxpayer(id) => ("audit-business", id.as_str()),
        };
        self.frame.t_text(message, "name", &self.named(id))
    }

    /// The object, with the role if the action gave one.
    fn subject(&self, entry: &AuditRecord) -> String {
        let name = self.named(&entry.subject);
        let Some(role) = &entry.role else { return name };
        let role = self.frame.t(role_name(role));
        let values = [("name", Value::Text(&name)), ("role", Value::Text(&role))];
        i18n::text(self.frame.language(), "audit-with-role", &values)
    }

    fn entry(&self, entry: AuditRecord) -> ShownEntry {
        let (actor, subject) = (self.actor(&entry.actor), self.subject(&entry));
        let id = self.frame.short(&entry.subject);
        let whole = entry.subject.parse::<TokenHash>().is_err().then(|| entry.subject.clone());
        let sentence = sentence(self.frame.language(), entry.action, (&actor, &subject));
        ShownEntry { entry, sentence, subject: (id, whole) }
    }
}

/// An action as a sentence with its actor and its object.
fn sentence(language: Language, action: Action, (actor, subject): (&str, &str)) -> String {
    let message = format!("audit-did-{}", action.as_str().replace(['.', '_'], "-"));
    let values = [("actor", Value::Text(actor)), ("subject", Value::Text(subject))];
    i18n::text(language, &message, &values)
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
    let caller = caller(&member);
    let found = match &filter {
        Some(filter) => audit::list(&app.ctx, &caller, filter, asked).await?,
        None => Page::empty(),
    };
    let frame = frame(&request, &member);
    let names = names::of_entries(&app.ctx, &caller, &found.items).await?;
    let words = Words { frame, names };
    let page = AuditPage {
        frame,
        actions: Action::ALL
            .iter()
            .map(|it| {
                let words = sentence(request.language, *it, (ANYTHING, ANYTHING));
                (it.as_str(), words, it.as_str() == wanted.get("action"))
            })
            .collect(),
        entries: found.items.into_iter().map(|entry| words.entry(entry)).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_its_sentence_in_both_languages() {
        for language in Language::ALL {
            let mut sentences = std::collections::BTreeSet::new();
            for action in Action::ALL.iter().copied().chain([Action::Unknown]) {
                let sentence = sentence(language, action, ("Ada", "ERP"));
                assert!(sentence.contains("Ada"), "{action:?}: {sentence}");
                assert!(!sentence.contains("audit-did"), "{action:?}: {sentence}");
                assert!(sentences.insert(sentence), "{action:?}: two actions share a sentence");
            }
        }
    }
}

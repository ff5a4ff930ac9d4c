//! The business card as a form: the names of the first business, its country and place, and a few lines of each list.
//! Entries beyond these lines, which an application wrote, stay unchanged.

use std::collections::BTreeMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    super::{App, Form, Frame, Nav, PageError, PageRequest, done::done},
    business,
};
use crate::{
    access::{Taxpayer, TaxpayerStatus},
    error::{Code, Finding},
    peppol::smp::{BusinessEntity, Contact, EntityIdentifier, EntityName},
    service::business_cards::{self, MAX_TEXT},
    store::BusinessCardRecord,
};

/// The path, below the path of the mode.
pub(super) const PATH: &str = "/account/business/card";

/// A list of the card in the form.
struct List {
    /// Its name in the JSON of the API.
    name: &'static str,
    /// The names of the messages for its title and its hint.
    title: &'static str,
    hint: &'static str,
    /// Number of lines.
    rows: usize,
    /// The members of an entry, and the message names of their labels. A member without a name is the entry itself.
    members: &'static [(&'static str, &'static str)],
}

const NAMES: List = List {
    name: "names",
    title: "card-names",
    hint: "card-names-hint",
    rows: 3,
    members: &[("name", "card-name"), ("language", "card-language")],
};
const IDENTIFIERS: List = List {
    name: "identifiers",
    title: "card-identifiers",
    hint: "card-identifiers-hint",
    rows: 4,
    members: &[("scheme", "card-scheme"), ("value", "card-value")],
};
const CONTACTS: List = List {
    name: "contacts",
    title: "card-contacts",
    hint: "card-contacts-hint",
    rows: 3,
    members: &[
        ("type", "card-contact-type"),
        ("name", "card-contact-name"),
        ("phone_number", "card-phone"),
        ("email", "card-email"),
    ],
};
const WEBSITES: List = List {
    name: "websites",
    title: "card-websites",
    hint: "card-websites-hint",
    rows: 2,
    members: &[("", "card-website-of")],
};
const LISTS: [&List; 4] = [&NAMES, &IDENTIFIERS, &CONTACTS, &WEBSITES];
const COUNTRY: &str = "country_code";
const PLACE: &str = "geographical_information";
/// The field with the time of the card that the form changes, to detect concurrent changes.
const SEEN: &str = "seen";

impl List {
    /// The name of a field, also the id of its element.
    fn field(&self, row: usize, member: &str) -> String {
        match member {
            "" => format!("{}-{row}", self.name),
            _ => format!("{}-{row}-{member}", self.name),
        }
    }
}

/// The values of the fields by name.
#[derive(Default)]
struct Entered(BTreeMap<String, String>);

impl Entered {
    /// The values of a form.
    fn of_form(form: &Form) -> Self {
        let listed = LISTS.into_iter().flat_map(|list| {
            let rows = 0..list.rows;
            rows.flat_map(move |row| {
                list.members.iter().map(move |(member, _)| list.field(row, member))
            })
        });
        let names = [COUNTRY, PLACE].map(str::to_owned).into_iter().chain(listed);
        let fields = names.map(|name| {
            let value = form.field(&name).trim().to_owned();
            (name, value)
        });
        Entered(fields.collect())
    }

    /// The values of a card.
    fn of_card(entity: &BusinessEntity) -> Self {
        let mut entered = Entered::default();
        entered.put(COUNTRY.to_owned(), Some(&entity.country));
        entered.put(PLACE.to_owned(), entity.geographical_information.as_ref());
        for (row, EntityName { text, language }) in entity.names.iter().enumerate() {
            entered.put(NAMES.field(row, "name"), Some(text));
            entered.put(NAMES.field(row, "language"), language.as_ref());
        }
        for (row, EntityIdentifier { scheme, value }) in entity.identifiers.iter().enumerate() {
            entered.put(IDENTIFIERS.field(row, "scheme"), Some(scheme));
            entered.put(IDENTIFIERS.field(row, "value"), Some(value));
        }
        for (row, contact) in entity.contacts.iter().enumerate() {
            let Contact { kind, name, phone_number, email } = contact;
            let members =
                [("type", kind), ("name", name), ("phone_number", phone_number), ("email", email)];
            for (member, value) in members {
                entered.put(CONTACTS.field(row, member), value.as_ref());
            }
        }
        for (row, website) in entity.websites.iter().enumerate() {
            entered.put(WEBSITES.field(row, ""), Some(website));
        }
        entered
    }

    fn put(&mut self, name: String, value: Option<&String>) {
        self.0.extend(value.map(|value| (name, value.clone())));
    }

    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// A line of a list as a JSON entry; `None` if the line is empty.
    fn entry(&self, list: &List, row: usize) -> Option<Value> {
        let member = |(name, _): &(&str, &str)| {
            let text = self.get(&list.field(row, name));
            (!text.is_empty()).then(|| ((*name).to_owned(), Value::from(text)))
        };
        let mut members: Map<String, Value> = list.members.iter().filter_map(member).collect();
        match members.remove("") {
            Some(entry) => Some(entry),
            None => (!members.is_empty()).then_some(Value::Object(members)),
        }
    }

    /// The business, parsed by the rules of the API; or the wrong fields with the names of their error messages.
    fn read(&self) -> Result<BusinessEntity, Vec<(String, &'static str)>> {
        let mut json = Map::new();
        for name in [COUNTRY, PLACE] {
            let text = self.get(name);
            if !text.is_empty() {
                json.insert(name.to_owned(), text.into());
            }
        }
        // The line of each entry, since empty lines have no entry.
        let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for list in LISTS {
            let entries = (0..list.rows).filter_map(|row| Some((row, self.entry(list, row)?)));
            let (from, entries): (Vec<usize>, Vec<Value>) = entries.unzip();
            rows.insert(list.name, from);
            json.insert(list.name.to_owned(), entries.into());
        }
        business_cards::read_entity(&Value::Object(json)).map_err(|findings| {
            findings.iter().map(|finding| (place(finding, &rows), wrong(finding))).collect()
        })
    }
}

/// The field of a finding.
fn place(finding: &Finding, rows: &BTreeMap<&str, Vec<usize>>) -> String {
    let mut parts = finding.pointer.split('/').skip(1);
    let name = parts.next().unwrap_or_default();
    let Some(list) = LISTS.into_iter().find(|list| list.name == name) else {
        return name.to_owned();
    };
    // A finding about a missing entry belongs to the first line.
    let entry = parts.next().and_then(|number| number.parse::<usize>().ok());
    let row = entry.and_then(|entry| rows.get(name)?.get(entry).copied()).unwrap_or_default();
    let first = list.members.first().map_or("", |(member, _)| *member);
    list.field(row, parts.next().unwrap_or(first))
}

/// The name of the error message.
fn wrong(finding: &Finding) -> &'static str {
    let is_of = |name: &str| finding.pointer.ends_with(name);
    match &*finding.rule {
        _ if is_of(COUNTRY) => "card-wrong-country",
        _ if is_of("/language") => "card-wrong-language",
        _ if finding.pointer == "/names" => "card-wrong-no-name",
        "AP-CARD-url" => "card-wrong-website",
        "AP-CARD-email" => "card-wrong-email",
        "AP-CARD-character" => "card-wrong-character",
        "AP-CARD-required" => "card-wrong-half",
        _ => "card-wrong-long",
    }
}

/// A field on the page.
struct Field {
    name: String,
    /// The message name of its label, and its line.
    label: &'static str,
    row: u32,
    value: String,
    /// The name of the error message.
    problem: Option<&'static str>,
}

/// A list on the page.
struct Group {
    title: &'static str,
    hint: &'static str,
    /// Each line that is filled in or wrong, those before it, and one more.
    rows: Vec<Vec<Field>>,
    /// The other lines, which are folded.
    further: Vec<Vec<Field>>,
}

#[derive(Template)]
#[template(path = "account/card.html")]
struct CardPage<'a> {
    frame: Frame<'a>,
    seen: String,
    country: Field,
    place: Field,
    groups: Vec<Group>,
    most: usize,
    /// The wrong fields, and the names of their error messages.
    problems: &'a [(String, &'static str)],
    /// Whether the card has more than the form shows.
    has_more: bool,
}

fn page(
    request: &PageRequest,
    taxpayer: &Taxpayer,
    card: Option<&BusinessCardRecord>,
    (seen, entered): (String, &Entered),
    problems: &[(String, &'static str)],
) -> Result<Response, PageError> {
    let field = |name: String, label, row| Field {
        value: entered.get(&name).to_owned(),
        problem: problems.iter().find(|(wrong, _)| *wrong == name).map(|(_, text)| *text),
        name,
        label,
        row,
    };
    let group = |list: &'static List| {
        let row = |row: usize| {
            let number = u32::try_from(row + 1).unwrap_or(u32::MAX);
            let members = list.members.iter();
            members.map(|(member, label)| field(list.field(row, member), *label, number)).collect()
        };
        let mut rows: Vec<Vec<Field>> = (0..list.rows).map(row).collect();
        let is_used = |row: &Vec<Field>| {
            row.iter().any(|field| !field.value.is_empty() || field.problem.is_some())
        };
        let shown = rows.iter().rposition(is_used).map_or(1, |last| last + 2);
        let further = rows.split_off(shown.min(rows.len()));
        Group { title: list.title, hint: list.hint, rows, further }
    };
    let page = CardPage {
        frame: request.frame_in(Nav::Taxpayer, &taxpayer.name),
        seen,
        country: field(COUNTRY.to_owned(), "card-country", 0),
        place: field(PLACE.to_owned(), "card-place", 0),
        groups: LISTS.into_iter().map(group).collect(),
        most: MAX_TEXT,
        problems,
        has_more: card.is_some_and(has_more),
    };
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    request.page(status, &page)
}

/// Whether a card has more than the form shows.
fn has_more(card: &BusinessCardRecord) -> bool {
    let is_longer = |entity: &BusinessEntity| {
        entity.names.len() > NAMES.rows
            || entity.identifiers.len() > IDENTIFIERS.rows
            || entity.contacts.len() > CONTACTS.rows
            || entity.websites.len() > WEBSITES.rows
            || entity.additional_information.is_some()
            || entity.registered.is_some()
    };
    card.entities.len() > 1 || card.entities.first().is_some_and(is_longer)
}

/// The entered values, with the parts of the stored business that the form does not show.
fn with_the_rest(mut entered: BusinessEntity, stands: Option<BusinessEntity>) -> BusinessEntity {
    let Some(stands) = stands else { return entered };
    entered.names.extend(stands.names.into_iter().skip(NAMES.rows));
    entered.identifiers.extend(stands.identifiers.into_iter().skip(IDENTIFIERS.rows));
    entered.contacts.extend(stands.contacts.into_iter().skip(CONTACTS.rows));
    entered.websites.extend(stands.websites.into_iter().skip(WEBSITES.rows));
    entered.additional_information = stands.additional_information;
    entered.registered = stands.registered;
    entered
}

/// As in the API, only for active taxpayers (specification 3.4).
fn check(taxpayer: &Taxpayer) -> Result<(), PageError> {
    match taxpayer.status {
        TaxpayerStatus::Active => Ok(()),
        _ => Err(PageError::Explained {
            status: StatusCode::CONFLICT,
            title: "listing-inactive-title",
            text: "card-inactive-text",
            cause: "the taxpayer is not active".to_owned(),
        }),
    }
}

async fn stands(app: &App, taxpayer: &Taxpayer) -> Result<Option<BusinessCardRecord>, PageError> {
    let found = app.ctx.store.get_business_card(taxpayer.mode, &taxpayer.taxpayer_id).await;
    Ok(found.map_err(crate::error::Failure::from)?)
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    check(&taxpayer)?;
    let card = stands(&app, &taxpayer).await?;
    let entered = match card.as_ref().and_then(|card| card.entities.first()) {
        Some(entity) => Entered::of_card(entity),
        None => {
            let name = (NAMES.field(0, "name"), taxpayer.name.clone());
            Entered([name, (COUNTRY.to_owned(), "AE".to_owned())].into())
        }
    };
    let seen = card.as_ref().map(|card| card.updated_at.to_string()).unwrap_or_default();
    page(&request, &taxpayer, card.as_ref(), (seen, &entered), &[])
}

pub(super) async fn save(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    check(taxpayer)?;
    let seen = match form.field(SEEN) {
        "" => None,
        text => Some(
            text.parse::<Timestamp>()
                .map_err(|_| PageError::Unreadable("the time of the card is invalid".to_owned()))?,
        ),
    };
    let card = stands(&app, taxpayer).await?;
    let entered = Entered::of_form(&form);
    let entity = match entered.read() {
        Ok(entity) => entity,
        Err(problems) => {
            let as_sent = (form.field(SEEN).to_owned(), &entered);
            let request = &form.request_to(PATH);
            return page(request, taxpayer, card.as_ref(), as_sent, &problems);
        }
    };
    let first = card.as_ref().and_then(|card| card.entities.first().cloned());
    let entity = with_the_rest(entity, first);
    match business_cards::put_first(&app.ctx, taxpayer, seen, entity).await {
        Ok(Some(_)) => Ok(done(request, business::PATH, "card")),
        Err(failure) if failure.code == Code::ValidationFailed => {
            let as_sent = (form.field(SEEN).to_owned(), &entered);
            let problems = [(NAMES.field(0, "name"), "card-wrong-large")];
            let request = &form.request_to(PATH);
            page(request, taxpayer, card.as_ref(), as_sent, &problems)
        }
        Err(failure) => Err(failure.into()),
        Ok(None) => Err(PageError::Explained {
            status: StatusCode::CONFLICT,
            title: "card-changed-title",
            text: "card-changed-text",
            cause: "the card was changed in the meantime".to_owned(),
        }),
    }
}

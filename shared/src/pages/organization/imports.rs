//! Imports for a business that the organization acts for: a file is chosen or dropped, and its result fetched when its
//! documents are sent.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    super::{Frame, House, PageError, Upload, Visit, see_other},
    CURSOR, Refusal, Who, caller, done, frame, mend, said,
    taxpayers::connected,
};
use crate::{
    access::{Permission, Scope, TaxpayerStatus},
    bulk::{Format, MAX_DOCUMENTS},
    document::Operation,
    service::{
        documents::Stored,
        imports::{self, Asking, NewImport, Owner},
        page::Asked,
        sessions::SignedInMember,
        taxpayers::Connected,
    },
    store::{ImportRecord, ImportStatus, PayloadMethod},
    types::GrantId,
};

/// How many imports a page has.
const PAGE: u8 = 20;
/// The most bytes that are given from here, as of the API.
const MAX_BYTES: usize = 3_000_000;
/// What was done, and the name of the message that says so.
const DONE: [(&str, &str); 1] = [("begun", "imports-done-begun")];
/// The kinds of documents, and the names of the messages that they are called by.
const KINDS: [(Operation, &str); 4] = [
    (Operation::Invoice, "kind-invoice"),
    (Operation::CreditNote, "kind-credit-note"),
    (Operation::SelfBilledInvoice, "kind-self-billed-invoice"),
    (Operation::SelfBilledCreditNote, "kind-self-billed-credit-note"),
];

#[derive(Template)]
#[template(path = "organization/imports.html")]
struct ImportsPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    problem: Option<Refusal>,
    /// The business, as it is called here.
    name: &'a str,
    taxpayer_id: &'a str,
    kinds: [(Operation, &'static str); 4],
    most: usize,
    imports: Vec<Shown>,
    /// Whether one of them is on its way.
    is_running: bool,
    first: Option<String>,
    next: Option<String>,
}

/// An import on the page.
struct Shown {
    record: ImportRecord,
    kind: &'static str,
    /// Where its result is, once it is there.
    result: Option<String>,
}

impl Shown {
    /// What it is called: by the file, if that has a name.
    fn name(&self) -> &str {
        self.record.name.as_deref().unwrap_or(self.record.import_id.as_str())
    }

    fn is_running(&self) -> bool {
        self.record.status == ImportStatus::Running && self.record.parked.is_none()
    }
}

fn path(connected: &Connected) -> String {
    format!("/organization/taxpayers/{}/imports", connected.taxpayer.taxpayer_id)
}

/// Whether the organization may send for the business: of one that is not active it sends nothing.
pub(super) fn are_taken(connected: &Connected) -> bool {
    connected.taxpayer.status == TaxpayerStatus::Active && !sending(connected).is_empty()
}

/// The grants through which it may.
fn sending(connected: &Connected) -> BTreeSet<GrantId> {
    let sends =
        connected.grants.iter().filter(|grant| grant.scopes.contains(&Scope::InvoicesWrite));
    sends.map(|grant| grant.grant_id.clone()).collect()
}

fn owner<'a>(member: &'a SignedInMember, connected: &'a Connected) -> Owner<'a> {
    Owner {
        mode: member.member.mode,
        organization_id: &member.member.organization_id,
        taxpayer_id: &connected.taxpayer.taxpayer_id,
    }
}

pub(super) async fn show(
    State(house): State<House>,
    visit: Visit,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let connected = connected(&house, &member, &taxpayer_id, are_taken).await?;
    page(&house, &visit, &member, &connected, None).await
}

async fn page(
    house: &House,
    visit: &Visit,
    member: &SignedInMember,
    connected: &Connected,
    problem: Option<Refusal>,
) -> Result<Response, PageError> {
    let cursor = visit.parameter(CURSOR)?;
    let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let list = imports::list(&house.ctx, owner(member, connected), asked).await?;
    let here = visit.path(&path(connected));
    let shown = |record: ImportRecord| Shown {
        kind: KINDS.iter().find(|(kind, _)| *kind == record.operation).map_or("", |(_, name)| name),
        result: record.result.as_ref().map(|_| format!("{here}/{}/result", record.import_id)),
        record,
    };
    let shown: Vec<_> = list.items.into_iter().map(shown).collect();
    let taxpayer_id = connected.taxpayer.taxpayer_id.as_str();
    let page = ImportsPage {
        frame: frame(visit, member),
        who: Who { member },
        done: said(visit, &DONE)?,
        // It has a name where a grant lets that be read (specification 5.3).
        name: if connected.shows_details() { &connected.taxpayer.name } else { taxpayer_id },
        taxpayer_id,
        kinds: KINDS,
        most: MAX_DOCUMENTS,
        is_running: shown.iter().any(Shown::is_running),
        imports: shown,
        first: cursor.is_some().then_some(here),
        next: list.next_cursor.map(|cursor| visit.further(CURSOR, &cursor)),
        problem,
    };
    let status = if page.problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    visit.page(status, &page)
}

pub(super) async fn create(
    State(house): State<House>,
    Upload { form, file, file_name }: Upload,
) -> Result<Response, PageError> {
    let visit = &form.visit;
    let (member, by) = visit.acting(&house, Permission::Develop).await?;
    let taxpayer_id = form.field("taxpayer");
    if taxpayer_id.is_empty() {
        return Err(PageError::Unreadable("no business is named".to_owned()));
    }
    let connected = connected(&house, &member, taxpayer_id, are_taken).await?;
    let operation = Operation::from_name(form.field("type"))
        .ok_or_else(|| PageError::Unreadable("the kind of document is none".to_owned()))?;
    let asked_by = caller(&member).credential;
    let asking = Asking { asked_by, grant_ids: sending(&connected), by };
    let name = file_name.map(|name| name.chars().take(imports::MAX_NAME).collect());
    let new = NewImport { operation, name, file };
    let owner = owner(&member, &connected);
    match imports::take_on_page(&house, owner, asking, new).await {
        Ok(_) => Ok(done(visit, &path(&connected), "begun")),
        Err(failure) => {
            let refusal = mend(failure)?;
            tracing::info!(why = refusal.in_english(), "a file was not imported");
            let visit = &form.visit_to(&path(&connected));
            page(&house, visit, &member, &connected, Some(refusal)).await
        }
    }
}

pub(super) async fn result(
    State(house): State<House>,
    visit: Visit,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let connected = connected(&house, &member, &taxpayer_id, are_taken).await?;
    let record = imports::get(&house.ctx, owner(&member, &connected), &import_id).await?;
    let stored = imports::result(&house.reading(), &record, MAX_BYTES, PayloadMethod::Get).await?;
    let bytes = match stored {
        Stored::Here(bytes) => bytes,
        Stored::Elsewhere(address) => return Ok(see_other(&address)),
    };
    let (media_type, extension) = match record.format {
        Format::Csv => ("text/csv; charset=utf-8", "csv"),
        Format::Ndjson | Format::Unknown => ("application/x-ndjson", "ndjson"),
    };
    let attachment = format!("attachment; filename=\"{}.{extension}\"", record.import_id);
    let attachment = HeaderValue::try_from(attachment);
    let mut response = ([(header::CONTENT_TYPE, media_type)], bytes).into_response();
    if let Ok(attachment) = attachment {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment);
    }
    Ok(response)
}

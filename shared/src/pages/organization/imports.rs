//! Imports for a connected business: a member chooses or drops a file, checks its content, sends it by a separate
//! button, and downloads the result when its documents are sent.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use url::form_urlencoded;

use super::{
    super::{
        App, Form, Frame, PageError, PageRequest, Upload, excerpt::cut, security::preview_of,
        see_other,
    },
    CURSOR, Refusal, Who, caller, connected, correctable, done, frame, path_of_taxpayer, said,
};
use crate::{
    access::{Permission, Scope, TaxpayerStatus},
    document::Operation,
    error::{Code, Failure},
    import_tables::{Format, MAX_DOCUMENTS},
    service::{
        documents::Stored,
        file_name::FileName,
        imports::{self, Asking, Foreign, Look, NewImport, Owner},
        page::PageQuery,
        sessions::SignedInMember,
        taxpayers::Connected,
    },
    store::{ImportRecord, ImportStatus, PayloadMethod, Rate},
    types::{GrantId, ImportId},
};

/// Files that an organization uploads here; each is stored for a while.
const FILES: Rate = Rate { what: "FILES", most: 120, window: jiff::SignedDuration::from_hours(1) };
/// Fields and parameters: the kind of documents, and the name of their file.
pub(super) const TYPE: &str = "type";
pub(super) const NAME: &str = "name";
/// The parameter with the table whose foreign headings were replaced.
const RAW: &str = "raw";

/// Characters of a value on the page of a check.
const VALUE_SHOWN: usize = 60;
/// Imports on a page.
const PAGE: u8 = 20;
/// Maximum size of a direct answer, as in the API.
const MAX_BYTES: usize = 3_000_000;
/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 1] = [("begun", "imports-done-begun")];
/// The kinds of documents, and the names of their messages.
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
    /// The name of the business on this page, and the address of its own.
    name: &'a str,
    business: String,
    taxpayer_id: &'a str,
    kinds: [(Operation, &'static str); 4],
    most: usize,
    imports: Vec<ShownImport>,
    /// Whether an import is running.
    is_running: bool,
    first: Option<String>,
    next: Option<String>,
}

/// An import on the page.
struct ShownImport {
    record: ImportRecord,
    kind: &'static str,
    /// The address of its result, once it is complete.
    result: Option<String>,
}

impl ShownImport {
    /// Its name: that of the file, if it has one.
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

/// Whether the organization may send for the business: only if the business is active.
pub(super) fn are_taken(connected: &Connected) -> bool {
    connected.taxpayer.status == TaxpayerStatus::Active && !sending(connected).is_empty()
}

/// The grants that allow it.
pub(super) fn sending(connected: &Connected) -> BTreeSet<GrantId> {
    let sends =
        connected.grants.iter().filter(|grant| grant.scopes.contains(&Scope::InvoicesWrite));
    sends.map(|grant| grant.grant_id.clone()).collect()
}

pub(super) fn owner<'a>(member: &'a SignedInMember, connected: &'a Connected) -> Owner<'a> {
    Owner {
        mode: member.member.mode,
        organization_id: &member.member.organization_id,
        taxpayer_id: &connected.taxpayer.taxpayer_id,
    }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, are_taken).await?;
    page(&app, &request, &member, &connected, None).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    member: &SignedInMember,
    connected: &Connected,
    problem: Option<Refusal>,
) -> Result<Response, PageError> {
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let list = imports::list(&app.ctx, owner(member, connected), asked).await?;
    let here = request.path(&path(connected));
    let shown = |record: ImportRecord| ShownImport {
        kind: name_of(record.operation),
        result: record.result.as_ref().map(|_| format!("{here}/{}/result", record.import_id)),
        record,
    };
    let shown: Vec<_> = list.items.into_iter().map(shown).collect();
    let taxpayer_id = connected.taxpayer.taxpayer_id.as_str();
    let page = ImportsPage {
        frame: frame(request, member),
        who: Who { member },
        done: said(request, &DONE)?,
        name: connected.name(),
        business: request.path(&path_of_taxpayer(&connected.taxpayer.taxpayer_id)),
        taxpayer_id,
        kinds: KINDS,
        most: MAX_DOCUMENTS,
        is_running: shown.iter().any(ShownImport::is_running),
        imports: shown,
        first: cursor.is_some().then_some(here),
        next: list.next_cursor.map(|cursor| request.further(CURSOR, &cursor)),
        problem,
    };
    let status = if page.problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page_in_progress(status, &page)
}

/// Stores a file that a member chose or dropped, and redirects to its check. Nothing is sent.
pub(super) async fn read(
    State(app): State<App>,
    Upload { form, file, file_name }: Upload,
) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, _) = request.acting(&app, Permission::Develop).await?;
    let connected = named(&app, &member, &form).await?;
    let operation = kind(form.field(TYPE))?;
    request.count(&app, FILES, member.member.organization_id.as_str()).await?;
    let name = file_name.as_deref().map(shortened).unwrap_or_default();
    let (owner, named) = (owner(&member, &connected), (operation, name.as_str()));
    let new = NewImport { operation, name: Some(name.clone()), file };
    match imports::hold(&app, owner, new.clone()).await {
        Ok(import_id) => Ok(see_other(&check_path(request, &connected, (&import_id, None), named))),
        Err(failure) if has_foreign_headings(&failure) => {
            match imports::hold_foreign(&app, owner, new).await? {
                Some(Foreign::Mapped { raw, mapped }) => {
                    let ids = (&mapped, Some(raw.as_str()));
                    Ok(see_other(&check_path(request, &connected, ids, named)))
                }
                Some(Foreign::Asked(raw)) => {
                    Ok(see_other(&columns_path(request, &connected, raw.as_str(), named)))
                }
                None => refused(&app, &form, &member, &connected, correctable(failure)?).await,
            }
        }
        Err(failure) => refused(&app, &form, &member, &connected, correctable(failure)?).await,
    }
}

/// Whether a table is refused for its headings alone.
fn has_foreign_headings(failure: &Failure) -> bool {
    let mut findings = failure.findings.iter();
    !failure.findings.is_empty() && findings.all(|it| it.rule == "AP-IMPORT-column")
}

/// The query that names the kind of documents and their file.
fn query((operation, name): (Operation, &str)) -> form_urlencoded::Serializer<'static, String> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair(TYPE, operation.as_str()).append_pair(NAME, name);
    query
}

/// The address of the check of a held file. `raw` is the same table with its foreign headings.
pub(super) fn check_path(
    request: &PageRequest,
    connected: &Connected,
    (import_id, raw): (&ImportId, Option<&str>),
    named: (Operation, &str),
) -> String {
    let path = request.path(&path(connected));
    let mut query = query(named);
    if let Some(raw) = raw {
        query.append_pair(RAW, raw);
    }
    format!("{path}/{import_id}/check?{}", query.finish())
}

/// The address of the page that asks for the fields of a table's columns.
pub(super) fn columns_path(
    request: &PageRequest,
    connected: &Connected,
    raw: &str,
    named: (Operation, &str),
) -> String {
    let path = request.path(&path(connected));
    format!("{path}/{raw}/columns?{}", query(named).finish())
}

#[derive(Template)]
#[template(path = "organization/import_check.html")]
struct CheckPage<'a> {
    frame: Frame<'a>,
    business: &'a str,
    taxpayer_id: &'a str,
    import_id: &'a str,
    /// The name of the file.
    name: &'a str,
    operation: Operation,
    kind: &'static str,
    look: &'a Look,
    /// The path for another file.
    back: String,
    /// The addresses of the preview of a document, and of the refused rows.
    preview: Option<String>,
    refused: Option<String>,
    /// The address of the fields of the columns, if the headings were foreign.
    columns: Option<String>,
}

/// The member, the business and the kind of documents of a page about a held file.
pub(super) async fn checking(
    app: &App,
    request: &PageRequest,
    taxpayer_id: &str,
) -> Result<(SignedInMember, Connected, Operation), PageError> {
    let member = request.member(app, Permission::Develop).await?;
    let connected = connected(app, &member, taxpayer_id, are_taken).await?;
    Ok((member, connected, kind(&request.parameter(TYPE)?.unwrap_or_default())?))
}

/// The name of the file in the query of a page.
pub(super) fn file_name(request: &PageRequest) -> Result<String, PageError> {
    Ok(request.parameter(NAME)?.as_deref().map(shortened).unwrap_or_default())
}

/// The check of a chosen file: the number of documents and their errors.
pub(super) async fn check(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected, operation) = checking(&app, &request, &taxpayer_id).await?;
    let name = file_name(&request)?;
    let (reading, owner) = (app.reading(), owner(&member, &connected));
    let look = imports::look(&reading, owner, &connected.taxpayer, (operation, &import_id)).await;
    let look = look.map_err(gone)?;
    let taxpayer_id = connected.taxpayer.taxpayer_id.as_str();
    let page = CheckPage {
        frame: frame(&request, &member),
        business: connected.name(),
        taxpayer_id,
        import_id: &import_id,
        name: &name,
        operation,
        kind: name_of(operation),
        look: &look,
        back: request.path(&path(&connected)),
        preview: look
            .example
            .map(|_| below(&request, &connected, ((operation, &name), &import_id), "preview")),
        columns: request
            .parameter(RAW)?
            .map(|raw| columns_path(&request, &connected, &raw, (operation, &name))),
        refused: (look.faulty > 0)
            .then(|| below(&request, &connected, ((operation, &name), &import_id), "refused")),
    };
    request.page(StatusCode::OK, &page)
}

/// The beginning of a value that a finding is about.
fn shown(value: Option<&str>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| cut(value, VALUE_SHOWN))
}

/// The address of a file about the check.
fn below(
    request: &PageRequest,
    connected: &Connected,
    (named, import_id): ((Operation, &str), &str),
    what: &str,
) -> String {
    let path = request.path(&path(connected));
    format!("{path}/{import_id}/{what}?{}", query(named).finish())
}

/// The first document of a chosen file that can be sent, as people read it.
pub(super) async fn preview(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected, operation) = checking(&app, &request, &taxpayer_id).await?;
    let file = (operation, import_id.as_str());
    let (reading, owner) = (app.reading(), owner(&member, &connected));
    let examined = imports::example(&reading, owner, &connected.taxpayer, file).await;
    match examined.map_err(gone)?.preview(request.language)? {
        Some(page) => Ok(preview_of(page)),
        None => Err(PageError::NotFound),
    }
}

/// The documents of a chosen file that would be refused, with the reasons.
pub(super) async fn refused_rows(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let (member, connected, operation) = checking(&app, &request, &taxpayer_id).await?;
    let file = (operation, import_id.as_str());
    let (reading, owner) = (app.reading(), owner(&member, &connected));
    let rows = imports::refused_rows(&reading, owner, &connected.taxpayer, file).await;
    let (format, bytes) = rows.map_err(gone)?;
    let name = FileName::about_import(Some(&file_name(&request)?), &import_id, "refused");
    Ok(attached(&name, format, bytes))
}

/// Sends the documents of a file after the member has confirmed the check.
pub(super) async fn create(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, by) = request.acting(&app, Permission::Develop).await?;
    let connected = named(&app, &member, &form).await?;
    let operation = kind(form.field(TYPE))?;
    let asked_by = caller(&member).credential;
    let asking = Asking { asked_by, grant_ids: sending(&connected), by };
    let name = Some(shortened(form.field(NAME)));
    let held = (operation, form.field("import"), name);
    match imports::take_held(&app, owner(&member, &connected), asking, held).await {
        Ok(()) => Ok(done(request, &path(&connected), "begun")),
        Err(failure) if failure.code == Code::NotFound => Err(gone(failure)),
        Err(failure) => refused(&app, &form, &member, &connected, correctable(failure)?).await,
    }
}

/// The business that a form names.
pub(super) async fn named(
    app: &App,
    member: &SignedInMember,
    form: &Form,
) -> Result<Connected, PageError> {
    let taxpayer_id = form.field("taxpayer");
    if taxpayer_id.is_empty() {
        return Err(PageError::Unreadable("the business is missing".to_owned()));
    }
    connected(app, member, taxpayer_id, are_taken).await
}

pub(super) fn kind(name: &str) -> Result<Operation, PageError> {
    Operation::from_name(name)
        .ok_or_else(|| PageError::Unreadable("the document type is invalid".to_owned()))
}

/// The name of the message for a kind.
fn name_of(operation: Operation) -> &'static str {
    KINDS.iter().find(|(kind, _)| *kind == operation).map_or("", |(_, name)| name)
}

/// The name of a file, cut to the stored length.
pub(super) fn shortened(name: &str) -> String {
    name.chars().take(imports::MAX_NAME).collect()
}

/// The error page for a file that is no longer stored, if that is the reason.
pub(super) fn gone(failure: Failure) -> PageError {
    match failure.code {
        Code::NotFound => PageError::Explained {
            status: StatusCode::GONE,
            title: "imports-gone-title",
            text: "imports-gone-text",
            cause: failure.message,
        },
        _ => failure.into(),
    }
}

/// The page of imports with the reason why a file is refused.
async fn refused(
    app: &App,
    form: &Form,
    member: &SignedInMember,
    connected: &Connected,
    refusal: Refusal,
) -> Result<Response, PageError> {
    tracing::info!(why = refusal.in_english(), "a file was not imported");
    let request = &form.request_to(&path(connected));
    page(app, request, member, connected, Some(refusal)).await
}

pub(super) async fn result(
    State(app): State<App>,
    request: PageRequest,
    Path((taxpayer_id, import_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let connected = connected(&app, &member, &taxpayer_id, are_taken).await?;
    let record = imports::get(&app.ctx, owner(&member, &connected), &import_id).await?;
    let stored = imports::result(&app.reading(), &record, MAX_BYTES, PayloadMethod::Get).await?;
    let bytes = match stored {
        Stored::Here(bytes) => bytes,
        Stored::Elsewhere(address) => return Ok(see_other(&address)),
    };
    let name = FileName::about_import(record.name.as_deref(), record.import_id.as_str(), "result");
    Ok(attached(&name, record.format, bytes))
}

/// A file that the browser saves.
fn attached(name: &FileName, format: Format, bytes: Vec<u8>) -> Response {
    let (media_type, extension) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "csv"),
        Format::Ndjson | Format::Unknown => ("application/x-ndjson", "ndjson"),
    };
    saved(&name.attachment(extension), media_type, bytes)
}

/// A file that the browser saves, with its media type and the extension of its name.
pub(super) fn file(
    name: &str,
    (media_type, extension): (&'static str, &str),
    bytes: Vec<u8>,
) -> Response {
    saved(&format!("attachment; filename=\"{name}.{extension}\""), media_type, bytes)
}

fn saved(attachment: &str, media_type: &'static str, bytes: Vec<u8>) -> Response {
    let attachment = HeaderValue::try_from(attachment);
    let mut response = ([(header::CONTENT_TYPE, media_type)], bytes).into_response();
    if let Ok(attachment) = attachment {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment);
    }
    response
}

//! Archives: a business requests a file with all its documents of a period, and downloads it.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::civil::Date;

use super::super::{
    App, Form, Frame, Nav, PageError, PageRequest, conditions::CURSOR, done::done,
    page_request::DONE, see_other,
};
use crate::{
    access::{Reader, ReaderKind, Scope, Taxpayer},
    service::{
        archives::{self, MAX_DOCUMENTS, Period},
        documents::Stored,
        page::PageQuery,
    },
    store::{ArchiveRecord, ArchiveStatus, PayloadMethod},
    types::{Mode, uae_date},
};

/// The path, below the path of the mode.
pub(super) const PATH: &str = "/account/archives";
/// Archives on a page.
const PAGE: u8 = 20;

#[derive(Template)]
#[template(path = "account/archives.html")]
struct ArchivesPage<'a> {
    frame: Frame<'a>,
    /// The first and the last day in the form.
    days: [String; 2],
    most: String,
    is_done: bool,
    /// The wrong field, and the name of the error message.
    problem: Option<(&'static str, &'static str)>,
    archives: Vec<Shown>,
    /// Whether an archive is running.
    is_running: bool,
    first: Option<String>,
    next: Option<String>,
}

/// An archive on the page.
struct Shown {
    record: ArchiveRecord,
    /// The address of its file, once it is complete.
    file: Option<String>,
}

impl Shown {
    fn is_running(&self) -> bool {
        self.record.status == ArchiveStatus::Running && self.record.parked.is_none()
    }
}

/// A business has all scopes on its own documents.
struct Owner<'a> {
    mode: Mode,
    taxpayer: &'a Taxpayer,
    scopes: BTreeSet<Scope>,
}

impl<'a> Owner<'a> {
    fn of(request: &PageRequest, taxpayer: &'a Taxpayer) -> Self {
        Owner { mode: request.mode, taxpayer, scopes: Scope::ALL.into() }
    }

    fn reader(&self) -> Reader<'_> {
        let Owner { mode, taxpayer, scopes } = self;
        let (taxpayer_id, kind) = (&taxpayer.taxpayer_id, ReaderKind::Person);
        Reader { mode: *mode, taxpayer_id, scopes, kind }
    }
}

async fn page(
    app: &App,
    request: &PageRequest,
    taxpayer: &Taxpayer,
    days: [String; 2],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let list = archives::list(&app.ctx, Owner::of(request, taxpayer).reader(), asked).await?;
    let here = request.path(PATH);
    let shown = |record: ArchiveRecord| {
        let is_there = record.status == ArchiveStatus::Completed;
        Shown { file: is_there.then(|| format!("{here}/{}/file", record.archive_id)), record }
    };
    let shown: Vec<_> = list.items.into_iter().map(shown).collect();
    let page = ArchivesPage {
        frame: request.frame_in(Nav::Taxpayer, &taxpayer.name),
        days,
        most: MAX_DOCUMENTS.to_string(),
        is_done: request.parameter(DONE)?.is_some(),
        problem,
        is_running: shown.iter().any(Shown::is_running),
        archives: shown,
        first: cursor.is_some().then_some(here),
        next: list.next_cursor.map(|cursor| request.further(CURSOR, &cursor)),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page_in_progress(status, &page)
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    // The default is the current year until today.
    let today = uae_date(app.ctx.now());
    let days = [today.first_of_year(), today].map(|day| day.to_string());
    page(&app, &request, &taxpayer, days, None).await
}

pub(super) async fn create(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let signed_in = request.acting_taxpayer(&app).await?;
    let taxpayer = &signed_in.taxpayer;
    let days = ["from", "to"].map(|field| form.field(field).trim().to_owned());
    let problem = match [&days[0], &days[1]].map(|day| day.parse::<Date>()) {
        [Ok(from), Ok(to)] if from <= to => {
            let owner = Owner::of(request, taxpayer);
            archives::create(&app.ctx, owner.reader(), None, Period { from, to }).await?;
            return Ok(done(request, PATH, "begun"));
        }
        [Ok(_), Ok(_)] => ("to", "archives-ends-before"),
        [Err(_), _] => ("from", "archives-no-day"),
        [Ok(_), Err(_)] => ("to", "archives-no-day"),
    };
    page(&app, &form.request_to(PATH), taxpayer, days, Some(problem)).await
}

pub(super) async fn file(
    State(app): State<App>,
    request: PageRequest,
    Path(archive_id): Path<String>,
) -> Result<Response, PageError> {
    let taxpayer = request.signed_in(&app).await?.taxpayer;
    let (owner, method) = (Owner::of(&request, &taxpayer), PayloadMethod::Get);
    let (ctx, bucket, reader) = (&app.ctx, &app.bucket, owner.reader());
    match archives::file(ctx, bucket, reader, &archive_id, method).await? {
        Stored::Elsewhere(address) => Ok(see_other(&address)),
        Stored::Here(_) => Err(PageError::Unreadable("the file has no address".to_owned())),
    }
}

//! Archives: a business has all its documents of a period gathered in one file, and fetches that.

use std::collections::BTreeSet;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::civil::Date;

use super::super::{
    Form, Frame, House, Nav, PageError, Visit, conditions::CURSOR, done::done, see_other,
    visit::DONE,
};
use crate::{
    access::{Reader, ReaderKind, Scope, Taxpayer},
    service::{
        archives::{self, MAX_DOCUMENTS, Period},
        documents::Stored,
        page::Asked,
    },
    store::{ArchiveRecord, ArchiveStatus, PayloadMethod},
    types::{Mode, uae_date},
};

/// The path, below that of the mode.
pub(super) const PATH: &str = "/account/archives";
/// How many archives a page has.
const PAGE: u8 = 20;

#[derive(Template)]
#[template(path = "account/archives.html")]
struct ArchivesPage<'a> {
    frame: Frame<'a>,
    /// The first and the last day in the form.
    days: [String; 2],
    most: String,
    is_done: bool,
    /// The field that is wrong, and the name of the message that says how.
    problem: Option<(&'static str, &'static str)>,
    archives: Vec<Shown>,
    /// Whether one of them is gathered.
    is_running: bool,
    first: Option<String>,
    next: Option<String>,
}

/// An archive on the page.
struct Shown {
    record: ArchiveRecord,
    /// Where its file is, once it is there.
    file: Option<String>,
}

impl Shown {
    fn is_running(&self) -> bool {
        self.record.status == ArchiveStatus::Running && self.record.parked.is_none()
    }
}

/// All scopes: a business sees all that is its own.
struct Owner<'a> {
    mode: Mode,
    taxpayer: &'a Taxpayer,
    scopes: BTreeSet<Scope>,
}

impl<'a> Owner<'a> {
    fn of(visit: &Visit, taxpayer: &'a Taxpayer) -> Self {
        Owner { mode: visit.mode, taxpayer, scopes: Scope::ALL.into() }
    }

    fn reader(&self) -> Reader<'_> {
        let Owner { mode, taxpayer, scopes } = self;
        let (taxpayer_id, kind) = (&taxpayer.taxpayer_id, ReaderKind::Person);
        Reader { mode: *mode, taxpayer_id, scopes, kind }
    }
}

async fn page(
    house: &House,
    visit: &Visit,
    taxpayer: &Taxpayer,
    days: [String; 2],
    problem: Option<(&'static str, &'static str)>,
) -> Result<Response, PageError> {
    let cursor = visit.parameter(CURSOR)?;
    let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let list = archives::list(&house.ctx, Owner::of(visit, taxpayer).reader(), asked).await?;
    let here = visit.path(PATH);
    let shown = |record: ArchiveRecord| {
        let is_there = record.status == ArchiveStatus::Completed;
        Shown { file: is_there.then(|| format!("{here}/{}/file", record.archive_id)), record }
    };
    let shown: Vec<_> = list.items.into_iter().map(shown).collect();
    let page = ArchivesPage {
        frame: visit.frame_in(Nav::Taxpayer, &taxpayer.name),
        days,
        most: MAX_DOCUMENTS.to_string(),
        is_done: visit.parameter(DONE)?.is_some(),
        problem,
        is_running: shown.iter().any(Shown::is_running),
        archives: shown,
        first: cursor.is_some().then_some(here),
        next: list.next_cursor.map(|cursor| visit.further(CURSOR, &cursor)),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    visit.page(status, &page)
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let taxpayer = visit.signed_in(&house).await?.taxpayer;
    // The year so far.
    let today = uae_date(house.ctx.now());
    let days = [today.first_of_year(), today].map(|day| day.to_string());
    page(&house, &visit, &taxpayer, days, None).await
}

pub(super) async fn create(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit;
    let Some(signed_in) = visit.who(&house).await? else {
        return Err(PageError::Forged("nobody is signed in any more"));
    };
    let taxpayer = &signed_in.taxpayer;
    let days = ["from", "to"].map(|field| form.field(field).trim().to_owned());
    let problem = match [&days[0], &days[1]].map(|day| day.parse::<Date>()) {
        [Ok(from), Ok(to)] if from <= to => {
            let owner = Owner::of(visit, taxpayer);
            archives::create(&house.ctx, owner.reader(), None, Period { from, to }).await?;
            return Ok(done(visit, PATH, "begun"));
        }
        [Ok(_), Ok(_)] => ("to", "archives-ends-before"),
        [Err(_), _] => ("from", "archives-no-day"),
        [Ok(_), Err(_)] => ("to", "archives-no-day"),
    };
    page(&house, &form.visit_to(PATH), taxpayer, days, Some(problem)).await
}

pub(super) async fn file(
    State(house): State<House>,
    visit: Visit,
    Path(archive_id): Path<String>,
) -> Result<Response, PageError> {
    let taxpayer = visit.signed_in(&house).await?.taxpayer;
    let (owner, method) = (Owner::of(&visit, &taxpayer), PayloadMethod::Get);
    let (ctx, bucket, reader) = (&house.ctx, &house.bucket, owner.reader());
    match archives::file(ctx, bucket, reader, &archive_id, method).await? {
        Stored::Elsewhere(address) => Ok(see_other(&address)),
        Stored::Here(_) => Err(PageError::Unreadable("the file is not elsewhere".to_owned())),
    }
}

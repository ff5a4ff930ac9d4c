//! The start page of a member: figures and a chart of recent documents, problems that need attention, pending answers of
//! other parties, and the latest documents. The first steps stand above them until all are done.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::{SignedDuration, ToSpan, civil::Date};

use super::{
    super::{
        App, Frame, PageError, PageRequest,
        chart::Chart,
        documents::{self, Badge},
        excerpt::cut,
        nav::role_name,
    },
    Who, caller, deliveries, frame, path_of_document,
    recent::Recent,
    taxpayers as businesses, webhooks,
};
use crate::{
    access::{KeyStatus, Permission},
    error::{Failure, Severity},
    i18n::{self, Language, Value},
    service::{
        notifications::{self, Ending},
        oauth::clients,
        organizations,
        overview::{self, DAYS, Overview},
        page::PageQuery,
        sessions::SignedInMember,
        taxpayers,
        webhooks::{
            self as endpoints,
            events::{STOPPED_ENDPOINTS, Stopped, stopped},
        },
    },
    store::{Awaited, DailyCounts, DocumentRecord, Reached},
    types::{Mode, uae_date},
};

/// The latest documents on this page.
const LATEST: usize = 6;
/// The results that count as failed in the figures and in the chart.
const FAILED: [Reached; 2] = [Reached::Rejected, Reached::Failed];
/// Characters of a reason.
const REASON_SHOWN: usize = 120;
/// How long after the organization's creation the first steps are shown beside documents.
const STEPS_SHOWN: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Template)]
#[template(path = "organization/overview.html")]
struct OverviewPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    lately: Option<Lately>,
    /// The first steps, while they are of use.
    steps: Vec<Step>,
}

/// A first step.
struct Step {
    /// What it takes.
    how: How,
    /// The name of its message.
    name: &'static str,
    is_done: bool,
}

/// What a step takes.
enum How {
    /// The page at this path.
    Page(String),
    /// The button that connects a test business.
    TestBusiness,
}

/// How many of the steps are done.
fn done_of(steps: &[Step]) -> String {
    let done = steps.iter().filter(|step| step.is_done).count();
    format!("{done}/{}", steps.len())
}

/// A figure: its name, and the name and number of the hint below it.
struct Figure {
    name: &'static str,
    count: u32,
    hint: (&'static str, u32),
}

/// The content for members who may see documents.
struct Lately {
    /// Endpoints that fail, or were disabled for failures.
    failing: Vec<webhooks::ShownEndpoint>,
    has_endpoint: bool,
    /// Endpoints with events whose delivery stopped.
    stopped: Vec<Stopped>,
    /// The number of endpoints that were checked for that, if there are more.
    checked: Option<u32>,
    /// Seats and certificates that come to their end.
    ending: Ending,
    documents: Overview,
    latest: Vec<Recent>,
    figures: [Figure; 4],
    chart: Chart,
    /// The states of the documents of these days, one column for each.
    columns: Vec<Reached>,
}

impl Lately {
    fn wants_attention(&self) -> bool {
        let is_ending = self.ending != Ending::default();
        let is_stopped = !self.stopped.is_empty() || !self.failing.is_empty();
        is_ending || is_stopped || !self.documents.failures.is_empty()
    }

    /// Whether there is nothing to show.
    fn is_empty(&self) -> bool {
        let Overview { awaited, days, .. } = &self.documents;
        !self.wants_attention() && awaited.is_empty() && days.is_empty() && self.latest.is_empty()
    }

    /// What runs as it should, and what does not: tone and name of the message.
    fn health(&self) -> Vec<Badge> {
        let is_late = self.documents.awaited.iter().any(|it| it.is_overdue);
        let answers = if is_late { ("warn", "health-late") } else { ("good", "health-on-time") };
        let webhooks = match (self.has_endpoint, self.failing.is_empty()) {
            (false, _) => ("", "health-no-webhooks"),
            (true, true) => ("good", "health-webhooks"),
            (true, false) => ("warn", "health-webhooks-failing"),
        };
        vec![answers, webhooks]
    }
}

/// How many documents of some days reached one of these outcomes.
fn total<'a>(days: impl IntoIterator<Item = &'a DailyCounts>, reached: &[Reached]) -> u32 {
    let of_day = |day: &'a DailyCounts| reached.iter().map(|reached| day.of(*reached));
    days.into_iter().flat_map(of_day).fold(0, u32::saturating_add)
}

/// The figures of the last days.
fn figures(documents: &Overview, today: Date) -> [Figure; 4] {
    let days = &documents.days;
    let counted = |name, reached| {
        let of_today = total(days.iter().find(|day| day.day == today), &[reached]);
        Figure { name, count: total(days, &[reached]), hint: ("overview-today", of_today) }
    };
    [
        counted("overview-sent", Reached::Sent),
        counted("overview-received", Reached::Received),
        Figure {
            name: "overview-failed",
            count: total(days, &FAILED),
            hint: ("overview-open", documents.open.failed),
        },
        Figure {
            name: "overview-waiting",
            count: documents.open.awaited,
            hint: ("overview-late", documents.open.overdue),
        },
    ]
}

/// The chart of the last days, with days without documents.
fn chart(documents: &Overview, today: Date, language: Language) -> Chart {
    let day = |back: u8| today.saturating_sub(i64::from(back).days());
    let days = (0..DAYS).rev().map(day).map(|day| {
        let found = documents.days.iter().find(|it| it.day == day);
        let of = |reached| found.map_or(0, |it| it.of(reached));
        let failed = total(found, &FAILED);
        (
            day,
            [
                of(Reached::Sent).saturating_sub(of(Reached::Rejected)),
                of(Reached::Received),
                failed,
            ],
        )
    });
    Chart::of(["sent", "received", "failed"], days, language.direction() == "rtl")
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

/// The name of the other party.
fn other_party(document: &DocumentRecord) -> &str {
    &documents::parties(document).1.name
}

/// The first reason of the recipient's access point; otherwise why this service stopped.
fn reason(document: &DocumentRecord) -> Option<String> {
    let said = document.message_level_status.as_ref().and_then(|status| status.findings.first());
    let message = match said {
        Some(finding) => &finding.message,
        None => {
            let mut own = document.warnings.iter();
            &own.find(|finding| finding.severity == Severity::Error)?.message
        }
    };
    Some(cut(message, REASON_SHOWN))
}

/// How many events of an endpoint were not delivered, in words.
fn undelivered(frame: &Frame<'_>, stopped: &Stopped) -> String {
    let name = if stopped.is_more { "overview-stopped-many" } else { "overview-stopped" };
    frame.t_count(name, "count", &stopped.count)
}

/// The shortened URL of an endpoint, for rows.
fn address_of(stopped: &Stopped) -> String {
    deliveries::address(&stopped.endpoint.url)
}

/// How many seats are in use, in words.
fn seats(frame: &Frame<'_>, used: &u32, seats: &u32) -> String {
    let values = [("used", Value::Count(*used)), ("seats", Value::Count(*seats))];
    i18n::text(frame.language(), "mail-notify-seats-subject", &values)
}

/// How much of the daily quota is used, in words.
fn quota(frame: &Frame<'_>, sent: &u32, most: &u32) -> String {
    let values = [("sent", Value::Count(*sent)), ("most", Value::Count(*most))];
    i18n::text(frame.language(), "mail-notify-quota-subject", &values)
}

/// When a certificate of the service expires, in words.
fn certificate(frame: &Frame<'_>, day: &Date) -> String {
    let day = i18n::figures::date(frame.language(), *day);
    frame.t_text("mail-notify-certificate-subject", "day", &day)
}

/// Whether the organization began to try the service lately. In Live it knows the steps from Sandbox.
fn is_new(app: &App, member: &SignedInMember) -> bool {
    let age = app.ctx.now().duration_since(member.organization.created_at);
    member.member.mode == Mode::Sandbox && age < STEPS_SHOWN
}

/// The first steps, and whether each is done.
async fn first_steps(
    app: &App,
    request: &PageRequest,
    member: &SignedInMember,
    lately: &Lately,
) -> Result<Vec<Step>, PageError> {
    let (ctx, organization_id) = (&app.ctx, &member.member.organization_id);
    let one = PageQuery { cursors: &app.cursors, cursor: None, limit: 1 };
    let (all, caller) = (taxpayers::Filter::default(), caller(member));
    let (keys, clients, connected) = tokio::try_join!(
        organizations::list_keys(ctx, request.mode, organization_id),
        clients::list(ctx, request.mode, organization_id),
        taxpayers::list(ctx, &caller, &all, one),
    )?;
    let has_key = keys.iter().any(|key| key.status == KeyStatus::Active);
    let page = |path, name, is_done| Step { how: How::Page(request.path(path)), name, is_done };
    let is_connected = !connected.items.is_empty();
    let business = match request.mode {
        Mode::Sandbox => Step {
            how: How::TestBusiness,
            name: "overview-step-test-business",
            is_done: is_connected,
        },
        Mode::Live => page(businesses::PATH, "overview-step-business", is_connected),
    };
    // In Live, the form begins empty.
    Ok(vec![
        business,
        page("/organization/write?sample=yes", "overview-step-send", !lately.latest.is_empty()),
        page("/organization/keys", "overview-step-key", has_key),
        page("/organization/webhooks", "overview-step-webhook", lately.has_endpoint),
        page("/organization/clients", "overview-step-client", !clients.is_empty()),
    ])
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.any_member(&app).await?;
    let frame = frame(&request, &member);
    let mut steps = Vec::new();
    let lately = match member.member.role.may(Permission::Look) {
        true => {
            let lately = lately(&app, &request, &member, &frame).await?;
            if lately.is_empty() || is_new(&app, &member) {
                steps = first_steps(&app, &request, &member, &lately).await?;
            }
            if !lately.is_empty() && steps.iter().all(|step| step.is_done) {
                steps.clear();
            }
            Some(lately)
        }
        false => None,
    };
    let page = OverviewPage { frame, who: Who { member: &member }, lately, steps };
    request.page(StatusCode::OK, &page)
}

async fn lately(
    app: &App,
    request: &PageRequest,
    member: &SignedInMember,
    frame: &Frame<'_>,
) -> Result<Lately, PageError> {
    let (ctx, mode) = (&app.ctx, request.mode);
    let organization_id = &member.member.organization_id;
    let hooks = async {
        let watched = endpoints::list(ctx, mode, organization_id).await?;
        let stopped = stopped(ctx, mode, organization_id, &watched).await?;
        Ok::<_, Failure>((watched, stopped))
    };
    let ((watched, stopped), ending, documents, latest) = tokio::try_join!(
        hooks,
        notifications::ending(ctx, mode, organization_id),
        overview::overview(ctx, mode, organization_id),
        overview::latest_documents(ctx, mode, organization_id, LATEST),
    )?;
    let today = uae_date(ctx.now());
    let has_endpoint = !watched.is_empty();
    let checked = (watched.len() > STOPPED_ENDPOINTS)
        .then(|| u32::try_from(STOPPED_ENDPOINTS).unwrap_or(u32::MAX));
    let mut failing: Vec<_> = watched.into_iter().map(webhooks::ShownEndpoint::of).collect();
    failing.retain(webhooks::ShownEndpoint::wants_attention);
    let came_to = |reached: &Reached| documents.days.iter().any(|day| day.of(*reached) > 0);
    Ok(Lately {
        failing,
        has_endpoint,
        stopped,
        checked,
        ending,
        latest: latest.iter().map(|document| Recent::of(frame, document)).collect(),
        figures: figures(&documents, today),
        chart: chart(&documents, today, frame.language()),
        columns: Reached::ALL.into_iter().filter(came_to).collect(),
        documents,
    })
}

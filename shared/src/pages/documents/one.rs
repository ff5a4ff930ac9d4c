//! The page of a document: the invoice itself beside its four steps, its findings, its files, and its history.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use super::{
    super::excerpt::cut,
    App, Correction, Frame, PageError, Shelf,
    download::Download,
    said::{self, Badge},
    steps::{self, Step},
    timeline::{self, Entry, written},
};
use crate::{
    error::{Failure, Finding, Severity},
    pages::{Icon, security},
    rendering::Languages,
    service::{
        documents,
        history::{self, History},
    },
    store::{Direction, DocumentRecord, Status},
    types::DocumentId,
};

/// Maximum bytes of UBL of an invoice that the page frames. Its view is an answer of this service, and not a redirect to
/// the bucket, which the page may not frame.
const FRAMED: u64 = 300_000;

/// Maximum numbers of findings and of timeline entries, so that the page stays small.
const FINDINGS_SHOWN: usize = 25;
const ENTRIES_SHOWN: usize = 40;
/// Maximum bytes of both, and of the findings: a page has 50 kB.
const ROOM: usize = 34_000;
const ROOM_OF_FINDINGS: usize = 14_000;
/// Characters of a text in findings and timeline. The API returns the full text.
const TEXT_SHOWN: usize = 300;

#[derive(Template)]
#[template(path = "documents/one.html")]
struct DocumentPage<'a> {
    frame: Frame<'a>,
    document: &'a DocumentRecord,
    kind: &'static str,
    direction: &'static str,
    status: Badge,
    reporting: Option<Badge>,
    steps: [Step; 4],
    /// Whether a step is in progress; then the page refreshes itself.
    is_busy: bool,
    /// The name of the sending organization, shown only to the taxpayer.
    sent_by: Option<String>,
    list: String,
    invoice: Invoice,
    /// The address of the PDF in the language of the page, if there is one.
    pdf: Option<String>,
    /// What the viewer can write from this document: path, and message name.
    writes: Vec<(String, &'static str)>,
    /// Readable versions: path, message name of the title, and whether the browser saves the file.
    copies: Vec<(String, &'static str, bool)>,
    /// Files: path, message name of the title, and whether the browser saves the file.
    files: Vec<(String, &'static str, bool)>,
    /// Files that a limit forbids: the message names of title and reason.
    withheld: Vec<(&'static str, &'static str)>,
    /// Related documents: message name of the relation, path, and identifier.
    related: Vec<(&'static str, String, &'a DocumentId)>,
    timeline: Vec<Entry>,
    earlier: u32,
    findings: Vec<(Badge, Finding)>,
    more_findings: u32,
}

/// The invoice on the page.
enum Invoice {
    /// The address of its view.
    Framed(String),
    /// It is large, and opened alone.
    Alone(String),
    /// It cannot be shown, or was not made yet.
    None,
}

/// The page of a document.
pub(in crate::pages) async fn one(
    app: &App,
    shelf: &Shelf<'_>,
    document_id: &str,
) -> Result<Response, PageError> {
    let (reader, hears) = (shelf.reader(), shelf.hears);
    let history = history::of(&app.ctx, reader, hears, document_id).await?;
    let document = &history.document;
    let list = shelf.list_path();
    let at = |id: &DocumentId| format!("{list}/{id}");
    let there = |it: Download| format!("{}/{}", at(&document.document_id), it.name());
    let limit = documents::limit(&app.reading(), document).await?;
    let why = |it: Download| Some((it.title(), it.withheld(limit)?.1));
    let withheld = Download::of(&history).filter_map(why).collect();
    let there_are: Vec<_> =
        Download::of(&history).filter(|it| it.withheld(limit).is_none()).collect();
    let pdf = there_are.contains(&Download::Pdf).then(|| there(Download::Pdf));
    let invoice = match (there_are.contains(&Download::View), &document.ubl) {
        (true, Some(ubl)) if ubl.bytes <= FRAMED => {
            Invoice::Framed(format!("{}?annex=false", there(Download::View)))
        }
        (true, _) => Invoice::Alone(there(Download::View)),
        (false, _) => Invoice::None,
    };
    let (copies, files): (Vec<_>, Vec<_>) = there_are.into_iter().partition(|it| it.is_read());
    let copies = copies.into_iter().map(|it| (there(it), it.title(), it.is_kept()));
    let files = files.into_iter().map(|it| (there(it), it.title(), it.is_kept()));
    let related = [
        ("document-credits", &document.previous_document_id),
        ("document-corrects", &document.corrects_document_id),
        ("document-corrected-by", &document.corrected_by),
    ];
    let related = related.into_iter().filter_map(|(name, id)| Some((name, id.as_ref()?)));
    let related = related.map(|(name, id)| (name, at(id), id)).collect();
    let sent_by = match (&document.organization_id, hears) {
        (Some(id), None) => {
            let found = app.ctx.store.get_organization(shelf.request.mode, id).await;
            found.map_err(Failure::from)?.map(|organization| organization.name)
        }
        _ => None,
    };
    let mut found: Vec<_> = findings(&history).into_iter().map(shortened).collect();
    let (more_findings, taken) = fit(&mut found, FINDINGS_SHOWN, ROOM_OF_FINDINGS, weight);
    let mut timeline = timeline::of(&history);
    timeline.iter_mut().for_each(|entry| entry.shorten(TEXT_SHOWN));
    let room = ROOM.saturating_sub(taken);
    let (earlier, _) = fit(&mut timeline, ENTRIES_SHOWN, room, Entry::weight);
    let steps = steps::of(&history);
    let page = DocumentPage {
        frame: shelf.frame(),
        document,
        kind: said::operation(document.operation),
        direction: said::direction(document.direction),
        status: said::status(document.status),
        reporting: document.reporting.as_ref().map(said::reporting),
        is_busy: steps::are_busy(&steps),
        steps,
        invoice,
        pdf,
        writes: writes(shelf, document),
        sent_by,
        copies: copies.collect(),
        files: files.collect(),
        withheld,
        related,
        timeline,
        earlier,
        more_findings,
        findings: found.into_iter().map(|it| (grave(&it), it)).collect(),
        list,
    };
    let mut response = shelf.request.page(StatusCode::OK, &page)?;
    security::allow_calls_and_frames(response.headers_mut());
    Ok(response)
}

/// The forms that begin with this document: a correction, a credit note on an invoice that was sent, and a copy.
fn writes(shelf: &Shelf<'_>, document: &DocumentRecord) -> Vec<(String, &'static str)> {
    let Some(form) = &shelf.write else { return Vec::new() };
    if document.direction != Direction::Outbound {
        return Vec::new();
    }
    let path = |begin| shelf.request.path(&format!("{form}?{begin}={}", document.document_id));
    let is_credited = !document.operation.is_credit_note()
        && matches!(document.status, Status::Sent | Status::Delivered | Status::Forwarded);
    let credit = is_credited.then(|| (path("credit"), "document-credit"));
    let correction = Correction::of(document).map(|_| (path("correct"), "document-correct"));
    let copy = (path("from"), "document-copy");
    correction.into_iter().chain(credit).chain([copy]).collect()
}

/// Shortens a list to a maximum number and size, but keeps the first item. Returns the number of removed items, and the
/// bytes of the others.
fn fit<T>(items: &mut Vec<T>, most: usize, room: usize, weight: fn(&T) -> usize) -> (u32, usize) {
    let (mut shown, mut taken) = (0, 0);
    for item in items.iter().take(most) {
        let with = taken + weight(item);
        if shown > 0 && with > room {
            break;
        }
        (shown, taken) = (shown + 1, with);
    }
    let left_out = u32::try_from(items.len() - shown).unwrap_or(u32::MAX);
    items.truncate(shown);
    (left_out, taken)
}

/// A finding with shortened texts.
fn shortened(finding: &Finding) -> Finding {
    let short = |text: &str| cut(text, TEXT_SHOWN);
    Finding {
        pointer: short(&finding.pointer),
        message: short(&finding.message).into(),
        fix: finding.fix.as_deref().map(|text| short(text).into()),
        location: finding.location.as_deref().map(short),
        value: finding.value.as_deref().map(short),
        expected: finding.expected.as_deref().map(short),
        ..finding.clone()
    }
}

/// The bytes of a finding with its markup.
fn weight(finding: &Finding) -> usize {
    let Finding { pointer, rule, message, fix, location, value, expected, .. } = finding;
    let optional = [location.as_deref(), value.as_deref(), expected.as_deref(), fix.as_deref()];
    let texts = optional.into_iter().flatten().chain([&**pointer, &**rule, &**message]);
    300 + texts.map(|text| 90 + written(text)).sum::<usize>()
}

/// The findings of this service and of the recipient's access point, and the reasons for which the authority refused a
/// report.
fn findings(history: &History) -> Vec<&Finding> {
    let document = &history.document;
    let of_recipient = document.message_level_status.iter().flat_map(|it| &it.findings);
    let of_authority = history.reports.iter().flat_map(|report| &report.tax_report.reasons);
    document.warnings.iter().chain(of_recipient).chain(of_authority).collect()
}

fn grave(finding: &Finding) -> Badge {
    match finding.severity {
        Severity::Error => (said::BAD, "finding-error"),
        _ => (said::WARN, "finding-warning"),
    }
}

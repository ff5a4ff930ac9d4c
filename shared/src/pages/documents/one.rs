//! The page of a document: what it is, what became of it, what was found in it, and its files.

use askama::Template;
use axum::{http::StatusCode, response::Response};

use super::{
    Frame, House, PageError, Shelf,
    download::Download,
    said::{self, Badge},
    timeline::{self, Entry},
};
use crate::{
    error::{Finding, Severity},
    service::history::{self, History},
    store::DocumentRecord,
    types::DocumentId,
    view::Languages,
};

/// How many findings are shown: of very many these, so that the page stays small.
const FINDINGS_SHOWN: usize = 25;
/// How many entries of the timeline.
const ENTRIES_SHOWN: usize = 40;

#[derive(Template)]
#[template(path = "documents/one.html")]
struct DocumentPage<'a> {
    frame: Frame<'a>,
    document: &'a DocumentRecord,
    kind: &'static str,
    direction: &'static str,
    status: Badge,
    reporting: Option<Badge>,
    list: String,
    /// What there is to be read, in whatever languages: where, the name of the message with its name, and whether a browser
    /// is to keep it.
    copies: Vec<(String, &'static str, bool)>,
    /// The files that there are: where, and the name of the message with its name.
    files: Vec<(String, &'static str)>,
    /// Other documents: the name of the message that says which, where it is, and its identifier.
    related: Vec<(&'static str, String, &'a DocumentId)>,
    timeline: Vec<Entry>,
    earlier: u32,
    findings: Vec<(Badge, &'a Finding)>,
    more_findings: u32,
}

/// The page of a document.
pub(in crate::pages) async fn one(
    house: &House,
    shelf: &Shelf<'_>,
    document_id: &str,
) -> Result<Response, PageError> {
    let (reader, hears) = (shelf.reader(), shelf.hears);
    let history = history::of(&house.ctx, reader, hears, document_id).await?;
    let document = &history.document;
    let list = shelf.list_path();
    let at = |id: &DocumentId| format!("{list}/{id}");
    let there = |it: Download| format!("{}/{}", at(&document.document_id), it.name());
    let (copies, files): (Vec<_>, Vec<_>) = Download::of(&history).partition(|it| it.is_read());
    let copies = copies.into_iter().map(|it| (there(it), it.title(), it.is_kept()));
    let files = files.into_iter().map(|it| (there(it), it.title()));
    let related = [
        ("document-credits", &document.previous_document_id),
        ("document-corrects", &document.corrects_document_id),
        ("document-corrected-by", &document.corrected_by),
    ];
    let related = related.into_iter().filter_map(|(name, id)| Some((name, id.as_ref()?)));
    let related = related.map(|(name, id)| (name, at(id), id)).collect();
    let mut timeline = timeline::of(&history);
    let earlier = beyond(timeline.len(), ENTRIES_SHOWN);
    timeline.truncate(ENTRIES_SHOWN);
    let found = findings(&history);
    let page = DocumentPage {
        frame: shelf.frame(),
        document,
        kind: said::operation(document.operation),
        direction: said::direction(document.direction),
        status: said::status(document.status),
        reporting: document.reporting.as_ref().map(said::reporting),
        copies: copies.collect(),
        files: files.collect(),
        related,
        timeline,
        earlier,
        more_findings: beyond(found.len(), FINDINGS_SHOWN),
        findings: found.into_iter().take(FINDINGS_SHOWN).map(|it| (grave(it), it)).collect(),
        list,
    };
    shelf.visit.page(StatusCode::OK, &page)
}

/// How many are not shown.
fn beyond(all: usize, shown: usize) -> u32 {
    u32::try_from(all.saturating_sub(shown)).unwrap_or(u32::MAX)
}

/// What we found, what the recipient's access point did, and why the authority refused a report.
fn findings(history: &History) -> Vec<&Finding> {
    let document = &history.document;
    let of_recipient = document.message_level_status.iter().flat_map(|it| &it.findings);
    let of_authority = history.reports.iter().flat_map(|report| &report.filing.reasons);
    document.warnings.iter().chain(of_recipient).chain(of_authority).collect()
}

fn grave(finding: &Finding) -> Badge {
    match finding.severity {
        Severity::Error => (said::BAD, "finding-error"),
        _ => (said::WARN, "finding-warning"),
    }
}

//! The documents of a list as a file of comma-separated values (RFC 4180), for spreadsheets.

use std::borrow::Cow;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use csv::WriterBuilder;

use super::{App, PageError, Shelf, wanted::asked};
use crate::{
    error::{Code, Failure},
    pages::PageRequest,
    service::{
        documents::{self, Search},
        overview::{self, FoundOfAll},
    },
    store::DocumentRecord,
    types::{OrganizationId, uae_date},
};

/// Maximum documents in a file, and that are read for it.
pub(super) const MOST: usize = if cfg!(test) { 100 } else { 2_000 };
const READ: usize = 5_000;
/// Maximum bytes: Lambda limits an answer to 6 MB as a JSON string, in which a byte may take two.
const MAX_BYTES: usize = 2_900_000;
/// U+FEFF, without which Excel does not read UTF-8.
const BOM: &str = "\u{feff}";
/// The parameter for [`BOM`].
const EXCEL: &str = "excel";

/// The names of the columns, as in the API.
const COLUMNS: [&str; 18] = [
    "number",
    "type",
    "direction",
    "status",
    "reporting",
    "seller",
    "buyer",
    "issue_date",
    "due_date",
    "currency",
    "total_without_vat",
    "total_vat",
    "total_with_vat",
    "amount_due",
    "created_at",
    "document_id",
    "uuid",
    "source_id",
];

/// The addresses of the files with the documents of a list, and the names of their messages.
pub(super) fn links(address: &str) -> Vec<(String, &'static str)> {
    let joint = if address.contains('?') { '&' } else { '?' };
    let excel = format!("{address}{joint}{EXCEL}=true");
    vec![(address.to_owned(), "documents-csv"), (excel, "documents-csv-excel")]
}

/// The file of a business.
pub(in crate::pages) async fn table(app: &App, shelf: &Shelf<'_>) -> Result<Response, PageError> {
    let search = search(shelf.request, shelf.list_path())?;
    let found = documents::first_found(&app.ctx, shelf.reader(), &search, (MOST, READ)).await?;
    file(app, shelf.request, found)
}

/// The file of all businesses of an organization.
pub(in crate::pages) async fn table_of_all(
    app: &App,
    request: &PageRequest,
    organization_id: &OrganizationId,
) -> Result<Response, PageError> {
    let search = search(request, String::new())?;
    let (ctx, mode) = (&app.ctx, request.mode);
    let found = overview::search(ctx, mode, organization_id, &search, (None, MOST)).await?;
    let FoundOfAll { documents, next, is_cut } = found;
    file(app, request, (documents, next.is_some() || is_cut))
}

fn search(request: &PageRequest, list: String) -> Result<Search, PageError> {
    let invalid = |name| PageError::Unreadable(format!("the parameter {name} is invalid"));
    asked(request, list)?.1.map_err(invalid)
}

/// The answer with the file. The name of a file that has not all documents says so.
fn file(
    app: &App,
    request: &PageRequest,
    (documents, mut is_cut): (Vec<DocumentRecord>, bool),
) -> Result<Response, PageError> {
    let bom = match request.parameter(EXCEL)?.as_deref() {
        None | Some("false") => "",
        Some("true") => BOM,
        Some(_) => return Err(PageError::Unreadable("the parameter excel is invalid".to_owned())),
    };
    let mut content = bom.to_owned();
    content.push_str(&line(COLUMNS.map(Cow::Borrowed))?);
    let mut rows = 0;
    for document in &documents {
        let row = line(row(document))?;
        if content.len() + row.len() > MAX_BYTES {
            is_cut = true;
            break;
        }
        content.push_str(&row);
        rows += 1;
    }
    let day = uae_date(app.ctx.now());
    let part = if is_cut { format!("-first-{rows}") } else { String::new() };
    let name = format!("attachment; filename=\"documents-{day}{part}.csv\"");
    let name = HeaderValue::try_from(name).map_err(unwritten)?;
    let media_type = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
    let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, content).into_response())
}

fn unwritten(error: impl std::error::Error + Send + Sync + 'static) -> PageError {
    Failure::new(Code::InternalError, "A table could not be written.").because(error).into()
}

fn row(document: &DocumentRecord) -> [Cow<'_, str>; 18] {
    let reporting = document.reporting.as_ref();
    let outcome = reporting.map(|it| it.outcome.map_or("open", |outcome| outcome.as_str()));
    let text = |text: String| Cow::Owned(text);
    [
        inert(&document.number),
        document.operation.as_str().into(),
        document.direction.as_str().into(),
        document.status.as_str().into(),
        outcome.unwrap_or_default().into(),
        inert(&document.supplier.name),
        inert(&document.customer.name),
        text(document.issue_date.to_string()),
        text(document.due_date.map(|day| day.to_string()).unwrap_or_default()),
        inert(&document.currency),
        text(document.total_without_vat.to_string()),
        text(document.total_vat.to_string()),
        text(document.total_with_vat.to_string()),
        text(document.amount_due.to_string()),
        text(document.created_at.to_string()),
        document.document_id.as_str().into(),
        text(document.uuid.to_string()),
        inert(document.source_id.as_deref().unwrap_or_default()),
    ]
}

/// A text that a spreadsheet does not run as a formula (OWASP, CSV Injection). Other parties wrote these texts.
fn inert(text: &str) -> Cow<'_, str> {
    match text.trim_start_matches(' ').chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => {
            Cow::Owned(format!("'{text}"))
        }
        _ => Cow::Borrowed(text),
    }
}

fn line(fields: [Cow<'_, str>; 18]) -> Result<String, PageError> {
    let mut writer = WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(fields.iter().map(|field| field.as_bytes())).map_err(unwritten)?;
    let bytes = writer.into_inner().map_err(|error| unwritten(error.into_error()))?;
    String::from_utf8(bytes).map_err(unwritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_party_wrote_is_no_formula() {
        for (text, written) in [
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("+971", "'+971"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            (" =1", "' =1"),
            ("＝1", "'＝1"),
            ("INV-1", "INV-1"),
            ("", ""),
        ] {
            assert_eq!(inert(text), written);
        }
    }

    #[test]
    fn a_field_keeps_its_commas_quotes_and_lines() {
        let mut fields = [const { Cow::Borrowed("") }; 18];
        fields[0] = "a,\"b\"\nc".into();
        assert_eq!(line(fields).unwrap(), "\"a,\"\"b\"\"\nc\",,,,,,,,,,,,,,,,,\r\n");
    }
}

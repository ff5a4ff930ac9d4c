//! The files of a document.

use std::str::FromStr;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{App, PageError, Shelf};
use crate::{
    error::{Code, Failure},
    pages::{PageRequest, see_other},
    rendering::{self, Languages},
    service::{
        documents::{self, Filed, Limit, Stored, ViewChoice},
        file_name::FileName,
        history::History,
        overview,
    },
    store::{Direction, DocumentRecord, PayloadMethod},
    types::{DocumentId, OrganizationId, uae_date},
    ubl::{self, Content},
};

/// Maximum size of a direct answer, as in the API. Lambda limits an answer to 6 MiB as a JSON string, in which a byte
/// may take two. A larger file is downloaded from the bucket, at an address that is valid for minutes.
const MAX_BYTES: usize = 3_000_000;

/// A file of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum Download {
    /// The UBL, byte for byte.
    Ubl,
    /// The content as the body of a send.
    Content,
    /// The same, shown in the browser.
    Data,
    /// The envelope in which it was sent.
    Sbdh,
    /// The signed receipt of the recipient's access point.
    Receipt,
    /// The HTML view.
    View,
    /// The PDF, by the function `pdf`.
    Pdf,
}

impl FromStr for Download {
    type Err = PageError;

    fn from_str(name: &str) -> Result<Self, PageError> {
        let all = [
            Download::View,
            Download::Ubl,
            Download::Content,
            Download::Data,
            Download::Sbdh,
            Download::Receipt,
        ];
        all.into_iter().find(|download| download.name() == name).ok_or(PageError::NotFound)
    }
}

impl Download {
    /// The files that exist for a document.
    pub(super) fn of(history: &History) -> impl Iterator<Item = Download> {
        let History { document, transmission, .. } = history;
        let ubl = document.ubl.is_some();
        let sent = transmission.as_ref().is_some_and(|it| it.envelope.is_some());
        let sbdh = match document.direction {
            Direction::Inbound => document.envelope.is_some(),
            Direction::Outbound => sent,
        };
        let receipt = transmission.as_ref().is_some_and(|it| it.receipt.is_some());
        let all = [
            (Download::View, ubl),
            (Download::Pdf, ubl),
            (Download::Ubl, ubl),
            (Download::Content, ubl),
            (Download::Data, ubl),
            (Download::Sbdh, sbdh),
            (Download::Receipt, receipt),
        ];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(download, _)| download)
    }

    /// Its name in the path.
    pub(super) fn name(self) -> &'static str {
        match self {
            Download::Ubl => "ubl",
            Download::Content => "content",
            Download::Data => "data",
            Download::Sbdh => "sbdh",
            Download::Receipt => "receipt",
            Download::View => "view",
            Download::Pdf => "pdf",
        }
    }

    /// The name of the message with its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Download::Ubl => "download-ubl",
            Download::Content => "download-content",
            Download::Data => "download-data",
            Download::Sbdh => "download-sbdh",
            Download::Receipt => "download-receipt",
            Download::View => "download-view",
            Download::Pdf => "download-pdf",
        }
    }

    /// The message names of title and text, if a limit forbids the file.
    pub(super) fn withheld(self, limit: Option<Limit>) -> Option<(&'static str, &'static str)> {
        match (self, limit?) {
            (
                Download::View | Download::Pdf | Download::Content | Download::Data,
                Limit::Bytes { .. },
            ) => Some(("limit-bytes-title", "limit-bytes-text")),
            (Download::Pdf, Limit::Lines(_)) => Some(("limit-pdf-title", "limit-lines-text")),
            (Download::Pdf, Limit::Text(_)) => Some(("limit-pdf-title", "limit-text-text")),
            _ => None,
        }
    }

    /// The error page with the limit.
    async fn refused(
        self,
        app: &App,
        shelf: &Shelf<'_>,
        document_id: &str,
        failure: Failure,
    ) -> PageError {
        if failure.code != Code::NotFound {
            return failure.into();
        }
        let (reading, reader) = (app.reading(), shelf.reader());
        let limit = match documents::get(&app.ctx, reader, document_id).await {
            Ok(document) => documents::limit(&reading, &document).await,
            Err(_) => Ok(None),
        };
        match limit.map(|limit| self.withheld(limit)) {
            Ok(Some((title, text))) => PageError::Explained {
                status: StatusCode::NOT_FOUND,
                title,
                text,
                cause: failure.message,
            },
            Ok(None) => failure.into(),
            Err(failure) => failure.into(),
        }
    }

    /// Whether it has a language parameter.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Download::View | Download::Pdf)
    }

    /// Whether a browser saves the file instead of showing it.
    pub(super) fn is_kept(self) -> bool {
        !matches!(self, Download::View | Download::Data)
    }

    /// Returns the file.
    pub(in crate::pages) async fn give(
        self,
        app: &App,
        shelf: &Shelf<'_>,
        document_id: &str,
    ) -> Result<Response, PageError> {
        let (reading, reader, get) = (&app.reading(), shelf.reader(), PayloadMethod::Get);
        let stored = match self {
            Download::Ubl => documents::ubl(reading, reader, document_id, MAX_BYTES, get).await,
            Download::Sbdh => documents::sbdh(reading, reader, document_id, MAX_BYTES, get).await,
            Download::Receipt => {
                documents::receipt(reading, reader, document_id, MAX_BYTES, get).await
            }
            Download::Content | Download::Data => {
                let sizes = (MAX_BYTES, ubl::MAX_BYTES);
                documents::content(reading, reader, document_id, sizes, get, body).await
            }
            Download::View => {
                let choice = choice(shelf.request)?;
                documents::view(reading, reader, document_id, MAX_BYTES, get, choice).await
            }
            // Only the function `pdf` contains the typesetter.
            Download::Pdf => return Err(PageError::NotFound),
        };
        match stored {
            Ok(filed) => self.given(filed),
            Err(failure) => Err(self.refused(app, shelf, document_id, failure).await),
        }
    }

    fn given(self, Filed { stored, name }: Filed) -> Result<Response, PageError> {
        match stored {
            Stored::Here(bytes) if self == Download::View => Ok(shown(&name, bytes)),
            Stored::Here(bytes) if self == Download::Data => Ok(data(&name, bytes)),
            Stored::Here(bytes) => self.file(&name, bytes),
            Stored::Elsewhere(address) => Ok(see_other(&address)),
        }
    }

    /// An attachment, so that no browser shows foreign content as a page of this site.
    fn file(self, name: &FileName, bytes: Vec<u8>) -> Result<Response, PageError> {
        let (media_type, extension) = match self {
            Download::Ubl => ("application/xml", "xml"),
            Download::Sbdh => ("application/xml", "sbdh.xml"),
            // Usually a SOAP envelope; some access points send one in a multipart message.
            Download::Receipt => ("application/octet-stream", "receipt"),
            Download::Content | Download::Data => ("application/json", "json"),
            Download::View => ("text/html; charset=utf-8", "html"),
            Download::Pdf => ("application/pdf", "pdf"),
        };
        let name = HeaderValue::try_from(name.attachment(extension)).map_err(|error| {
            Failure::new(Code::InternalError, "A file has no name.").because(error)
        })?;
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
            (header::CONTENT_DISPOSITION, name),
        ];
        Ok((headers, bytes).into_response())
    }
}

/// Returns a document as PDF.
#[cfg(feature = "pdf")]
pub(in crate::pages) async fn pdf(
    app: &App,
    shelf: &Shelf<'_>,
    document_id: &str,
) -> Result<Response, PageError> {
    let (reading, reader, get) = (&app.reading(), shelf.reader(), PayloadMethod::Get);
    let choice = choice(shelf.request)?;
    match documents::pdf(reading, reader, document_id, MAX_BYTES, get, choice).await {
        Ok(filed) => Download::Pdf.given(filed),
        Err(failure) => Err(Download::Pdf.refused(app, shelf, document_id, failure).await),
    }
}

/// The parameter with the documents of a ZIP.
pub(super) const IDS: &str = "ids";
/// What stands between an owner and its document.
pub(super) const OWNED: char = ':';

/// Returns the PDFs of the documents in the query, in a ZIP.
#[cfg(feature = "pdf")]
pub(in crate::pages) async fn pdfs(app: &App, shelf: &Shelf<'_>) -> Result<Response, PageError> {
    let ids = shelf.request.parameter(IDS)?.unwrap_or_default();
    let ids: Result<Vec<DocumentId>, _> = ids.split(',').map(str::parse).collect();
    let ids = ids.map_err(|_| unreadable_id())?;
    zipped(app, shelf.request, documents::some(&app.ctx, shelf.reader(), &ids).await?).await
}

/// Returns the PDFs of documents of several businesses, in a ZIP. The query has the owner before each document.
#[cfg(feature = "pdf")]
pub(in crate::pages) async fn pdfs_of_all(
    app: &App,
    request: &PageRequest,
    organization_id: &OrganizationId,
) -> Result<Response, PageError> {
    let ids = request.parameter(IDS)?.unwrap_or_default();
    let owned = |text: &str| {
        let (owner, id) = text.split_once(OWNED)?;
        Some((owner.parse().ok()?, id.parse().ok()?))
    };
    let ids: Option<Vec<_>> = ids.split(',').map(owned).collect();
    let ids = ids.ok_or_else(unreadable_id)?;
    let found = overview::some(&app.ctx, request.mode, organization_id, &ids).await?;
    zipped(app, request, found).await
}

#[cfg(feature = "pdf")]
fn unreadable_id() -> PageError {
    PageError::Unreadable("an identifier is invalid".to_owned())
}

#[cfg(feature = "pdf")]
async fn zipped(
    app: &App,
    request: &PageRequest,
    found: Vec<DocumentRecord>,
) -> Result<Response, PageError> {
    let choice = choice(request)?;
    let reading = app.reading();
    match documents::pdfs(&reading, request.mode, &found, MAX_BYTES, choice).await? {
        Stored::Here(zip) => {
            let name =
                format!("attachment; filename=\"documents-{}.zip\"", uae_date(app.ctx.now()));
            let headers =
                [(header::CONTENT_TYPE, "application/zip"), (header::CONTENT_DISPOSITION, &name)];
            Ok((headers, zip).into_response())
        }
        Stored::Elsewhere(address) => Ok(see_other(&address)),
    }
}

/// The languages in the query, as in the API; otherwise the language of the page.
fn languages(request: &PageRequest) -> Result<Languages, PageError> {
    let Some(word) = request.parameter("language")? else {
        return Ok(Languages::One(request.language));
    };
    let unknown = || PageError::Unreadable("the parameter language is invalid".to_owned());
    Languages::of_word(&word).ok_or_else(unknown)
}

/// The languages and the annex in the query, as in the API.
fn choice(request: &PageRequest) -> Result<ViewChoice, PageError> {
    let annex = match request.parameter("annex")?.as_deref() {
        None | Some("true") => true,
        Some("false") => false,
        Some(_) => return Err(PageError::Unreadable("the parameter annex is invalid".to_owned())),
    };
    Ok(ViewChoice { languages: languages(request)?, annex })
}

/// A view of a document with a Content Security Policy that forbids everything active. The page of the document frames
/// it.
fn shown(name: &FileName, page: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, &*rendering::POLICY_FRAMED),
    ];
    (headers, [(header::CONTENT_DISPOSITION, name.inline("html"))], page).into_response()
}

/// Data that the browser shows as text.
fn data(name: &FileName, json: Vec<u8>) -> Response {
    let media_type = (header::CONTENT_TYPE, "application/json");
    ([media_type], [(header::CONTENT_DISPOSITION, name.inline("json"))], json).into_response()
}

/// The body of a send as indented JSON.
fn body(_: &DocumentRecord, content: Content) -> Vec<u8> {
    serde_json::to_vec_pretty(&content.body.to_json()).unwrap_or_default()
}

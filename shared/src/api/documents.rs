//! Reading documents back.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{
    MAX_ANSWER_BYTES,
    attempts::ListAttemptsResponse,
    content::render,
    error::ApiError,
    query::Query,
    request::Call,
    response::{DocumentResponse, ListDocumentsResponse},
    wire::{DocumentDirection, DocumentStatus, DocumentType, ViewLanguage},
};
use crate::{
    access::Scope,
    api::{
        query,
        route::{Answer, AnswerHeader, Content, READ, Route},
    },
    error::Failure,
    log::{self, Field},
    rendering,
    service::documents::{self, Filed, Filter, MAX_CONTENT_BYTES, Stored, ViewChoice},
    store::PayloadMethod,
    types::hex,
};

/// The headers of a document's file.
const FILE_HEADERS: &[AnswerHeader] =
    &[AnswerHeader::ETag, AnswerHeader::ReprDigest, AnswerHeader::ContentDisposition];

/// A sender may read the status of its documents, because its events contain it.
const RECORD_SCOPES: &[Scope] = &[Scope::InvoicesRead, Scope::InboundRead, Scope::InvoicesWrite];

fn filter(query: &Query) -> Result<Filter, Failure> {
    Ok(Filter {
        direction: query.name::<DocumentDirection>("direction")?.map(Into::into),
        document_type: query.name::<DocumentType>("type")?.map(Into::into),
        status: query.name::<DocumentStatus>("status")?.map(Into::into),
        source_id: query.text("source_id").map(str::to_owned),
        number: query.text("number").map(str::to_owned),
        issued_from: query.date("issued_from")?,
        issued_to: query.date("issued_to")?,
        created_from: query.instant("created_from")?,
        created_to: query.instant("created_to")?,
    })
}

pub(super) const LIST: Route = Route {
    id: "list_documents",
    path: "/invoices",
    summary: "List documents",
    description: "Returns the documents of the taxpayer, including those that other organizations issued. With \
        only the scope inbound:read, only received documents are listed.\n\n\
        The order is newest first by creation time. With `issued_from` or `issued_to`, it is newest first by \
        issue date. With `number`, `source_id` or one of the statuses accepted, converted, dispatching and \
        failed, it is always by creation time. The status dispatching finds a document once the request that sent it has \
        ended. A page may be shorter than `limit`, especially with large documents. Continue until `next_cursor` is null.",
    query: query::LIST_DOCUMENTS,
    answers: &[Answer::of(200, "A page", Content::Documents)],
    errors: &[],
    ..READ
};

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let filter = filter(&call.query)?;
    let page = documents::list(call.ctx(), call.caller.reader(), &filter, call.asked()?).await?;
    let items = page.items.iter().map(DocumentResponse::from).collect();
    Ok(Json(ListDocumentsResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) const GET: Route = Route {
    id: "get_document",
    path: "/invoices/{document_id}",
    summary: "Get a document",
    description: "Returns the record of a document. A document of another taxpayer or of the other mode is not \
        found. With only the scope invoices:write, you can read the documents that your own organization sent.",
    any_of: RECORD_SCOPES,
    answers: &[Answer::of(200, "The document", Content::Document)],
    ..READ
};

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    let record = documents::get_or_own(call.ctx(), &call.caller, &call.variable).await?;
    log::note(Field::DocumentId, &record.document_id);
    Ok(Json(DocumentResponse::from(&record)).into_response())
}

pub(super) const ATTEMPTS: Route = Route {
    id: "list_attempts",
    path: "/invoices/{document_id}/attempts",
    summary: "List transmission attempts",
    description: "Returns every attempt to find the recipient's access point and to send the document, with \
        outcome and cause, oldest first. If there are more than sixty attempts, only the first and the latest \
        ones are listed.\n\n\
        Temporary failures are retried 1, 5, 15 and 30 minutes after the previous attempt, then every hour, for \
        24 hours. A wait may be longer by a tenth. Nothing is sent to a held access point before \
        `held_until`.\n\n\
        The list is empty for a document that was not sent to the network: a Sandbox, inbound or waiting \
        document, or a document for a predefined endpoint. With only the scope invoices:write, you can read the \
        attempts of documents that your own organization sent.",
    any_of: RECORD_SCOPES,
    answers: &[Answer::of(200, "The attempts", Content::Attempts)],
    ..READ
};

/// The attempts at a document's transmission.
pub(super) async fn attempts(call: Call) -> Result<Response, ApiError> {
    let transmission = documents::transmission(call.ctx(), &call.caller, &call.variable).await?;
    log::note(Field::DocumentId, &call.variable);
    Ok(Json(ListAttemptsResponse::from(transmission)).into_response())
}

pub(super) const UBL: Route = Route {
    id: "get_document_ubl",
    path: "/invoices/{document_id}/ubl",
    summary: "Get the UBL of a document",
    description: "Returns the UBL XML byte for byte as sent or received. ETag and Repr-Digest contain its \
        SHA-256. A UBL document of more than 3,000,000 bytes (`ubl.bytes` of the record) does not fit in a \
        response. The answer is a redirect to the address in Location. The address is valid for five minutes, \
        for everyone who knows it. Request it with GET, without the headers of this API. Its SHA-256 is \
        `ubl.sha256` of the record.",
    answers: &[
        Answer {
            status: 200,
            description: "UBL 2.1",
            content: Content::Xml,
            headers: FILE_HEADERS,
        },
        Answer {
            status: 307,
            description: "Redirect to a UBL document of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// The UBL of a document, or a redirect when it is too large for a response.
pub(super) async fn ubl(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let method = payload_method(&call.method);
    log::note(Field::DocumentId, variable);
    let ubl =
        documents::ubl(&app.reading(), caller.reader(), variable, MAX_ANSWER_BYTES, method).await?;
    kept(ubl, "application/xml", "xml")
}

pub(super) const SBDH: Route = Route {
    id: "get_document_sbdh",
    path: "/invoices/{document_id}/sbdh",
    summary: "Get the envelope of a document",
    description: "Returns the Standard Business Document as transmitted in the network: the header (SBDH) with \
        the document, byte for byte. A document that was not transmitted has none, and the answer is 404. This \
        applies to all Sandbox documents, to documents for a predefined endpoint, and to documents without a \
        message yet. A Standard Business Document of more than 3,000,000 bytes is returned by a redirect, as \
        with …/ubl.",
    answers: &[
        Answer {
            status: 200,
            description: "Standard Business Document",
            content: Content::Xml,
            headers: FILE_HEADERS,
        },
        Answer {
            status: 307,
            description: "Redirect to a Standard Business Document of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// The envelope of a document, or a redirect.
pub(super) async fn sbdh(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let method = payload_method(&call.method);
    log::note(Field::DocumentId, variable);
    let sbdh = documents::sbdh(&app.reading(), caller.reader(), variable, MAX_ANSWER_BYTES, method)
        .await?;
    kept(sbdh, "application/xml", "sbdh.xml")
}

pub(super) const RECEIPT: Route = Route {
    id: "get_document_receipt",
    path: "/invoices/{document_id}/receipt",
    summary: "Get the receipt of a document",
    description: "Returns the AS4 receipt that the recipient's access point signed for a sent document, as \
        received and verified. It contains the non-repudiation information with the digests of the message. \
        Usually it is a SOAP 1.2 envelope. Some access points send it in a multipart message.\n\n\
        If there is no receipt, the answer is 404 with the reason:\n\n\
        - a Sandbox document\n\
        - a received document\n\
        - a document in transit (retry later)\n\
        - a document that was not delivered\n\
        - a recipient's access point that sent no receipt\n\n\
        A receipt of more than 3,000,000 bytes is returned by a redirect, as with …/ubl.",
    answers: &[
        Answer {
            status: 200,
            description: "The receipt",
            content: Content::Bytes,
            headers: FILE_HEADERS,
        },
        Answer {
            status: 307,
            description: "Redirect to a receipt of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// The receipt of a document, or a redirect.
pub(super) async fn receipt(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let (reading, method) = (app.reading(), payload_method(&call.method));
    log::note(Field::DocumentId, variable);
    let reader = caller.reader();
    let receipt = documents::receipt(&reading, reader, variable, MAX_ANSWER_BYTES, method).await?;
    kept(receipt, "application/octet-stream", "receipt")
}

pub(super) const CONTENT: Route = Route {
    id: "get_document_content",
    path: "/invoices/{document_id}/content",
    summary: "Get the content of a document",
    description: "Returns the content of the UBL in the fields of the send bodies. `content` is a body of the \
        operation in `type`. For a document that this service created, sending this body again produces the same \
        UBL. `unmapped` lists values of a received document that no field represents. The answer is 404 if there \
        is no UBL. It is also 404 if the UBL is not well-formed XML, is not an invoice or credit note of \
        PINT-AE, or is larger than 50 MB. A content of more than 3,000,000 bytes is returned by a redirect, as \
        with …/ubl.",
    answers: &[
        Answer::of(200, "The content", Content::Body),
        Answer {
            status: 307,
            description: "Redirect to a content of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// The content of a document, or a redirect.
pub(super) async fn content(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let (reading, method) = (app.reading(), payload_method(&call.method));
    let sizes = (MAX_ANSWER_BYTES, MAX_CONTENT_BYTES);
    log::note(Field::DocumentId, variable);
    let reader = caller.reader();
    match documents::content(&reading, reader, variable, sizes, method, render).await?.stored {
        Stored::Here(json) => {
            Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
        }
        Stored::Elsewhere(address) => elsewhere(address),
    }
}

pub(super) const HTML: Route = Route {
    id: "get_document_html",
    path: "/invoices/{document_id}/html",
    summary: "Get a document as HTML",
    description: "Returns the document as an invoice for people, as an HTML page with the findings. An annex has \
        every business term that the invoice itself does not show, with its name, and the values that are not \
        business terms of PINT-AE. The parameter annex leaves it out. A Live document that was delivered, received or \
        rejected says so with the time. If the taxpayer is the seller, the page has its logo. A document that \
        this service sent has a QR code with a link to a public page that verifies it. The page is self-contained, has no script, and can be printed. The page has no legal effect: the UBL is the invoice. The answer \
        is 404 if there is no UBL. It is also 404 if the UBL is not well-formed XML, is not an Invoice or \
        CreditNote of UBL 2.1, or is larger than 10 MiB. A page of more than 3,000,000 bytes is returned by a \
        redirect, as with …/ubl.",
    query: query::VIEW,
    answers: &[
        Answer {
            status: 200,
            description: "The page",
            content: Content::Html,
            headers: &[AnswerHeader::ContentDisposition],
        },
        Answer {
            status: 307,
            description: "Redirect to a page of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// A document in readable form as HTML, or a redirect.
pub(super) async fn html(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, query, .. } = &call;
    let (reading, method) = (app.reading(), payload_method(&call.method));
    let choice = view_choice(query)?;
    log::note(Field::DocumentId, variable);
    let reader = caller.reader();
    let view =
        documents::view(&reading, reader, variable, MAX_ANSWER_BYTES, method, choice).await?;
    match view.stored {
        Stored::Here(page) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, &*rendering::POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::CACHE_CONTROL, "no-store"),
            ];
            let name = [(header::CONTENT_DISPOSITION, view.name.inline("html"))];
            Ok((headers, name, page).into_response())
        }
        Stored::Elsewhere(address) => elsewhere(address),
    }
}

pub(super) const PDF: Route = Route {
    id: "get_document_pdf",
    path: "/invoices/{document_id}/pdf",
    summary: "Get a document as PDF",
    description: "Returns the content of …/html as PDF/A-3 (ISO 19005-3, level A), for archiving or printing. \
        The UBL is the attachment document.xml. The PDF of a document is the same for every \
        request until the status or the report of the document, or the logo of the seller, changes. Characters \
        outside European scripts and Arabic are shown as U+FFFD, and the attachment contains the originals. The \
        pages have no legal effect: the UBL is the invoice. The answer is 404 in the cases of …/html. It is also \
        404 for more than 1,000 lines, or more than 10,000,000 bytes of text. The text includes the names of all \
        values in both languages. …/html shows such documents. A PDF of more than 3,000,000 bytes is returned by \
        a redirect, as with …/ubl.",
    query: query::VIEW,
    answers: &[
        Answer {
            status: 200,
            description: "The PDF",
            content: Content::Pdf,
            headers: FILE_HEADERS,
        },
        Answer {
            status: 307,
            description: "Redirect to a PDF of more than 3,000,000 bytes",
            content: Content::Nothing,
            headers: &[AnswerHeader::PayloadLocation],
        },
    ],
    ..READ
};

/// A document in readable form as PDF, or a redirect.
#[cfg(feature = "pdf")]
pub(super) async fn pdf(
    call: Call<crate::access::Caller, crate::service::Printing>,
) -> Result<Response, ApiError> {
    let Call { app, caller, variable, query, .. } = &call;
    let (reading, method) = (&app.reading, payload_method(&call.method));
    let choice = view_choice(query)?;
    log::note(Field::DocumentId, variable);
    let (reader, here) = (caller.reader(), MAX_ANSWER_BYTES);
    let stored = documents::pdf(reading, reader, variable, here, method, choice).await?;
    kept(stored, "application/pdf", "pdf")
}

/// The languages and the annex of a view.
fn view_choice(query: &Query) -> Result<ViewChoice, ApiError> {
    let language = query.name::<ViewLanguage>("language")?.unwrap_or(ViewLanguage::En);
    let annex = query.flag("annex")?.unwrap_or(true);
    Ok(ViewChoice { languages: language.into(), annex })
}

pub(super) fn payload_method(method: &Method) -> PayloadMethod {
    if *method == Method::HEAD { PayloadMethod::Head } else { PayloadMethod::Get }
}

/// A file of a document with its file name, or a redirect.
fn kept(filed: Filed, media_type: &str, extension: &str) -> Result<Response, ApiError> {
    let is_here = matches!(filed.stored, Stored::Here(_));
    let response = given(media_type, filed.stored)?;
    let name = [(header::CONTENT_DISPOSITION, filed.name.attachment(extension))];
    Ok(if is_here { (name, response).into_response() } else { response })
}

/// A stored XML document, or a redirect.
pub(super) fn xml(stored: Stored) -> Result<Response, ApiError> {
    given("application/xml", stored)
}

/// Stored bytes, or a redirect.
pub(super) fn given(media_type: &str, stored: Stored) -> Result<Response, ApiError> {
    match stored {
        Stored::Here(bytes) => {
            let digest = Sha256::digest(&bytes);
            let headers = [
                (header::CONTENT_TYPE, media_type.to_owned()),
                (header::ETAG, format!("\"{}\"", hex(&digest))),
                // RFC 9530, section 3, the successor of RFC 3230's Digest.
                (
                    HeaderName::from_static("repr-digest"),
                    format!("sha-256=:{}:", STANDARD.encode(digest)),
                ),
            ];
            Ok((headers, bytes).into_response())
        }
        Stored::Elsewhere(address) => elsewhere(address),
    }
}

fn elsewhere(address: String) -> Result<Response, ApiError> {
    let location = HeaderValue::try_from(address)
        .map_err(|error| super::edge::internal_error().because(error))?;
    Ok((StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response())
}

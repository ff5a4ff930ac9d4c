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
    error::Failure,
    log::{self, Field},
    rendering,
    service::documents::{self, Filed, Filter, MAX_CONTENT_BYTES, Stored},
    store::PayloadMethod,
    types::hex,
};

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

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let filter = filter(&call.query)?;
    let page = documents::list(call.ctx(), call.caller.reader(), &filter, call.asked()?).await?;
    let items = page.items.iter().map(DocumentResponse::from).collect();
    Ok(Json(ListDocumentsResponse { items, next_cursor: page.next_cursor }).into_response())
}

pub(super) async fn get(call: Call) -> Result<Response, ApiError> {
    let record = documents::get_or_own(call.ctx(), &call.caller, &call.variable).await?;
    log::note(Field::DocumentId, &record.document_id);
    Ok(Json(DocumentResponse::from(&record)).into_response())
}

/// The attempts at a document's transmission.
pub(super) async fn attempts(call: Call) -> Result<Response, ApiError> {
    let transmission = documents::transmission(call.ctx(), &call.caller, &call.variable).await?;
    log::note(Field::DocumentId, &call.variable);
    Ok(Json(ListAttemptsResponse::from(transmission)).into_response())
}

/// The UBL of a document, or a redirect when it is too large for a response.
pub(super) async fn ubl(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let method = payload_method(&call.method);
    log::note(Field::DocumentId, variable);
    let ubl =
        documents::ubl(&app.sending.reading(), caller.reader(), variable, MAX_ANSWER_BYTES, method)
            .await?;
    kept(ubl, "application/xml", "xml")
}

/// The envelope of a document, or a redirect.
pub(super) async fn sbdh(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let method = payload_method(&call.method);
    log::note(Field::DocumentId, variable);
    let sbdh = documents::sbdh(
        &app.sending.reading(),
        caller.reader(),
        variable,
        MAX_ANSWER_BYTES,
        method,
    )
    .await?;
    kept(sbdh, "application/xml", "sbdh.xml")
}

/// The receipt of a document, or a redirect.
pub(super) async fn receipt(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let (reading, method) = (app.sending.reading(), payload_method(&call.method));
    log::note(Field::DocumentId, variable);
    let reader = caller.reader();
    let receipt = documents::receipt(&reading, reader, variable, MAX_ANSWER_BYTES, method).await?;
    kept(receipt, "application/octet-stream", "receipt")
}

/// The content of a document, or a redirect.
pub(super) async fn content(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, .. } = &call;
    let (reading, method) = (app.sending.reading(), payload_method(&call.method));
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

/// A document in readable form as HTML, or a redirect.
pub(super) async fn html(call: Call) -> Result<Response, ApiError> {
    let Call { app, caller, variable, query, .. } = &call;
    let (reading, method) = (app.sending.reading(), payload_method(&call.method));
    let languages = query.name::<ViewLanguage>("language")?.unwrap_or(ViewLanguage::En).into();
    log::note(Field::DocumentId, variable);
    let reader = caller.reader();
    let view =
        documents::view(&reading, reader, variable, MAX_ANSWER_BYTES, method, languages).await?;
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

/// A document in readable form as PDF, or a redirect.
#[cfg(feature = "pdf")]
pub(super) async fn pdf(
    call: Call<crate::access::Caller, crate::service::Printing>,
) -> Result<Response, ApiError> {
    let Call { app, caller, variable, query, .. } = &call;
    let (reading, method) = (&app.reading, payload_method(&call.method));
    let languages = query.name::<ViewLanguage>("language")?.unwrap_or(ViewLanguage::En).into();
    log::note(Field::DocumentId, variable);
    let (reader, here) = (caller.reader(), MAX_ANSWER_BYTES);
    let stored = documents::pdf(reading, reader, variable, here, method, languages).await?;
    kept(stored, "application/pdf", "pdf")
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

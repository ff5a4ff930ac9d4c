//! Forms: the proof that a page of this site sent them in the same browser, and their fields.
//!
//! Every form must pass two checks (ASVS 5, 3.5.1: "Verify that CORS-safelisted requests to sensitive functionality are
//! checked to ensure that they originate from the application itself"):
//!
//! 1. Its field `form_token` is the MAC of the session, if there is one, under the 256 random bits of the cookie
//!    `__Host-browser`. Another site knows neither, and cannot set such a cookie.
//! 2. `Sec-Fetch-Site`, if the browser sends it, is `same-origin`, and `Origin` is this site. Browsers send `Origin:
//!    null` for pages with `Referrer-Policy: no-referrer`, which all pages here have (Fetch Standard, "append a request
//!    `Origin` header"). Such an `Origin` proves nothing, so the token decides.

use std::collections::BTreeMap;

use axum::{
    body::{Body, to_bytes},
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, HeaderName, header},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{App, PageError, PageRequest};
use crate::document::MAX_BODY_BYTES;

/// Maximum bytes of a form.
pub const MAX_BYTES: usize = 16 * 1024;
/// Maximum fields of a form.
pub const MAX_FIELDS: usize = 50;
/// Maximum bytes and fields of a form in which a document is written.
const LARGE: (usize, usize) = (192 * 1024, 400);
/// Maximum bytes of a file, which Lambda's limit of requests bounds as in the API.
const MAX_FILE: usize = MAX_BODY_BYTES;
/// The field with a file.
const FILE: &str = "file";
/// The field with the proof of the form's origin.
const TOKEN: &str = "form_token";
/// Domain separation of the MAC; the cookie is used for no other MAC.
const PURPOSE: &[u8] = b"form\n";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A form that a page of this site sent in the same browser and session.
// No `Debug`: the fields can contain a link's token.
pub struct Form {
    /// The request.
    pub request: PageRequest,
    fields: BTreeMap<String, String>,
}

impl Form {
    async fn read(
        http_request: Request,
        app: &App,
        (most_bytes, most_fields): (usize, usize),
    ) -> Result<Self, PageError> {
        let (mut parts, body) = http_request.into_parts();
        let Ok(request) = PageRequest::from_request_parts(&mut parts, app).await;
        check_media_type(&parts.headers)?;
        check_origin(&parts.headers, &app.origin)?;
        // A body that breaks off never comes out of a Lambda event: an error here is the limit's.
        let bytes = to_bytes(body, most_bytes).await.map_err(|_| PageError::TooLarge)?;
        let fields = fields(&bytes, most_fields)?;
        let presented = fields.get(TOKEN).map_or("", String::as_str);
        if !is_token(&request, presented) {
            return Err(PageError::Forged("the form token is from another browser"));
        }
        Ok(Form { request, fields })
    }

    /// The value of a field; empty if it is missing, as browsers send fields that were not filled in.
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// The sender's request, for a page at this path below that of the mode.
    pub fn request_to(&self, page: &str) -> PageRequest {
        self.request.at(&self.request.path(page))
    }

    /// The rest of the names of filled-in fields with this prefix: the chosen items of a list.
    pub fn chosen<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        let filled = self.fields.iter().filter(|(_, value)| !value.is_empty());
        filled.filter_map(move |(name, _)| name.strip_prefix(prefix))
    }
}

/// A form with a file.
pub struct Upload {
    /// Its other fields.
    pub form: Form,
    /// The file; empty if none was chosen.
    pub file: Vec<u8>,
    /// Its name on the sender's machine.
    pub file_name: Option<String>,
}

impl FromRequest<App> for Upload {
    type Rejection = PageError;

    async fn from_request(http_request: Request, app: &App) -> Result<Self, PageError> {
        let boundary = http_request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| multer::parse_boundary(value.to_str().ok()?).ok());
        let Some(boundary) = boundary else {
            // Without a file it is an ordinary form.
            let form = Form::from_request(http_request, app).await?;
            return Ok(Upload { form, file: Vec::new(), file_name: None });
        };
        let (mut parts, body) = http_request.into_parts();
        let Ok(request) = PageRequest::from_request_parts(&mut parts, app).await;
        check_origin(&parts.headers, &app.origin)?;
        // A Lambda event always has the whole body, so an error here is the limit's.
        let bytes = to_bytes(body, MAX_FILE + MAX_BYTES).await.map_err(|_| PageError::TooLarge)?;
        let unreadable = |error: multer::Error| PageError::Unreadable(error.to_string());
        let mut read = multer::Multipart::new(Body::from(bytes).into_data_stream(), boundary);
        let (mut fields, mut file, mut file_name) = (BTreeMap::new(), Vec::new(), None);
        while let Some(part) = read.next_field().await.map_err(unreadable)? {
            let name = part.name().unwrap_or_default().to_owned();
            if name == FILE {
                file_name = part.file_name().map(str::to_owned);
                file = part.bytes().await.map_err(unreadable)?.into();
                continue;
            }
            let value = part.text().await.map_err(unreadable)?;
            if fields.len() == MAX_FIELDS || fields.insert(name, value).is_some() {
                return Err(PageError::Unreadable(
                    "a field is repeated, or there are too many fields".to_owned(),
                ));
            }
        }
        if file.len() > MAX_FILE {
            return Err(PageError::TooLarge);
        }
        let form = Form { request, fields };
        if !is_token(&form.request, form.field(TOKEN)) {
            return Err(PageError::Forged("the form token is from another browser"));
        }
        Ok(Upload { form, file, file_name })
    }
}

impl FromRequest<App> for Form {
    type Rejection = PageError;

    async fn from_request(http_request: Request, app: &App) -> Result<Self, PageError> {
        Form::read(http_request, app, (MAX_BYTES, MAX_FIELDS)).await
    }
}

/// A form in which a document is written: it has more fields than other forms.
pub struct LargeForm(pub Form);

impl FromRequest<App> for LargeForm {
    type Rejection = PageError;

    async fn from_request(http_request: Request, app: &App) -> Result<Self, PageError> {
        Form::read(http_request, app, LARGE).await.map(LargeForm)
    }
}

fn mac(request: &PageRequest) -> Option<Hmac<Sha256>> {
    // HMAC accepts a key of any length, so this never fails.
    let mut mac = Hmac::<Sha256>::new_from_slice(request.browser.reveal().as_bytes()).ok()?;
    mac.update(PURPOSE);
    if let Some(session) = &request.session {
        mac.update(session.hash().as_str().as_bytes());
    }
    Some(mac)
}

/// The token of forms in this browser and session.
pub(super) fn token(request: &PageRequest) -> String {
    mac(request).map_or(String::new(), |mac| URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// Whether a form has the token of this browser and session; in constant time.
fn is_token(request: &PageRequest, presented: &str) -> bool {
    let Ok(presented) = URL_SAFE_NO_PAD.decode(presented) else { return false };
    mac(request).is_some_and(|mac| mac.verify_slice(&presented).is_ok())
}

fn check_origin(headers: &HeaderMap, ours: &str) -> Result<(), PageError> {
    let value = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    if value(&SEC_FETCH_SITE).is_some_and(|site| site != "same-origin") {
        return Err(PageError::Forged("Sec-Fetch-Site is not same-origin"));
    }
    match value(&header::ORIGIN) {
        None | Some("null") => Ok(()),
        Some(origin) if origin == ours => Ok(()),
        Some(_) => Err(PageError::Forged("Origin is another origin")),
    }
}

fn check_media_type(headers: &HeaderMap) -> Result<(), PageError> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Ok(());
    }
    Err(PageError::Unreadable("the media type is not a form type".to_owned()))
}

/// The fields, each at most once, in UTF-8.
fn fields(bytes: &[u8], most: usize) -> Result<BTreeMap<String, String>, PageError> {
    let unreadable = |what: String| Err(PageError::Unreadable(what));
    let mut fields = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(bytes) {
        if [&name, &value].iter().any(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
            return unreadable("a field is not in UTF-8".to_owned());
        }
        if fields.len() == most {
            return unreadable(format!("there are more than {most} fields"));
        }
        if fields.insert(name.into_owned(), value.into_owned()).is_some() {
            return unreadable("a field is repeated".to_owned());
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_there_once_and_in_utf_8() {
        let read = fields(b"a=1&b=&c=x%20y+z&d=%D8%B9", MAX_FIELDS).unwrap();
        let pairs: Vec<_> = read.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(pairs, [("a", "1"), ("b", ""), ("c", "x y z"), ("d", "ع")]);
        let many = (0..=MAX_FIELDS).map(|n| format!("f{n}=1")).collect::<Vec<_>>().join("&");
        for body in ["a=1&a=1", "a=1&%61=2", "a=%FF", "%FF=a", &many] {
            assert!(
                matches!(fields(body.as_bytes(), MAX_FIELDS), Err(PageError::Unreadable(_))),
                "{body}"
            );
        }
    }
}

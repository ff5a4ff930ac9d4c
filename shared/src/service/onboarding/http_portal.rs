//! The national portal over HTTP and JSON. An adapter to the real portal must offer exactly this interface.
//!
//! | request | answer |
//! |---|---|
//! | `GET /businesses/{tin}` | 200 `{"appointed": true, "status": "active", "email": "…", "details": {…}, "confirm_from": "2027-01-31"}` |
//! | | 200 `{"appointed": false}`: the business has not appointed us |
//! | `PUT /businesses/{tin}/registration`, `{"taxpayer_id": "…", "participant_id": "0235:…"}` | 200, 201 or 204: it is registered with the tax authority, by this or an earlier request |
//! | | 422: the registration is refused for good, for the reason in `message` |
//! | `GET /changes?after={cursor}&limit=20` | 200 `{"tins": ["…"], "cursor": "…", "more": false}` |
//! | any about an unknown TIN | 404 `{"error": "unknown_tin"}` |
//!
//! `status` is `active`, `suspended` or `deregistered`. `details` is a party as in the bodies of sends; its
//! `electronic_address` is filled in from the TIN. `email` and `confirm_from` may be null or left out. Every request
//! carries `Authorization: Bearer SECRET` (RFC 6750, section 2.1). Any other answer means that the portal is not
//! available: it has no effect, and the request is repeated later.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use jiff::civil::Date;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::national_portal::{Business, Changes, Known, NationalPortal, PortalError, Standing};
use crate::{
    egress::{Answer, Client, Limits},
    service::page::SecretText,
    tasks::Boxed,
    types::{ParticipantId, TaxpayerId, Tin},
};

/// The limits of a request, since a person may be waiting for it.
const LIMITS: Limits = Limits { deadline: Duration::from_secs(8), answer_bytes: 256 * 1024 };
/// How many changes are requested at once, which fits into the function's time.
const CHANGES: u32 = 20;
/// Maximum bytes of a business's details, as JSON. One transaction must hold the events about them for every
/// organization.
const MAX_DETAILS: usize = 16 * 1024;
/// Maximum bytes of a cursor.
const MAX_CURSOR: usize = 1_024;
/// How many characters of the portal's message are kept.
const MAX_WORDS: usize = 200;

/// The portal at an address.
pub struct HttpPortal {
    client: Client,
    url: String,
    secret: Box<dyn SecretText>,
    /// The header with the secret, once it was fetched. It is dropped when the portal refuses it, since the secret may
    /// have been changed.
    authorization: Mutex<Option<HeaderValue>>,
}

/// The portal's JSON for a business.
#[derive(Deserialize)]
struct Written {
    appointed: bool,
    status: Option<WrittenStanding>,
    email: Option<String>,
    details: Option<Value>,
    confirm_from: Option<Date>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenStanding {
    Active,
    Suspended,
    Deregistered,
}

#[derive(Deserialize)]
struct WrittenChanges {
    tins: Vec<String>,
    cursor: String,
    #[serde(default)]
    more: bool,
}

/// The portal's JSON for a refusal.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    error: String,
    message: String,
}

impl HttpPortal {
    /// The portal at an address.
    pub fn new(client: Client, url: &str, secret: impl SecretText + 'static) -> Self {
        let url = url.trim_end_matches('/').to_owned();
        HttpPortal { client, url, secret: Box::new(secret), authorization: Mutex::new(None) }
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Answer, PortalError> {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, self.authorization().await?);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        if !body.is_empty() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let url = format!("{}{path}", self.url);
        let answer = self.client.request(method, &url, headers, body, LIMITS).await;
        let answer = answer.map_err(|error| PortalError::Unavailable(error.to_string()))?;
        if answer.status == StatusCode::UNAUTHORIZED {
            *self.authorization.lock().await = None;
            return Err(PortalError::Unavailable(
                "it does not accept the service's secret".to_owned(),
            ));
        }
        if !answer.complete {
            let bytes = LIMITS.answer_bytes;
            let message = format!("its answer broke off, or is longer than {bytes} bytes");
            return Err(PortalError::Unavailable(message));
        }
        Ok(answer)
    }

    /// RFC 6750, section 2.1.
    async fn authorization(&self) -> Result<HeaderValue, PortalError> {
        let mut kept = self.authorization.lock().await;
        if let Some(kept) = &*kept {
            return Ok(kept.clone());
        }
        let missing = |why: String| PortalError::Unavailable(format!("its secret: {why}"));
        let secret = self.secret.fetch().await.map_err(|error| missing(error.to_string()))?;
        let secret = secret.trim();
        // RFC 6750, section 2.1: b64token.
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if secret.is_empty() || !secret.bytes().all(is_token) {
            return Err(missing("it is not a bearer token".to_owned()));
        }
        let mut header = HeaderValue::try_from(format!("Bearer {secret}"))
            .map_err(|_| missing("it is not a valid header".to_owned()))?;
        header.set_sensitive(true);
        *kept = Some(header.clone());
        Ok(header)
    }
}

fn read<T: DeserializeOwned>(answer: &Answer) -> Result<T, PortalError> {
    serde_json::from_slice(&answer.body).map_err(|error| {
        // The kind of the error only, since the content may be personal data.
        let message = format!("its answer cannot be read: {:?}", error.classify());
        PortalError::Unavailable(message)
    })
}

fn unexpected(answer: &Answer) -> PortalError {
    PortalError::Unavailable(format!("HTTP status {}", answer.status))
}

fn refusal(answer: &Answer) -> Refusal {
    serde_json::from_slice(&answer.body).unwrap_or_default()
}

/// Other systems in front of the portal may answer 404 too. That says nothing about a business.
fn is_unknown(answer: &Answer) -> bool {
    answer.status == StatusCode::NOT_FOUND && refusal(answer).error == "unknown_tin"
}

fn business(answer: &Answer) -> Result<Known, PortalError> {
    let missing = |what| PortalError::Unavailable(format!("its answer has no {what}"));
    let Written { appointed, status, email, details, confirm_from } = read(answer)?;
    if !appointed {
        return Ok(Known::NotAppointed);
    }
    let standing = match status.ok_or_else(|| missing("status"))? {
        WrittenStanding::Active => Standing::Active,
        WrittenStanding::Suspended => Standing::Suspended,
        WrittenStanding::Deregistered => Standing::Deregistered,
    };
    let details = details.filter(Value::is_object).ok_or_else(|| missing("details"))?;
    if details.to_string().len() > MAX_DETAILS {
        let message = format!("its details have more than {MAX_DETAILS} bytes");
        return Err(PortalError::Unavailable(message));
    }
    let email = email.and_then(|email| email.parse().ok());
    Ok(Known::Appointed(Box::new(Business { standing, email, details, confirm_from })))
}

fn changes_after(cursor: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let pairs = cursor.map(|cursor| ("after", cursor));
    let query = query.extend_pairs(pairs).append_pair("limit", &CHANGES.to_string()).finish();
    format!("/changes?{query}")
}

fn changes(answer: &Answer) -> Result<Changes, PortalError> {
    let WrittenChanges { tins, cursor, more } = read(answer)?;
    if cursor.is_empty() || cursor.len() > MAX_CURSOR {
        let message = format!("its cursor does not have 1 to {MAX_CURSOR} bytes");
        return Err(PortalError::Unavailable(message));
    }
    // A text that is no TIN belongs to no taxpayer of ours.
    let tins = tins.iter().filter_map(|tin| tin.parse().ok()).collect();
    Ok(Changes { tins, cursor, more })
}

impl NationalPortal for HttpPortal {
    fn business<'a>(&'a self, tin: &'a Tin) -> Boxed<'a, Result<Known, PortalError>> {
        Box::pin(async move {
            let answer = self.ask(Method::GET, &format!("/businesses/{tin}"), None).await?;
            match answer.status {
                StatusCode::OK => business(&answer),
                _ if is_unknown(&answer) => Ok(Known::Nobody),
                _ => Err(unexpected(&answer)),
            }
        })
    }

    fn register<'a>(
        &'a self,
        tin: &'a Tin,
        taxpayer_id: &'a TaxpayerId,
    ) -> Boxed<'a, Result<(), PortalError>> {
        Box::pin(async move {
            let participant_id = ParticipantId::from(tin);
            let body = json!({"taxpayer_id": taxpayer_id, "participant_id": participant_id});
            let path = format!("/businesses/{tin}/registration");
            let answer = self.ask(Method::PUT, &path, Some(body)).await?;
            match answer.status {
                StatusCode::OK | StatusCode::CREATED | StatusCode::NO_CONTENT => Ok(()),
                StatusCode::UNPROCESSABLE_ENTITY => {
                    let words = refusal(&answer).message;
                    Err(PortalError::Refused(words.chars().take(MAX_WORDS).collect()))
                }
                _ => Err(unexpected(&answer)),
            }
        })
    }

    fn changes<'a>(&'a self, after: Option<&'a str>) -> Boxed<'a, Result<Changes, PortalError>> {
        Box::pin(async move {
            let answer = self.ask(Method::GET, &changes_after(after), None).await?;
            match answer.status {
                StatusCode::OK => changes(&answer),
                _ => Err(unexpected(&answer)),
            }
        })
    }
}

//! The billing provider's interface, and its one adapter: JSON over HTTP. Another provider needs another adapter.
//!
//! The request is `GET {BillingUrl}/subscriptions?limit=500`, with `&cursor=…` for each page but the first, and with
//! `Authorization: Bearer …` (RFC 6750, section 2.1). The answer is
//! `{"subscriptions": [{"organization_id", "status", "seats", "updated_at"}, …], "next_cursor": "…" or null}`.
//! It lists every subscription that the provider knows once, including ended ones.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::Stated;
use crate::{
    egress::{Client, Limits},
    tasks::Boxed,
};

/// How many subscriptions a page has.
const LIMIT: usize = 500;
/// The limits of a page.
const PAGE: Limits = Limits { deadline: Duration::from_secs(15), answer_bytes: 1024 * 1024 };

/// Why the provider's answer is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It did not answer.
    #[error("the billing provider does not answer: {0}")]
    Unreachable(String),
    /// It answered with a status other than 200.
    #[error("the billing provider answered with {0}")]
    Refused(u16),
    /// Its answer has the wrong form.
    #[error("the billing provider's answer {0}")]
    Unreadable(String),
}

/// A page of subscriptions.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The subscriptions of the page; for an unreadable one, the reason.
    pub subscriptions: Vec<Result<Stated, String>>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
}

/// A system that knows the subscriptions of organizations.
pub trait Provider: Send + Sync {
    /// A page of all subscriptions: the first one, or the one after a cursor.
    fn page<'a>(&'a self, cursor: Option<&'a str>) -> Boxed<'a, Result<Page, ProviderError>>;
}

/// A provider that speaks JSON over HTTP.
pub struct HttpProvider {
    client: Client,
    url: String,
    authorization: HeaderValue,
}

#[derive(Deserialize)]
struct PageBody {
    subscriptions: Vec<Value>,
    next_cursor: Option<String>,
}

impl HttpProvider {
    /// A provider at an address, with our token. `None` where there is no token, or one that is no valid header value.
    pub fn new(client: Client, url: &str, token: &str) -> Option<Self> {
        if token.is_empty() {
            return None;
        }
        let mut authorization = HeaderValue::from_str(&format!("Bearer {token}")).ok()?;
        // Keeps it out of logs of headers.
        authorization.set_sensitive(true);
        Some(HttpProvider { client, url: url.trim_end_matches('/').to_owned(), authorization })
    }

    async fn ask(&self, cursor: Option<&str>) -> Result<Page, ProviderError> {
        let unreadable = |why: &str| ProviderError::Unreadable(why.to_owned());
        let mut url = Url::parse(&format!("{}/subscriptions", self.url))
            .map_err(|why| ProviderError::Unreachable(why.to_string()))?;
        url.query_pairs_mut().append_pair("limit", &LIMIT.to_string());
        if let Some(cursor) = cursor {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, self.authorization.clone());
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let answer =
            self.client.request(Method::GET, url.as_str(), headers, Vec::new(), PAGE).await;
        let answer = answer.map_err(|why| ProviderError::Unreachable(why.to_string()))?;
        if answer.status != StatusCode::OK {
            return Err(ProviderError::Refused(answer.status.as_u16()));
        }
        if !answer.complete {
            return Err(unreadable("broke off, or has more than 1 MiB"));
        }
        let page: PageBody = serde_json::from_slice(&answer.body)
            .map_err(|why| unreadable(&format!("is not a page of subscriptions: {why}")))?;
        if page.next_cursor.as_deref().is_some_and(|next| Some(next) == cursor) {
            return Err(unreadable("leads from a page to itself"));
        }
        let read = |value| serde_json::from_value(value).map_err(|why| why.to_string());
        let subscriptions = page.subscriptions.into_iter().map(read).collect();
        Ok(Page { subscriptions, next: page.next_cursor })
    }
}

impl Provider for HttpProvider {
    fn page<'a>(&'a self, cursor: Option<&'a str>) -> Boxed<'a, Result<Page, ProviderError>> {
        Box::pin(self.ask(cursor))
    }
}

//! The HTTP interface as an integrator's program calls it.

use std::{net::IpAddr, time::Duration};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT},
};
use serde_json::Value;

use super::{credentials::Credentials, plain};
use crate::{
    cli::{Error, complain},
    egress::{Client, Egress, Limits, check_url},
};

/// How long a request may take: longer than the service takes itself.
const DEADLINE: Duration = Duration::from_secs(40);
/// No more of an answer is read: the service has 6 MB at most.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// No more of a file is read: the result of an import of ten thousand documents, each with all its findings.
const MOST_FILE: usize = 256 * 1024 * 1024;
/// Items of a page at most.
pub(super) const PAGE: usize = 100;
/// What we call ourselves.
pub(super) const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("access-point/", env!("CARGO_PKG_VERSION")));

/// The interface, as one organization calls it.
pub(super) struct Api {
    client: Client,
    base: String,
    headers: HeaderMap,
}

/// Why a request did not do what it was for.
#[derive(Debug)]
pub(super) enum Trouble {
    /// There was no answer, or one that says to try again.
    Away(String),
    /// It was refused: the status, and `detail` of the answer.
    Refused(u16, Value),
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Away(why) => Error::Away(why),
            Trouble::Refused(status, detail) => {
                complain(&format!("access-point: {}\n", refusal(status, &detail)));
                Error::Refused
            }
        }
    }
}

/// A refusal in words, and its findings below.
pub(super) fn refusal(status: u16, detail: &Value) -> String {
    let text = |value: &Value| plain(value.as_str().unwrap_or("-"));
    let head = format!(
        "{status} {}: {} (request {})",
        text(&detail["code"]),
        text(&detail["message"]),
        text(&detail["request_id"]),
    );
    let findings = detail["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    std::iter::once(head).chain(findings.iter().map(finding)).collect::<Vec<_>>().join("\n  ")
}

/// A finding in a line.
pub(super) fn finding(finding: &Value) -> String {
    let text = |name: &str| plain(finding[name].as_str().unwrap_or("-"));
    let severity = text("severity");
    format!("{severity} {} at {}: {}", text("rule"), text("pointer"), text("message"))
}

impl Api {
    /// The interface for these credentials. A key goes over TLS, or stays on this machine.
    pub(super) fn new(credentials: &Credentials) -> Result<Self, Error> {
        let wrong = |why: String| Error::Unreadable(format!("ACCESS_POINT_URL: {why}"));
        let url = check_url(&credentials.url, Egress::Any).map_err(|why| wrong(why.message))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let is_here = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        if url.scheme() != "https" && !is_here {
            return Err(wrong("an API key must not be sent without https".to_owned()));
        }
        let base = url.as_str().trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let header = |what: &str, text: String| {
            let invalid =
                |_| Error::Unreadable(format!("{what} contains characters that are not allowed"));
            HeaderValue::try_from(text).map_err(invalid)
        };
        let mut key = header("ACCESS_POINT_API_KEY", format!("Api-Key {}", credentials.api_key))?;
        key.set_sensitive(true);
        let mut headers = HeaderMap::from_iter([(AUTHORIZATION, key), (USER_AGENT, AGENT)]);
        if let Some(taxpayer) = &credentials.taxpayer_id {
            let value = header("ACCESS_POINT_TAXPAYER", taxpayer.clone())?;
            headers.insert(HeaderName::from_static("x-ae-taxpayer-id"), value);
        }
        let client = Client::new(Egress::Any).map_err(|why| Error::failed("the client", why))?;
        Ok(Api { client, base: format!("{base}/v1"), headers })
    }

    /// What is at a path.
    pub(super) async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, Trouble> {
        let (_, body) = self.call(Method::GET, path, query, HeaderMap::new(), Vec::new()).await?;
        Ok(body)
    }

    /// What is at a path of the same host, outside of the versioned interface.
    pub(super) async fn beside(&self, path: &str) -> Result<Value, Trouble> {
        let origin = self.base.strip_suffix("/v1").unwrap_or(&self.base);
        let address = format!("{origin}{path}");
        let (_, body) =
            self.call_at(Method::GET, &address, &[], HeaderMap::new(), Vec::new()).await?;
        Ok(body)
    }

    /// Posts JSON: the status, and what was answered.
    pub(super) async fn post(
        &self,
        path: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(u16, Value), Trouble> {
        self.call(Method::POST, path, &[], headers, body).await
    }

    /// Posts a file: what was answered.
    pub(super) async fn upload(
        &self,
        path: &str,
        query: &[(&str, &str)],
        media_type: HeaderValue,
        body: Vec<u8>,
    ) -> Result<Value, Trouble> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, media_type)]);
        let (_, body) = self.call(Method::POST, path, query, headers, body).await?;
        Ok(body)
    }

    /// The bytes at a path, or where it says that they are: the key is not sent there.
    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, Trouble> {
        let (mut address, mut headers) = (format!("{}{path}", self.base), self.headers.clone());
        loop {
            let away = |why: String| Trouble::Away(format!("{path}: {}", plain(&why)));
            let limits = Limits { deadline: DEADLINE, answer_bytes: MOST_FILE };
            let (request, empty) = (std::mem::take(&mut headers), Vec::new());
            let is_own = !request.is_empty();
            let answer = self.client.request(Method::GET, &address, request, empty, limits).await;
            let answer = answer.map_err(|why| away(why.message))?;
            match (answer.status.as_u16(), answer.location) {
                (200, _) if answer.complete => return Ok(answer.body),
                (307, Some(elsewhere)) if is_own => address = elsewhere,
                (status, _) => return Err(away(format!("answered {status}"))),
            }
        }
    }

    /// The first of a list, through its pages; all of it without `most`.
    pub(super) async fn list(
        &self,
        path: &str,
        query: &[(&str, &str)],
        most: Option<usize>,
    ) -> Result<Vec<Value>, Trouble> {
        let mut items = Vec::new();
        let left = |taken: usize| most.map_or(PAGE, |most| most.saturating_sub(taken).min(PAGE));
        let take = |some: Vec<Value>| {
            items.extend(some);
            left(items.len())
        };
        self.pages(path, query, left(0), take).await?;
        Ok(items)
    }

    /// The pages of a list, one after the other, none of which is kept: the first one of so many items, the next ones of as
    /// many as `take` says of each before, to the last one, or until it wants no more.
    pub(super) async fn pages(
        &self,
        path: &str,
        query: &[(&str, &str)],
        first: usize,
        mut take: impl FnMut(Vec<Value>) -> usize,
    ) -> Result<(), Trouble> {
        let (mut wanted, mut cursor) = (first, None::<String>);
        loop {
            let limit = wanted.to_string();
            let mut asked = query.to_vec();
            asked.push(("limit", &limit));
            asked.extend(cursor.iter().map(|cursor| ("cursor", cursor.as_str())));
            let mut page = self.get(path, &asked).await?;
            match page["items"].take() {
                Value::Array(some) => wanted = take(some),
                _ => return Err(Trouble::Away(format!("{path}: the response is not a list"))),
            }
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() || wanted == 0 {
                return Ok(());
            }
        }
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(u16, Value), Trouble> {
        self.call_at(method, &format!("{}{path}", self.base), query, headers, body).await
    }

    async fn call_at(
        &self,
        method: Method,
        address: &str,
        query: &[(&str, &str)],
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(u16, Value), Trouble> {
        let away = |why: String| Trouble::Away(format!("{address}: {}", plain(&why)));
        let mut url = check_url(address, Egress::Any).map_err(|why| away(why.message))?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut all = self.headers.clone();
        all.extend(headers);
        if !body.is_empty() && !all.contains_key(CONTENT_TYPE) {
            all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let limits = Limits { deadline: DEADLINE, answer_bytes: MOST_BYTES };
        let answer = self.client.request(method, url.as_str(), all, body, limits).await;
        let answer = answer.map_err(|why| away(why.message))?;
        let status = answer.status;
        let read = serde_json::from_slice::<Value>(&answer.body).ok().filter(|_| answer.complete);
        match read {
            Some(body) if status.is_success() => Ok((status.as_u16(), body)),
            // The interface has one shape of errors; a proxy before it has others.
            Some(body) if body["detail"]["code"].is_string() => {
                let detail = &body["detail"];
                match status.as_u16() {
                    429 | 500.. => Err(away(refusal(status.as_u16(), detail))),
                    status => Err(Trouble::Refused(status, detail.clone())),
                }
            }
            _ => Err(away(format!("answered {status}, and not as this service does"))),
        }
    }
}

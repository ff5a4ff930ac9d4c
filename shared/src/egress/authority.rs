//! The way to what an authority signs: revocation lists (RFC 5280) and answers of OCSP responders (RFC 6960).
//!
//! Certificates name both by `http://` on purpose: to verify the certificate of an https server would need the very list that
//! is being fetched (RFC 5280, section 8). The signature protects them, not the transport. So this client alone takes http,
//! and nothing else can be asked by it: its two requests are fixed, and take only the addresses that a certificate names.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};

use super::{Client, Egress, EgressError, Limits, Settings, Transport};

/// How long a request to an authority may take.
const DEADLINE: Duration = Duration::from_secs(4);

/// Where a certificate says that its issuer's list is (RFC 5280, section 4.2.1.13).
pub trait ListUrl: AsRef<str> + Sync {
    /// The largest list that is taken.
    const MOST_BYTES: usize;
}

/// Where a certificate says that its issuer's responder is (RFC 5280, section 4.2.2.1).
pub trait ResponderUrl: AsRef<str> + Sync {
    /// The media type of a question.
    const QUESTION: &'static str;
    /// The largest answer that is taken.
    const MOST_BYTES: usize;
}

/// Why an authority gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthorityError {
    /// No answer.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// An answer that has nothing in it; redirects are not followed.
    #[error("HTTP {0}")]
    Status(StatusCode),
    /// Less than the whole.
    #[error("the answer broke off, or has more than {0} bytes")]
    Incomplete(usize),
}

/// The client of authorities. [`Egress::Public`] is http or https, the own port of the scheme, public addresses.
#[derive(Debug, Clone)]
pub struct AuthorityClient(Client);

impl AuthorityClient {
    /// A client that reaches the authorities that `egress` allows.
    pub fn new(egress: Egress) -> Result<Self, EgressError> {
        Self::with(Settings::new(egress)?)
    }

    pub(super) fn with(settings: Settings) -> Result<Self, EgressError> {
        let settings = Settings { transport: Transport::Signed, deadline: DEADLINE, ..settings };
        Client::build(settings).map(AuthorityClient)
    }

    /// The revocation list at `url`, whose signature nobody has verified yet.
    pub async fn revocation_list<U: ListUrl>(&self, url: &U) -> Result<Vec<u8>, AuthorityError> {
        self.ask(Method::GET, url.as_ref(), HeaderMap::new(), Vec::new(), U::MOST_BYTES).await
    }

    /// What the responder at `url` answers to `question` (RFC 6960, appendix A.1), whose signature nobody has verified yet.
    pub async fn ocsp<U: ResponderUrl>(
        &self,
        url: &U,
        question: Vec<u8>,
    ) -> Result<Vec<u8>, AuthorityError> {
        let content_type = HeaderValue::from_static(U::QUESTION);
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
        self.ask(Method::POST, url.as_ref(), headers, question, U::MOST_BYTES).await
    }

    async fn ask(
        &self,
        method: Method,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        answer_bytes: usize,
    ) -> Result<Vec<u8>, AuthorityError> {
        let limits = Limits { deadline: self.0.deadline, answer_bytes };
        let answer = self.0.request(method, url, headers, body, limits).await?;
        match (answer.status, answer.complete) {
            (StatusCode::OK, true) => Ok(answer.body),
            (StatusCode::OK, false) => Err(AuthorityError::Incomplete(answer_bytes)),
            (status, _) => Err(AuthorityError::Status(status)),
        }
    }
}

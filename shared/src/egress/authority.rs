//! The client for data signed by certificate authorities: revocation lists (RFC 5280) and OCSP responses (RFC 6960).
//!
//! Certificates name both with `http://` on purpose. To verify the certificate of an https server, the client would
//! need the list that it is fetching (RFC 5280, section 8). The signature protects the data, not the transport. Only
//! this client allows http. Its two requests are fixed and accept only addresses from a certificate.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header::CONTENT_TYPE};

use super::{Client, Egress, EgressError, Limits, Settings, Transport};

/// Deadline for a request to an authority.
const DEADLINE: Duration = Duration::from_secs(4);

/// The address of the issuer's revocation list in a certificate (RFC 5280, section 4.2.1.13).
pub trait ListUrl: AsRef<str> + Sync {
    /// Maximum length of a list.
    const MOST_BYTES: usize;
}

/// The address of the issuer's OCSP responder in a certificate (RFC 5280, section 4.2.2.1).
pub trait ResponderUrl: AsRef<str> + Sync {
    /// The media type of a request.
    const QUESTION: &'static str;
    /// Maximum length of a response.
    const MOST_BYTES: usize;
}

/// Why an authority gave no data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthorityError {
    /// There was no response.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// The status of the response is not 200; redirects are not followed.
    #[error("HTTP {0}")]
    Status(StatusCode),
    /// The body is incomplete.
    #[error("the answer broke off, or has more than {0} bytes")]
    Incomplete(usize),
}

/// The client for authorities. Here, [`Egress::Public`] allows http and https, default ports, and public addresses.
#[derive(Debug, Clone)]
pub struct AuthorityClient(Client);

impl AuthorityClient {
    /// A client for the authorities that `egress` allows.
    pub fn new(egress: Egress) -> Result<Self, EgressError> {
        Self::with(Settings::new(egress)?)
    }

    pub(super) fn with(settings: Settings) -> Result<Self, EgressError> {
        let settings = Settings { transport: Transport::Signed, deadline: DEADLINE, ..settings };
        Client::build(settings).map(AuthorityClient)
    }

    /// The revocation list at `url`; its signature is not verified yet.
    pub async fn revocation_list<U: ListUrl>(&self, url: &U) -> Result<Vec<u8>, AuthorityError> {
        self.ask(Method::GET, url.as_ref(), HeaderMap::new(), Vec::new(), U::MOST_BYTES).await
    }

    /// The response of the responder at `url` to `question` (RFC 6960, appendix A.1); its signature is not verified
    /// yet.
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

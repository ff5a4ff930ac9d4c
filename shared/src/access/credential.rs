use super::{GRANT_HEADER, PresentedKey, TAXPAYER_HEADER};
use crate::{
    error::{Code, Failure},
    types::{GrantId, TaxpayerId},
};

/// What a 401 names in `WWW-Authenticate`: the schemes that would do (RFC 9110, section 11.6.1).
/// `Bearer` is not among them while no token can be presented (RFC 6750, section 3).
pub const CHALLENGE: &str = "Api-Key";

/// The credential headers of a request, as they came.
#[derive(Clone, Copy, Default)]
pub struct Credentials<'a> {
    /// `Authorization`
    pub authorization: Option<&'a str>,
    /// `x-ae-taxpayer-id`
    pub taxpayer_id: Option<&'a str>,
    /// `x-ae-grant-id`
    pub grant_id: Option<&'a str>,
}

impl Credentials<'_> {
    /// The taxpayer that the headers name.
    pub(super) fn taxpayer(self) -> Result<Option<TaxpayerId>, Failure> {
        self.taxpayer_id.map(str::parse).transpose().map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!(
                    "The header {TAXPAYER_HEADER} must be a taxpayer_id, which starts with txpay_; \
                     it is not the TIN, the participant_id or the organization's identifier."
                ),
            )
        })
    }

    /// The grant that the headers name.
    pub(super) fn grant(self) -> Result<Option<GrantId>, Failure> {
        self.grant_id.map(str::parse).transpose().map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("The header {GRANT_HEADER} must be a grant_id, which starts with tgr_."),
            )
        })
    }
}

/// What a request presents to prove who sends it, read but not looked up. Each kind is a variant
/// here and an arm where [`crate::service::authorize`] looks it up.
#[derive(Debug)]
pub enum Credential {
    /// `Authorization: Api-Key pk_…`
    ApiKey(PresentedKey),
}

impl Credential {
    /// The credential among the headers. A scheme that is not known, or a secret of another shape,
    /// is refused like one that nobody holds.
    pub fn presented(credentials: Credentials<'_>) -> Result<Self, Failure> {
        let Some(header) = credentials.authorization else {
            return Err(unauthorized().because("no credential"));
        };
        PresentedKey::from_authorization(header)
            .map(Credential::ApiKey)
            .ok_or_else(|| unauthorized().because("the credential has not the form of an API key"))
    }
}

/// The refusal of a credential. It says the same for one that is missing, malformed, unknown or
/// revoked; which of them it is, the log alone is told.
pub fn unauthorized() -> Failure {
    Failure::new(
        Code::Unauthorized,
        "No valid credential: send Authorization: Api-Key <API_KEY> with an active organization \
         API key.",
    )
}

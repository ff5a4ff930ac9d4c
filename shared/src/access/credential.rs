use super::{GRANT_HEADER, PresentedAccessToken, PresentedKey, TAXPAYER_HEADER};
use crate::{
    error::{Code, Failure},
    types::{GrantId, TaxpayerId},
};

/// The `WWW-Authenticate` of a 401: the accepted schemes (RFC 9110, section 11.6.1). A request without a token gets
/// no error code (RFC 6750, section 3.1).
pub const CHALLENGE: &str = "Api-Key, Bearer";
/// The `WWW-Authenticate` of a 401 for a presented token.
pub const TOKEN_CHALLENGE: &str = r#"Bearer error="invalid_token""#;

/// The scheme of access tokens (RFC 6750, section 2.1).
const BEARER: &str = "Bearer";

/// The credential headers of a request, unchecked.
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
    /// Whether an access token is presented, valid or not.
    pub fn is_token(self) -> bool {
        let scheme = self.authorization.map(|header| header.split(' ').next().unwrap_or(header));
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(BEARER))
    }

    /// The taxpayer in the headers.
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
    pub fn grant(self) -> Result<Option<GrantId>, Failure> {
        self.grant_id.map(str::parse).transpose().map_err(|_| {
            Failure::new(
                Code::InvalidRequest,
                format!("The header {GRANT_HEADER} must be a grant_id, which starts with tgr_."),
            )
        })
    }
}

/// The credential of a request, parsed but not looked up. Each kind is a variant here, and
/// [`crate::service::authorize`] looks it up.
#[derive(Debug)]
pub enum Credential {
    /// `Authorization: Api-Key pk_…`
    ApiKey(PresentedKey),
    /// `Authorization: Bearer at_…`
    AccessToken(PresentedAccessToken),
}

impl Credential {
    /// Reads the credential from the headers. An unknown scheme, or a secret of the wrong form, gives the same error
    /// as an unknown credential. The name of the scheme is compared without regard to case (RFC 9110, section 11.1).
    pub fn presented(credentials: Credentials<'_>) -> Result<Self, Failure> {
        let Some(header) = credentials.authorization else {
            return Err(unauthorized().because("no credential"));
        };
        let (scheme, text) = header.split_once(' ').unwrap_or((header, ""));
        let text = text.trim_matches(' ');
        if scheme.eq_ignore_ascii_case("Api-Key") {
            let key = PresentedKey::parse(text).map(Credential::ApiKey);
            return key.ok_or_else(|| {
                unauthorized().because("the credential has not the form of an API key")
            });
        }
        // RFC 6750, section 2.1.
        if scheme.eq_ignore_ascii_case(BEARER) {
            let token = PresentedAccessToken::parse(text).map(Credential::AccessToken);
            return token
                .ok_or_else(|| invalid_token().because("it has not the form of an access token"));
        }
        Err(unauthorized().because("the scheme is neither Api-Key nor Bearer"))
    }
}

/// The error for a bad credential. It is the same for a missing, malformed, unknown or revoked one; only the log has
/// the reason.
pub fn unauthorized() -> Failure {
    Failure::new(
        Code::Unauthorized,
        "No valid credential: send Authorization: Api-Key <API_KEY> with an active organization \
         API key, or Authorization: Bearer <ACCESS_TOKEN>.",
    )
}

/// The error for a bad access token. It is the same for a malformed, unknown, expired or revoked one (RFC 6750,
/// section 3.1, `invalid_token`).
pub fn invalid_token() -> Failure {
    Failure::new(
        Code::InvalidToken,
        "The access token is unknown, expired or revoked: get another with the refresh token, or ask the taxpayer to \
         connect again.",
    )
}

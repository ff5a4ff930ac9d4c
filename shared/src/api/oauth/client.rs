//! Client authentication: `client_secret_basic` or `client_secret_post` (RFC 6749, section 2.3.1).

use axum::http::{HeaderMap, header::AUTHORIZATION};
use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;

use super::form::{Form, wrong};
use crate::service::oauth::{ErrorCode, OAuthError, clients::ClientCredentials};

/// Reads the credentials. "The client MUST NOT use more than one authentication method in each request" (section 2.3).
pub(super) fn credentials(
    headers: &HeaderMap,
    form: &Form,
) -> Result<ClientCredentials, OAuthError> {
    let mut presented = headers.get_all(AUTHORIZATION).iter();
    let (header, again) = (presented.next(), presented.next());
    if again.is_some() {
        return Err(wrong("The header Authorization is given more than once."));
    }
    let in_form = (form.get("client_id"), form.get("client_secret"));
    let Some(header) = header else {
        return match in_form {
            (Some(client_id), Some(secret)) => Ok(ClientCredentials {
                client_id: client_id.to_owned(),
                client_secret: secret.to_owned(),
            }),
            _ => Err(unproven(
                "There is no client authentication: send client_id and client_secret.",
            )),
        };
    };
    let basic = header.to_str().ok().and_then(basic);
    let basic = basic.ok_or_else(|| {
        unproven("Authorization must be Basic, with client_id and client_secret.")
    })?;
    match in_form {
        (_, Some(_)) => Err(wrong("Send the client_secret only once: by Basic, or in the form.")),
        (Some(client_id), None) if client_id != basic.client_id => {
            Err(wrong("client_id in the form differs from the client_id in Authorization."))
        }
        _ => Ok(basic),
    }
}

/// `Basic`, whose two parts are "encoded using the application/x-www-form-urlencoded encoding algorithm" each before
/// they are joined (section 2.3.1).
fn basic(header: &str) -> Option<ClientCredentials> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let joined = String::from_utf8(STANDARD.decode(encoded.trim_matches(' ')).ok()?).ok()?;
    let (client_id, client_secret) = joined.split_once(':')?;
    let decoded = |text: &str| {
        let spaced = text.replace('+', " ");
        percent_decode_str(&spaced).decode_utf8().ok().map(|text| text.into_owned())
    };
    Some(ClientCredentials {
        client_id: decoded(client_id)?,
        client_secret: decoded(client_secret)?,
    })
}

fn unproven(description: &'static str) -> OAuthError {
    OAuthError::new(ErrorCode::InvalidClient, description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_credentials_are_decoded_as_forms() {
        let header = |text: &str| format!("basic {}", STANDARD.encode(text));
        let read = |text: &str| basic(&header(text)).map(|it| (it.client_id, it.client_secret));
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(read("client_1:cs_test_a-b_c"), pair("client_1", "cs_test_a-b_c"));
        assert_eq!(read("client%5F1:a%3Ab+c"), pair("client_1", "a:b c"));
        assert_eq!(read("client_1:a:b"), pair("client_1", "a:b"));
        assert_eq!(read("client_1"), None);
        assert_eq!(read("%FF:x"), None);
        for header in ["Basic", "Basic !", "Bearer abc", ""] {
            assert!(basic(header).is_none(), "{header}");
        }
    }
}

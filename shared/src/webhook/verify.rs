//! Verifies signed requests of others: Standard Webhooks 1.0.0, section "Verifying webhook authenticity".

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::Mac;
use jiff::{SignedDuration, Timestamp};

use super::sign::{SCHEME, Secret, mac};

/// Maximum difference between the timestamp and now, in both directions. It allows for clock differences and prevents
/// the replay of recorded requests.
pub const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);
/// Longest `webhook-id`, in characters.
pub const MAX_ID: usize = 255;
/// Maximum number of checked signatures of a request. During a rotation there is one for each secret.
pub const MAX_SIGNATURES: usize = 8;

/// The headers of a request; `None` if missing or not text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Headers<'a> {
    /// `webhook-id`
    pub id: Option<&'a str>,
    /// `webhook-timestamp`: seconds since 1970.
    pub timestamp: Option<&'a str>,
    /// `webhook-signature`: signatures separated by spaces.
    pub signature: Option<&'a str>,
}

/// Why a request is not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// A header is missing or invalid.
    #[error("{0} is missing, or is not as Standard Webhooks has it")]
    Header(&'static str),
    /// The signature is too old, or the signer's clock is ahead.
    #[error("webhook-timestamp is more than five minutes from the time here")]
    Timestamp,
    /// No signature matches a known secret.
    #[error("webhook-signature holds no signature of this body by a secret that is known here")]
    Signature,
}

/// Verifies a request and returns its `webhook-id`. One of the secrets must have signed exactly these bytes, within
/// [`TOLERANCE`] of `now`.
pub fn verify<'a>(
    secrets: &[Secret],
    headers: Headers<'a>,
    body: &[u8],
    now: Timestamp,
) -> Result<&'a str, Unverified> {
    let is_id =
        |id: &&str| id.bytes().all(|b| b.is_ascii_graphic()) && (1..=MAX_ID).contains(&id.len());
    let id = headers.id.filter(is_id).ok_or(Unverified::Header("webhook-id"))?;
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let timestamp = headers.timestamp.filter(is_number);
    let timestamp = timestamp.ok_or(Unverified::Header("webhook-timestamp"))?;
    let signatures = headers.signature.ok_or(Unverified::Header("webhook-signature"))?;
    // "verify that the timestamp is within some allowable tolerance of the current timestamp to prevent replay attacks"
    let at = timestamp.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    if at.is_none_or(|at| at.duration_since(now).abs() > TOLERANCE) {
        return Err(Unverified::Timestamp);
    }
    let given = signatures.split(' ').take(MAX_SIGNATURES);
    let given = given.filter_map(|one| STANDARD.decode(one.strip_prefix(SCHEME)?).ok());
    let is_signed = given.into_iter().any(|signature| {
        // Compared in constant time: the time must not reveal how much of a signature is right.
        let is_of = |secret| mac(secret, id, timestamp, body).verify_slice(&signature).is_ok();
        secrets.iter().any(is_of)
    });
    if is_signed { Ok(id) } else { Err(Unverified::Signature) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{types::SeededRandom, webhook::signature};

    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";

    fn now() -> Timestamp {
        Timestamp::from_second(1_614_265_330).unwrap()
    }

    fn verified(secrets: &[Secret], id: &str, at: &str, signed: &str) -> Result<(), Unverified> {
        let headers = Headers { id: Some(id), timestamp: Some(at), signature: Some(signed) };
        verify(secrets, headers, BODY, now()).map(|given| assert_eq!(given, id))
    }

    /// The vector of the reference implementations' tests.
    #[test]
    fn what_the_reference_signed_is_verified() {
        let secret: Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let signed = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(verified(&[secret], ID, "1614265330", signed), Ok(()));
    }

    #[test]
    fn a_request_is_verified_by_either_secret_and_by_any_of_its_signatures() {
        let random = SeededRandom::new(1);
        let [old, new, other] = [(); 3].map(|()| Secret::new(&random));
        let by = |secret: &Secret| signature(std::slice::from_ref(secret), ID, now(), BODY);
        let both = [old.clone(), new.clone()];
        for signed in [
            by(&old),
            by(&new),
            format!("{} {}", by(&other), by(&new)),
            format!("v1a,AAAA v1,! {}", by(&old)),
        ] {
            assert_eq!(verified(&both, ID, "1614265330", &signed), Ok(()), "{signed}");
        }
        let none: &[Secret] = &[];
        let padded = format!("{}{}", "v1,AAAA ".repeat(MAX_SIGNATURES), by(&old));
        for (secrets, signed) in [
            (&both[..], by(&other)),
            (none, by(&old)),
            (&both[..], by(&old).replacen("v1", "v2", 1)),
            (&both[..], by(&old)[..20].to_owned()),
            (&both[..], String::new()),
            (&both[..], padded),
        ] {
            assert_eq!(verified(secrets, ID, "1614265330", &signed), Err(Unverified::Signature));
        }
        // Every change of a signed part is detected.
        assert_eq!(verified(&both, "msg_2", "1614265330", &by(&old)), Err(Unverified::Signature));
        assert_eq!(verified(&both, ID, "1614265331", &by(&old)), Err(Unverified::Signature));
        let headers =
            Headers { id: Some(ID), timestamp: Some("1614265330"), signature: Some(&by(&old)) };
        assert_eq!(verify(&both, headers, b"{}", now()), Err(Unverified::Signature));
    }

    #[test]
    fn what_was_signed_too_long_ago_or_too_soon_is_refused_whoever_signed_it() {
        let secret = [Secret::new(&SeededRandom::new(1))];
        for (seconds, expected) in [
            (-301, Err(Unverified::Timestamp)),
            (-300, Ok(())),
            (0, Ok(())),
            (300, Ok(())),
            (301, Err(Unverified::Timestamp)),
        ] {
            let at = now() + SignedDuration::from_secs(seconds);
            let signed = signature(&secret, ID, at, BODY);
            assert_eq!(verified(&secret, ID, &at.as_second().to_string(), &signed), expected);
        }
    }

    #[test]
    fn headers_that_are_missing_or_wrong_are_named() {
        let secret = [Secret::new(&SeededRandom::new(1))];
        let signed = signature(&secret, ID, now(), BODY);
        let good =
            Headers { id: Some(ID), timestamp: Some("1614265330"), signature: Some(&signed) };
        let long = "x".repeat(MAX_ID + 1);
        for (headers, expected) in [
            (Headers { id: None, ..good }, "webhook-id"),
            (Headers { id: Some(""), ..good }, "webhook-id"),
            (Headers { id: Some("a b"), ..good }, "webhook-id"),
            (Headers { id: Some(&long), ..good }, "webhook-id"),
            (Headers { timestamp: None, ..good }, "webhook-timestamp"),
            (Headers { timestamp: Some("soon"), ..good }, "webhook-timestamp"),
            (Headers { timestamp: Some("-1614265330"), ..good }, "webhook-timestamp"),
            (Headers { signature: None, ..good }, "webhook-signature"),
        ] {
            let refused = verify(&secret, headers, BODY, now());
            assert_eq!(refused, Err(Unverified::Header(expected)));
        }
        let far = Headers { timestamp: Some("99999999999999999999999"), ..good };
        assert_eq!(verify(&secret, far, BODY, now()), Err(Unverified::Timestamp));
    }
}

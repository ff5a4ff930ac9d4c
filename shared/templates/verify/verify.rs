// Standard Webhooks 1.0.0: call verify() with the raw body before you parse it. Respond with 401 if it returns an error.
// cargo add base64@0.22 hmac@0.13 sha2@0.11
use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const TOLERANCE: u64 = 5 * 60; // seconds

/// Returns the webhook-id, which stays the same when an event is sent again. `secret` is the signing secret, `whsec_…`. `header`
/// returns the value of a header by its name.
pub fn verify<'a>(
    secret: &str,
    header: impl Fn(&str) -> Option<&'a str>,
    body: &[u8],
) -> Result<&'a str, &'static str> {
    let missing = "a webhook-… header is missing";
    let id = header("webhook-id").filter(|id| !id.is_empty()).ok_or(missing)?;
    let timestamp = header("webhook-timestamp").ok_or(missing)?;
    let signatures = header("webhook-signature").ok_or(missing)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let is_number = timestamp.bytes().all(|byte| byte.is_ascii_digit());
    let at = timestamp.parse().ok().filter(|_| is_number);
    if at.is_none_or(|at: u64| at.abs_diff(now) > TOLERANCE) {
        return Err("webhook-timestamp is more than five minutes off");
    }
    let no_secret = "the secret is not valid";
    let key = secret.strip_prefix("whsec_").unwrap_or(secret);
    let key = STANDARD.decode(key).map_err(|_| no_secret)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| no_secret)?;
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    // During a rotation, there is one signature for each secret. They are compared in constant time.
    let verified = signatures.split(' ').any(|signature| {
        let given = signature.strip_prefix("v1,").and_then(|given| STANDARD.decode(given).ok());
        given.is_some_and(|given| mac.clone().verify_slice(&given).is_ok())
    });
    if verified { Ok(id) } else { Err("no signature matches the secret and the body") }
}

//! Keys of HMAC-SHA-256 that the service keeps for itself.

use std::{error::Error, fmt, sync::Arc};

use hmac::{Hmac, KeyInit};
use sha2::Sha256;
use tokio::sync::OnceCell;

use crate::{
    error::{Code, Failure},
    tasks::Boxed,
};

/// The source of a secret text.
pub trait SecretText: Send + Sync {
    /// Fetches the text.
    fn fetch(&self) -> Boxed<'_, Result<String, BoxError>>;
}

type BoxError = Box<dyn Error + Send + Sync>;

/// A key that is fetched with its first use: most requests need none, and a cold start should not wait for it.
#[derive(Clone)]
pub(super) struct MacKey(Arc<Inner>);

struct Inner {
    secret: Box<dyn SecretText>,
    key: OnceCell<Hmac<Sha256>>,
}

/// A shorter secret could be guessed.
const LEAST_CHARACTERS: usize = 32;

impl MacKey {
    /// The key from a secret text.
    pub(super) fn new(secret: impl SecretText + 'static) -> Self {
        MacKey(Arc::new(Inner { secret: Box::new(secret), key: OnceCell::new() }))
    }

    /// A MAC without a message. `message` tells the caller what cannot be done if the key cannot be fetched.
    pub(super) async fn mac(&self, message: &str) -> Result<Hmac<Sha256>, Failure> {
        let Inner { secret, key } = &*self.0;
        let key = key.get_or_try_init(|| async {
            let text = secret.fetch().await?;
            if text.chars().count() < LEAST_CHARACTERS {
                return Err(format!("a key has {LEAST_CHARACTERS} characters or more").into());
            }
            Hmac::<Sha256>::new_from_slice(text.as_bytes()).map_err(BoxError::from)
        });
        let key = key.await.map_err(|error| {
            Failure::new(Code::ServiceUnavailable, message).because(Unfetched(error))
        })?;
        Ok(key.clone())
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the key cannot be fetched: {0}")]
struct Unfetched(#[source] BoxError);

impl fmt::Debug for MacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MacKey(…)")
    }
}

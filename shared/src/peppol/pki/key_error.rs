//! The errors of keys.

/// Why a key operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not an RSA private key in PEM (PKCS #8).
    #[error("the private key is not an RSA key in PEM (PKCS #8, \"BEGIN PRIVATE KEY\")")]
    NotPkcs8,
    /// The key does not match the certificate.
    #[error("the private key does not belong to the certificate of {0}")]
    Mismatch(String),
    /// The key could not sign.
    #[error("the key could not sign")]
    Sign,
    /// The plaintext is too long for the key.
    #[error("the key could not encrypt: too much for its size")]
    Encrypt,
    /// Encrypted for another key, in another way, or damaged. The error does not tell which, on purpose.
    #[error("what is encrypted does not open with this key")]
    Decrypt,
    /// The key service failed; a retry may succeed.
    #[error("the key is out of reach: {0}")]
    Unavailable(String),
}

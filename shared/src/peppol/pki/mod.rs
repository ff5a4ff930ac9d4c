//! Certificates, trust and keys.
//!
//! A [`Certificate`] is something read; a [`Trusted`](trust::Trusted) one has been proven.

mod certificate;
mod keys;
#[cfg(test)]
pub(crate) mod testing;

pub use certificate::{
    BadSignature, Certificate, CertificateError, MAX_CERTIFICATE_BYTES, RSA_BITS,
};
pub use keys::{Decrypter, KeyError, LocalKey, Pending, Signer};

//! Certificates, trust and keys.
//!
//! A [`Certificate`] is only parsed. A [`Trusted`] certificate is verified.

mod anchors;
mod certificate;
mod chain;
mod extensions;
mod key_error;
mod keys;
pub mod ocsp;
mod remembered;
mod revocation;
mod revocation_status;
mod ring;
mod subject;
#[cfg(test)]
pub(crate) mod testing;
mod trust;

pub use anchors::{AnchorError, Anchors, Network, NetworkError, Role};
pub use certificate::{
    BadSignature, Certificate, CertificateError, MAX_CERTIFICATE_BYTES, RSA_BITS,
};
pub use extensions::{CrlUrl, EXPIRY_ALARM_DAYS, OcspUrl};
pub use key_error::KeyError;
pub use keys::{Decrypter, LocalKey, Pending, Signer};
pub use revocation::{MAX_LIST_BYTES, RevocationList, RevocationListError, Revocations};
pub use revocation_status::{CLOCK_SKEW, OcspError, Unknown};
pub use ring::{Key, OurKeys, newest};
pub use trust::{RevocationPolicy, Trust, TrustError, Trusted};

//! The end of the service's certificates, for the notifications of members. The function that refreshes trust writes it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    dynamo::{Expression, Write, to_item},
    keys::Key,
    text,
};

/// When the first of the service's certificates expires.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CertificateEnd {
    #[serde(with = "text::instant")]
    at: Timestamp,
}

impl Store {
    /// Notes when the first of the service's certificates expires.
    pub async fn put_certificate_end(&self, at: Timestamp) -> Result<(), StoreError> {
        let item = to_item(Key::certificate_end(), &CertificateEnd { at })?;
        self.write(Write::Put { item, condition: Expression::default() }).await.map(drop)
    }

    /// When the first of the service's certificates expires; `None` without a certificate.
    pub async fn get_certificate_end(&self) -> Result<Option<Timestamp>, StoreError> {
        let found: Option<CertificateEnd> = self.get(Key::certificate_end()).await?;
        Ok(found.map(|found| found.at))
    }
}

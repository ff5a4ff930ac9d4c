//! The prices of AWS in a region, from a price file: the one in the program, or the operator's own.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::cli::Error;

/// The price file of the program. It names only regions whose prices are certain.
pub(super) const BUILT_IN: &str = include_str!("prices.json");

/// A price file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceFile {
    /// When the prices were valid.
    pub(super) as_of: String,
    /// Where they were published.
    pub(super) source: String,
    pub(super) currency: String,
    regions: BTreeMap<String, Prices>,
}

/// The list prices of a region, without free tiers and discounts for volume.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prices {
    /// A million write units of an on-demand table.
    #[serde(deserialize_with = "decimal")]
    pub(super) table_writes_million: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) table_reads_million: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) table_gb_month: Decimal,
    /// Point-in-time recovery.
    #[serde(deserialize_with = "decimal")]
    pub(super) table_recovery_gb_month: Decimal,
    /// An on-demand table of the class STANDARD_INFREQUENT_ACCESS.
    #[serde(deserialize_with = "decimal")]
    pub(super) infrequent_writes_million: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) infrequent_reads_million: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) infrequent_gb_month: Decimal,
    /// A write unit of provisioned capacity.
    #[serde(deserialize_with = "decimal")]
    pub(super) provisioned_write_hour: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) provisioned_read_hour: Decimal,
    /// S3 Standard, as all of these.
    #[serde(deserialize_with = "decimal")]
    pub(super) puts_thousand: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) gets_thousand: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) bucket_gb_month: Decimal,
    /// On arm64.
    #[serde(deserialize_with = "decimal")]
    pub(super) lambda_gb_second: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) lambda_requests_million: Decimal,
    /// Standard queues, with the surcharge of fair queues.
    #[serde(deserialize_with = "decimal")]
    pub(super) queue_requests_million: Decimal,
    /// HTTP APIs of API Gateway.
    #[serde(deserialize_with = "decimal")]
    pub(super) http_requests_million: Decimal,
    /// Ingestion by CloudWatch.
    #[serde(deserialize_with = "decimal")]
    pub(super) logs_gb: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) logs_gb_month: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) secret_month: Decimal,
    #[serde(deserialize_with = "decimal")]
    pub(super) alarm_month: Decimal,
}

/// A price is a text, since a number of JSON may lose digits.
fn decimal<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
    let text = String::deserialize(from)?;
    let price = text.parse::<Decimal>().map_err(D::Error::custom)?;
    match price.is_sign_negative() {
        true => Err(D::Error::custom(format!("{text} is below zero"))),
        false => Ok(price),
    }
}

impl PriceFile {
    /// Reads a price file, which is named in errors.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|why| Error::failed(name, why))
    }

    /// The prices of a region.
    pub(super) fn region(&self, region: &str) -> Result<&Prices, Error> {
        self.regions.get(region).ok_or_else(|| {
            let known: Vec<&str> = self.regions.keys().map(String::as_str).collect();
            Error::Failed(format!(
                "the price file has no prices for {region}, only for {}: give a file that has them with --prices",
                known.join(", ")
            ))
        })
    }
}

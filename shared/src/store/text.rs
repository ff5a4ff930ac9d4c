//! Text forms of values that DynamoDB has no type for. The text sorts like the value.

use jiff::Timestamp;

/// RFC 3339 in UTC with milliseconds: 24 characters that sort by time.
pub fn instant(instant: Timestamp) -> String {
    format!("{instant:.3}")
}

pub(super) mod instant {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::instant(*value))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        Timestamp::deserialize(from)
    }
}

/// Money is text in items, so that no serializer converts it to a float.
pub(super) mod decimal {
    use rust_decimal::Decimal;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(value: &Decimal, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

pub(super) mod operation {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::document::Operation;

    pub(crate) fn serialize<S: Serializer>(value: &Operation, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.as_str())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Operation, D::Error> {
        let name = String::deserialize(from)?;
        Operation::from_name(&name)
            .ok_or_else(|| D::Error::custom(format!("unknown operation {name:?}")))
    }
}

//! Attributes that are packed into one. DynamoDB bills each started kilobyte of an item at every write, and most of an
//! item is names and identifiers, which compress well.

use std::io::Read;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde_json::{Map, Number, Value};

use super::{Item, errors::corrupt};
use crate::store::StoreError;

/// The attribute with the packed ones: deflated JSON (RFC 1951, RFC 8259).
const PACKED: &str = "packed";
/// Maximum bytes of the JSON, above the 400 kB that an item may have unpacked.
const MOST: u64 = 2_000_000;

/// Packs attributes of an item.
///
/// A packed attribute is never named by a condition, and never removed by an update. An update may set one: it then
/// stands beside the packed ones, and counts.
pub(in crate::store) fn packed(mut item: Item, names: &[&str]) -> Result<Item, StoreError> {
    let taken = names.iter().filter_map(|name| item.remove_entry(*name));
    let taken: Map<_, _> =
        taken.map(|(name, value)| Ok((name, json(value)?))).collect::<Result<_, StoreError>>()?;
    let mut writer = DeflateEncoder::new(Vec::new(), Compression::best());
    serde_json::to_writer(&mut writer, &taken).map_err(corrupt)?;
    let bytes = writer.finish().map_err(corrupt)?;
    item.insert(PACKED.to_owned(), AttributeValue::B(Blob::new(bytes)));
    Ok(item)
}

/// An item with its packed attributes as attributes of their own.
pub(crate) fn unpacked(mut item: Item) -> Result<Item, StoreError> {
    let Some(AttributeValue::B(bytes)) = item.remove(PACKED) else { return Ok(item) };
    let reader = DeflateDecoder::new(bytes.as_ref()).take(MOST);
    let taken: Map<String, Value> = serde_json::from_reader(reader).map_err(corrupt)?;
    for (name, value) in taken {
        item.entry(name).or_insert_with(|| attribute(value));
    }
    Ok(item)
}

fn json(value: AttributeValue) -> Result<Value, StoreError> {
    Ok(match value {
        AttributeValue::S(text) => Value::String(text),
        AttributeValue::N(number) => {
            Value::Number(serde_json::from_str::<Number>(&number).map_err(corrupt)?)
        }
        AttributeValue::Bool(value) => Value::Bool(value),
        AttributeValue::Null(_) => Value::Null,
        AttributeValue::L(values) => {
            Value::Array(values.into_iter().map(json).collect::<Result<_, _>>()?)
        }
        AttributeValue::M(fields) => {
            let fields = fields.into_iter().map(|(name, value)| Ok((name, json(value)?)));
            Value::Object(fields.collect::<Result<_, StoreError>>()?)
        }
        other => return Err(StoreError::Corrupt(format!("{other:?} cannot be packed").into())),
    })
}

/// A value of JSON as an attribute.
pub(in crate::store) fn attribute(value: Value) -> AttributeValue {
    match value {
        Value::Null => AttributeValue::Null(true),
        Value::Bool(value) => AttributeValue::Bool(value),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, attribute(value)));
            AttributeValue::M(fields.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(value: Value) -> Item {
        match attribute(value) {
            AttributeValue::M(fields) => fields,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_packed_is_read_as_it_was_and_what_was_set_since_counts() {
        let all = json!({"a": "x", "b": [1, 2.5, true, null], "c": {"d": "00000000000000000000"}});
        let whole = packed(item(all.clone()), &["a", "b", "missing"]).unwrap();
        assert_eq!(whole.keys().filter(|name| *name != "c").collect::<Vec<_>>(), [PACKED]);
        assert_eq!(unpacked(whole.clone()).unwrap(), item(all.clone()));
        let mut set = whole;
        set.insert("a".to_owned(), AttributeValue::S("later".to_owned()));
        assert_eq!(unpacked(set).unwrap()["a"], AttributeValue::S("later".to_owned()));
        assert_eq!(unpacked(item(all.clone())).unwrap(), item(all), "of an earlier version");
    }

    #[test]
    fn what_cannot_be_read_or_packed_is_an_error() {
        for bytes in [&b"no deflate"[..], b""] {
            let broken = Item::from([(PACKED.to_owned(), AttributeValue::B(Blob::new(bytes)))]);
            assert!(matches!(unpacked(broken), Err(StoreError::Corrupt(_))));
        }
        let binary = Item::from([("a".to_owned(), AttributeValue::B(Blob::new("x")))]);
        assert!(matches!(packed(binary, &["a"]), Err(StoreError::Corrupt(_))));
    }
}

//! Attributes that are packed into one. DynamoDB bills each started kilobyte of an item at every write, and most of an
//! item is names and identifiers, which compress well.

use std::{cell::RefCell, io::Read};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use flate2::{
    Compress, CompressError, Compression, Decompress, FlushCompress, Status, read::ZlibDecoder,
};
use serde_json::{Map, Number, Value};

use super::{Item, errors::corrupt};
use crate::store::StoreError;

/// The attribute with the packed ones: JSON (RFC 8259), deflated (RFC 1951) with [`DICTIONARY`].
const PACKED: &str = "packed1";
/// The same of an earlier release, without a dictionary.
const PACKED_ALONE: &str = "packed";
/// What the JSON of many items has: names, and the beginnings of values. The text before it is what a deflated item may
/// repeat, which halves the item. Stored items need this very text, so another one gets an attribute of its own.
const DICTIONARY: &[u8] = include_bytes!("dictionary.txt");
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
    let bytes = deflated(&serde_json::to_vec(&taken).map_err(corrupt)?).map_err(corrupt)?;
    item.insert(PACKED.to_owned(), AttributeValue::B(Blob::new(bytes)));
    Ok(item)
}

/// Deflates a text with [`DICTIONARY`].
fn deflated(text: &[u8]) -> Result<Vec<u8>, CompressError> {
    thread_local! {
        // A compressor takes 300 kB, which glibc gets from the system and gives back (`template.yaml`). For each item that
        // would cost more than the work.
        static COMPRESSOR: RefCell<Compress> = RefCell::new(Compress::new(Compression::best(), false));
    }
    COMPRESSOR.with_borrow_mut(|raw| {
        raw.reset();
        raw.set_dictionary(DICTIONARY)?;
        let (mut bytes, mut left) = (Vec::new(), text);
        loop {
            bytes.reserve(left.len() / 2 + 64);
            let before = raw.total_in();
            let status = raw.compress_vec(left, &mut bytes, FlushCompress::Finish)?;
            let taken = usize::try_from(raw.total_in() - before).unwrap_or(usize::MAX);
            left = left.get(taken..).unwrap_or_default();
            if status == Status::StreamEnd {
                return Ok(bytes);
            }
        }
    })
}

/// An item with its packed attributes as attributes of their own.
pub(crate) fn unpacked(mut item: Item) -> Result<Item, StoreError> {
    let mut raw = Decompress::new(false);
    let bytes = match (item.remove(PACKED), item.remove(PACKED_ALONE)) {
        (Some(AttributeValue::B(bytes)), _) => {
            raw.set_dictionary(DICTIONARY).map_err(corrupt)?;
            bytes
        }
        (_, Some(AttributeValue::B(bytes))) => bytes,
        _ => return Ok(item),
    };
    let reader = ZlibDecoder::new_with_decompress(bytes.as_ref(), raw).take(MOST);
    let taken: Map<String, Value> = serde_json::from_reader(reader).map_err(corrupt)?;
    for (name, value) in taken {
        item.entry(name).or_insert_with(|| attribute(value));
    }
    Ok(item)
}

/// An item as a JSON object, with its packed attributes as attributes of their own.
pub(in crate::store) fn item_to_json(item: Item) -> Result<Value, StoreError> {
    json(AttributeValue::M(unpacked(item)?))
}

/// The item of a JSON object.
pub(in crate::store) fn item_of_json(item: Value) -> Result<Item, StoreError> {
    match attribute(item) {
        AttributeValue::M(attributes) => Ok(attributes),
        _ => Err(StoreError::Corrupt("an item must be a JSON object".into())),
    }
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
    use crate::types::sha256_hex;

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
    fn what_an_earlier_release_packed_is_read() {
        // {"a":"x"}, deflated by zlib without a dictionary.
        let bytes = [0xab, 0x56, 0x4a, 0x54, 0xb2, 0x52, 0xaa, 0x50, 0xaa, 0x05, 0x00];
        let earlier = [("packed".to_owned(), AttributeValue::B(Blob::new(bytes)))];
        assert_eq!(unpacked(Item::from(earlier)).unwrap(), item(json!({"a": "x"})));
    }

    /// Another dictionary would make every stored item unreadable.
    #[test]
    fn the_dictionary_is_what_stored_items_were_written_with() {
        let sha256 = "aeb3f30aa32941d02d24e6cd7d7244895afe3f8adeedc1f2ceff88d650e814e5";
        assert_eq!(sha256_hex(DICTIONARY), sha256, "give another one an attribute of its own");
    }

    #[test]
    fn what_cannot_be_read_or_packed_is_an_error() {
        for (name, bytes) in [(PACKED, &b"no deflate"[..]), (PACKED, b""), (PACKED_ALONE, b"")] {
            let broken = Item::from([(name.to_owned(), AttributeValue::B(Blob::new(bytes)))]);
            assert!(matches!(unpacked(broken), Err(StoreError::Corrupt(_))));
        }
        let binary = Item::from([("a".to_owned(), AttributeValue::B(Blob::new("x")))]);
        assert!(matches!(packed(binary, &["a"]), Err(StoreError::Corrupt(_))));
    }
}

//! AWS's rules for charged units. Each rule names its page; `DeveloperGuide` is
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide>.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

/// Capacity in halves of a unit, since an eventually consistent read is half a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) write: usize,
    pub(crate) read: usize,
}

impl Units {
    /// Adds other units.
    pub(crate) fn add(&mut self, other: Units) {
        self.write += other.write;
        self.read += other.read;
    }
}

/// The kind of request that writes an item. AWS publishes no rule for a condition check in a transaction: it counts as a
/// write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Write {
    Single,
    /// "Two underlying writes for every item in the transaction: one to prepare the transaction and one to commit it"
    /// (`DeveloperGuide`/transaction-apis.html, "Capacity management for transactions").
    Transaction,
}

/// The units of an item in a write request. The larger of the sizes before and after counts; an item that does not
/// exist counts as the smallest. A write whose condition fails is charged like one that succeeds.
/// (`DeveloperGuide`/read-write-operations.html, "Write operations")
pub(super) fn write(before: usize, after: usize, of: Write) -> Units {
    let times = match of {
        Write::Single => 1,
        Write::Transaction => 2,
    };
    Units { write: 2 * times * whole(before.max(after), 1024), read: 0 }
}

/// The units of a read of these bytes: one for 4 KB if it is strongly consistent, else half of that. GetItem and
/// BatchGetItem round each item, Query the sum of the items that it looked at. A read that finds nothing counts as the
/// smallest. (`DeveloperGuide`/read-write-operations.html, "Read operations")
pub(super) fn read(bytes: usize, strongly_consistent: bool) -> Units {
    let halves = if strongly_consistent { 2 } else { 1 };
    Units { write: 0, read: halves * whole(bytes, 4096) }
}

/// The units of an entry of a global index that is added or removed. A changed key is one of each. An entry whose
/// projected attributes are unchanged is not written. The index is not part of a transaction.
/// (`DeveloperGuide`/GSI.html, "Write capacity units")
pub(super) fn index_entry(bytes: usize) -> Units {
    Units { write: 2 * whole(bytes, 1024), read: 0 }
}

/// The requests that SQS charges for one call: one for each 64 KB of its payload, however many messages it has.
/// (<https://aws.amazon.com/sqs/pricing/>, "API actions", "Payload")
pub(super) fn sqs_requests(payload: usize) -> usize {
    whole(payload, 64 * 1024)
}

/// Whole units, at least one.
fn whole(bytes: usize, unit: usize) -> usize {
    bytes.div_ceil(unit).max(1)
}

/// The size of an item: its names and values. (`DeveloperGuide`/CapacityUnitCalculations.html)
pub(super) fn item_size(item: &Value) -> usize {
    item.as_object().map_or(0, |attributes| {
        attributes.iter().map(|(name, value)| name.len() + value_size(value)).sum()
    })
}

/// The size of a value, in DynamoDB's JSON. (`DeveloperGuide`/CapacityUnitCalculations.html)
fn value_size(value: &Value) -> usize {
    let (kind, value) = value.as_object().unwrap().iter().next().unwrap();
    let each = |size: fn(&Value) -> usize| value.as_array().unwrap().iter().map(size).sum();
    match kind.as_str() {
        "S" => text_size(value),
        "N" => number_size(value),
        "B" => binary_size(value),
        "SS" => each(text_size),
        "NS" => each(number_size),
        "BS" => each(binary_size),
        "BOOL" | "NULL" => 1,
        // Three bytes whatever they contain, and one for each element.
        "L" => 3 + each(|element| 1 + value_size(element)),
        "M" => 3 + value.as_object().unwrap().len() + item_size(value),
        other => panic!("no attribute type: {other}"),
    }
}

/// "The number of UTF-8-encoded bytes."
fn text_size(value: &Value) -> usize {
    value.as_str().unwrap().len()
}

/// "The number of raw bytes."
fn binary_size(value: &Value) -> usize {
    STANDARD.decode(value.as_str().unwrap()).unwrap().len()
}

/// "1 byte per two significant digits" and 1 byte. Leading and trailing zeroes are trimmed. A minus is another byte.
fn number_size(value: &Value) -> usize {
    let text = value.as_str().unwrap();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let significant = digits.trim_matches('0').len();
    significant.div_ceil(2) + 1 + usize::from(text.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
    #[test]
    fn a_write_counts_whole_kilobytes_of_the_larger_item_and_at_least_one() {
        let units = |before, after| write(before, after, Write::Single).write;
        assert_eq!([units(0, 0), units(0, 1), units(0, 1024), units(0, 1025)], [2, 2, 2, 4]);
        assert_eq!([units(3000, 10), units(10, 3000), units(3000, 0)], [6, 6, 6]);
    }

    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
    #[test]
    fn a_write_in_a_transaction_counts_twice() {
        let units = |bytes| write(0, bytes, Write::Transaction).write;
        assert_eq!([units(10), units(1025)], [4, 8]);
    }

    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
    #[test]
    fn a_read_counts_4_kilobytes_whole_if_it_is_consistent_and_half_if_not() {
        let strong = |bytes| read(bytes, true).read;
        let eventual = |bytes| read(bytes, false).read;
        assert_eq!([strong(0), strong(4096), strong(4097)], [2, 2, 4]);
        assert_eq!([eventual(0), eventual(4096), eventual(4097)], [1, 1, 2]);
    }

    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html
    #[test]
    fn an_entry_of_the_index_counts_whole_kilobytes_and_never_twice() {
        assert_eq!([index_entry(150).write, index_entry(1025).write], [2, 4]);
    }

    // https://aws.amazon.com/sqs/pricing/
    #[test]
    fn a_batch_of_messages_is_one_request_for_each_64_kilobytes() {
        let kb = 1024;
        assert_eq!([sqs_requests(1), sqs_requests(64 * kb), sqs_requests(64 * kb + 1)], [1, 1, 2]);
    }

    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    #[test]
    fn an_item_is_as_large_as_its_names_and_values() {
        let sizes = [
            (json!({"S": "é1"}), 3),
            (json!({"N": "0"}), 1),
            (json!({"N": "1200"}), 2),
            (json!({"N": "-123"}), 4),
            (json!({"N": "20261120"}), 5),
            (json!({"B": "AAAA"}), 3),
            (json!({"BOOL": true}), 1),
            (json!({"NULL": true}), 1),
            (json!({"SS": ["ab", "c"]}), 3),
            (json!({"NS": ["1", "123"]}), 5),
            (json!({"BS": ["AAAA", "AA=="]}), 4),
            (json!({"L": []}), 3),
            (json!({"L": [{"S": "ab"}, {"BOOL": false}]}), 8),
            (json!({"M": {"k": {"S": "ab"}}}), 7),
        ];
        for (value, size) in sizes {
            assert_eq!(item_size(&json!({"name": value})), 4 + size, "{value}");
        }
        assert_eq!(item_size(&Value::Null), 0, "it does not exist");
    }
}

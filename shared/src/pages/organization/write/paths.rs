//! Values in a JSON body by their paths: names and positions joined by dots, such as `line_items.0.quantity`.

use serde_json::{Map, Value};

/// The text at a path; empty if there is none.
pub(super) fn value_at(body: &Value, path: &str) -> String {
    let found = path.split('.').try_fold(body, |at, step| match step.parse::<usize>() {
        Ok(index) => at.get(index),
        Err(_) => at.get(step),
    });
    match found {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Sets the text at a path. An empty text removes the value.
pub(super) fn put(body: &mut Value, path: &str, text: &str) {
    if text.is_empty() {
        remove(body, path);
        return;
    }
    let mut at = body;
    for step in path.split('.') {
        at = match step.parse::<usize>() {
            Ok(index) => {
                if !at.is_array() {
                    *at = Value::Array(Vec::new());
                }
                if let Some(list) = at.as_array_mut()
                    && list.len() <= index
                {
                    list.resize(index + 1, Value::Null);
                }
                &mut at[index]
            }
            Err(_) => {
                if !at.is_object() {
                    *at = Value::Object(Map::new());
                }
                &mut at[step]
            }
        };
    }
    *at = Value::from(text);
}

/// Removes the value at a path. An item of a list becomes null, so that the others keep their positions.
pub(super) fn remove(body: &mut Value, path: &str) {
    let (parent, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut steps = parent.split('.').filter(|step| !step.is_empty());
    let found = steps.try_fold(body, |at, step| match step.parse::<usize>() {
        Ok(index) => at.get_mut(index),
        Err(_) => at.get_mut(step),
    });
    match found {
        Some(Value::Object(members)) => {
            members.remove(last);
        }
        Some(Value::Array(items)) => {
            if let Some(item) = last.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                *item = Value::Null;
            }
        }
        _ => {}
    }
}

/// Removes nulls, empty texts, empty objects and empty lists.
pub(super) fn prune(value: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(prune);
            members.retain(|_, value| !is_empty(value));
        }
        Value::Array(items) => {
            items.iter_mut().for_each(prune);
            items.retain(|item| !is_empty(item));
        }
        _ => {}
    }
}

/// The path of a JSON Pointer (RFC 6901).
pub(super) fn of_pointer(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1);
    let steps: Vec<_> = steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    steps.join(".")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_put_read_and_removed_at_its_path() {
        let mut body = json!({"note": "x"});
        put(&mut body, "line_items.1.price.net_price", "12.50");
        put(&mut body, "note", "");
        assert_eq!(body, json!({"line_items": [null, {"price": {"net_price": "12.50"}}]}));
        assert_eq!(value_at(&body, "line_items.1.price.net_price"), "12.50");
        assert_eq!(value_at(&body, "line_items.0.price.net_price"), "");
        assert_eq!(value_at(&json!({"quantity": 2}), "quantity"), "2");
        remove(&mut body, "line_items.1.price.net_price");
        prune(&mut body);
        assert_eq!(body, json!({}));
    }

    #[test]
    fn a_pointer_becomes_a_path() {
        assert_eq!(of_pointer("/line_items/0/price"), "line_items.0.price");
        assert_eq!(of_pointer(""), "");
    }
}

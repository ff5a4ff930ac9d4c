//! Conditions and updates.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::errors::corrupt;
use crate::store::StoreError;

/// A condition or an update with its values.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Expression {
    pub(super) text: String,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Expression {
    pub(in crate::store) fn new(text: impl Into<String>) -> Self {
        Expression { text: text.into(), ..Self::default() }
    }

    /// This condition and another.
    pub(in crate::store) fn and(mut self, other: &str) -> Self {
        self.text = format!("{} AND {other}", self.text);
        self
    }

    /// Binds `#name` to an attribute; needed when the attribute is a reserved word.
    pub(in crate::store) fn name(mut self, placeholder: &str, attribute: &str) -> Self {
        self.names.insert(placeholder.to_owned(), attribute.to_owned());
        self
    }

    /// Binds `:value` to a text.
    pub(in crate::store) fn text(mut self, placeholder: &str, value: impl Into<String>) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::S(value.into()));
        self
    }

    /// Binds `:value` to a set of texts.
    pub(in crate::store) fn texts(mut self, placeholder: &str, values: Vec<String>) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::Ss(values));
        self
    }

    /// Binds `:value` to a number.
    pub(in crate::store) fn number(mut self, placeholder: &str, value: impl ToString) -> Self {
        self.values.insert(placeholder.to_owned(), AttributeValue::N(value.to_string()));
        self
    }

    /// Binds `:value` to a value.
    pub(in crate::store) fn value(mut self, placeholder: &str, value: AttributeValue) -> Self {
        self.values.insert(placeholder.to_owned(), value);
        self
    }

    pub(in crate::store) fn text_or_none(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| self.text.clone())
    }

    pub(in crate::store) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    pub(in crate::store) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }
}

/// An update, attribute by attribute. Its placeholders differ from those of every condition.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct Update {
    set: Vec<String>,
    remove: Vec<String>,
    delete: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Update {
    pub(in crate::store) fn new() -> Self {
        Self::default()
    }

    fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#to_{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    pub(in crate::store) fn set<T: Serialize>(
        mut self,
        attribute: &str,
        value: &T,
    ) -> Result<Self, StoreError> {
        let name = self.name(attribute);
        let value = serde_dynamo::to_attribute_value(value).map_err(corrupt)?;
        self.values.insert(format!(":to_{attribute}"), value);
        self.set.push(format!("{name} = :to_{attribute}"));
        Ok(self)
    }

    /// Sets an attribute unless it exists.
    pub(in crate::store) fn set_first<T: Serialize>(
        mut self,
        attribute: &str,
        value: &T,
    ) -> Result<Self, StoreError> {
        let name = self.name(attribute);
        let value = serde_dynamo::to_attribute_value(value).map_err(corrupt)?;
        self.values.insert(format!(":to_{attribute}"), value);
        self.set.push(format!("{name} = if_not_exists({name}, :to_{attribute})"));
        Ok(self)
    }

    /// Adds to a number; a missing attribute counts as 0.
    pub(in crate::store) fn add(mut self, attribute: &str, number: impl Into<i64>) -> Self {
        let name = self.name(attribute);
        let number = number.into().to_string();
        self.values.insert(format!(":to_{attribute}"), AttributeValue::N(number));
        self.values.insert(":to_zero".to_owned(), AttributeValue::N("0".to_owned()));
        self.set.push(format!("{name} = if_not_exists({name}, :to_zero) + :to_{attribute}"));
        self
    }

    pub(in crate::store) fn remove(mut self, attribute: &str) -> Self {
        let name = self.name(attribute);
        self.remove.push(name);
        self
    }

    /// Takes texts out of a set.
    pub(in crate::store) fn delete(mut self, attribute: &str, texts: Vec<String>) -> Self {
        let name = self.name(attribute);
        self.values.insert(format!(":to_{attribute}"), AttributeValue::Ss(texts));
        self.delete.push(format!("{name} :to_{attribute}"));
        self
    }

    pub(in crate::store) fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.delete.is_empty()
    }

    pub(in crate::store) fn build(self) -> Expression {
        let clauses = [("SET", self.set), ("REMOVE", self.remove), ("DELETE", self.delete)];
        let clauses = clauses.into_iter().filter(|(_, parts)| !parts.is_empty());
        let clauses: Vec<_> =
            clauses.map(|(word, parts)| format!("{word} {}", parts.join(", "))).collect();
        let text = clauses.join(" ");
        Expression { text, names: self.names, values: self.values }
    }
}

/// The condition that an item does not exist.
pub(in crate::store) fn absent() -> Expression {
    Expression::new("attribute_not_exists(pk)")
}

/// An update with the names and values of its condition, because one request has one set of both.
pub(super) fn merged(update: &Expression, condition: &Expression) -> Expression {
    let mut both = update.clone();
    both.names.extend(condition.names.clone());
    both.values.extend(condition.values.clone());
    both
}

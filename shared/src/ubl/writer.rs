//! Writes UBL: amounts, dates, and no empty element.

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::xml;

/// The UAE dirham: the currency of tax accounting.
pub(super) const AED: &str = "AED";

const CAC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const CBC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";

/// Writes UBL. The start tag of an aggregate is delayed until its first value, so that no empty element and no empty
/// aggregate is written (ibr-079).
pub(super) struct Writer {
    xml: xml::Writer,
    waiting: Vec<&'static str>,
}

impl Writer {
    /// Creates a writer with room for `capacity` bytes and writes the XML declaration.
    pub(super) fn new(capacity: usize) -> Self {
        Writer { xml: xml::Writer::indented(capacity), waiting: Vec::new() }
    }

    /// Writes the root element with its namespaces.
    pub(super) fn root(&mut self, name: &'static str, body: impl FnOnce(&mut Self)) {
        let namespace = format!("urn:oasis:names:specification:ubl:schema:xsd:{name}-2");
        self.xml.open(name, &[("xmlns", &namespace), ("xmlns:cac", CAC), ("xmlns:cbc", CBC)]);
        body(self);
        self.xml.close(name);
    }

    /// Writes an aggregate; writes nothing if the aggregate would be empty.
    pub(super) fn group(&mut self, name: &'static str, body: impl FnOnce(&mut Self)) {
        self.waiting.push(name);
        let depth = self.waiting.len();
        body(self);
        if self.waiting.len() == depth {
            self.waiting.pop();
        } else {
            self.xml.close(name);
        }
    }

    /// Writes a value with its attributes, except attributes without a value. Writes nothing if the value is blank.
    pub(super) fn with(
        &mut self,
        name: &'static str,
        value: &str,
        attributes: &[(&'static str, Option<&str>)],
    ) {
        if value.trim_ascii().is_empty() {
            return;
        }
        // Draining keeps the capacity. Length 0 shows `group` that the start tags were written.
        for outer in self.waiting.drain(..) {
            self.xml.open(outer, &[]);
        }
        let attributes = attributes.iter().filter_map(|(attribute, value)| {
            let value = (*value)?;
            (!value.trim_ascii().is_empty()).then_some((*attribute, value))
        });
        self.xml.leaf(name, attributes, value);
    }

    /// Writes a text, code or identifier.
    pub(super) fn text(&mut self, name: &'static str, value: &str) {
        self.with(name, value, &[]);
    }

    /// Writes a text, code or identifier that may be absent.
    pub(super) fn maybe(&mut self, name: &'static str, value: Option<&String>) {
        if let Some(value) = value {
            self.with(name, value, &[]);
        }
    }

    /// Writes a date as `YYYY-MM-DD`, without a zone (ibr-073).
    pub(super) fn date(&mut self, name: &'static str, value: Option<Date>) {
        if let Some(value) = value {
            self.with(name, &value.to_string(), &[]);
        }
    }

    /// Writes a rate, percentage or factor with its given decimals, without an exponent.
    pub(super) fn number(&mut self, name: &'static str, value: Option<Decimal>) {
        if let Some(value) = value {
            self.with(name, &value.normalize().to_string(), &[]);
        }
    }

    /// Writes a quantity with its unit.
    pub(super) fn quantity(&mut self, name: &'static str, value: Decimal, unit: Option<&str>) {
        self.with(name, &value.normalize().to_string(), &[("unitCode", unit)]);
    }

    /// Writes a price with its given decimals.
    pub(super) fn price(&mut self, name: &'static str, value: Decimal, currency: &str) {
        self.with(name, &value.normalize().to_string(), &[("currencyID", Some(currency))]);
    }

    /// Writes an amount with exactly two decimals.
    pub(super) fn amount(&mut self, name: &'static str, value: Decimal, currency: &str) {
        self.with(name, &two_decimals(value), &[("currencyID", Some(currency))]);
    }

    /// Writes an amount that may be absent.
    pub(super) fn maybe_amount(
        &mut self,
        name: &'static str,
        value: Option<Decimal>,
        currency: &str,
    ) {
        if let Some(value) = value {
            self.amount(name, value, currency);
        }
    }

    /// Returns the finished document.
    pub(super) fn finish(self) -> Vec<u8> {
        self.xml.finish().into_bytes()
    }
}

/// Formats a decimal with exactly two places, halves away from zero.
pub(super) fn two_decimals(value: Decimal) -> String {
    let mut value = value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    value.rescale(2);
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn written(body: impl FnOnce(&mut Writer)) -> String {
        let mut writer = Writer::new(0);
        body(&mut writer);
        String::from_utf8(writer.finish()).unwrap()
    }

    #[test]
    fn an_aggregate_without_values_is_not_written() {
        let xml = written(|w| {
            w.group("cac:Party", |w| {
                w.group("cac:Contact", |w| {
                    w.maybe("cbc:Name", None);
                    w.text("cbc:Telephone", " \t");
                });
                w.group("cac:PostalAddress", |w| w.text("cbc:CityName", "Dubai"));
                w.group("cac:Contact", |_| {});
            });
            w.group("cac:PayeeParty", |w| w.group("cac:PartyName", |_| {}));
        });
        insta::assert_snapshot!(xml, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <cac:Party>
          <cac:PostalAddress>
            <cbc:CityName>Dubai</cbc:CityName>
          </cac:PostalAddress>
        </cac:Party>
        "#);
    }

    #[test]
    fn amounts_have_two_decimals_and_halves_go_away_from_zero() {
        for (given, expected) in [
            (decimal("1"), "1.00"),
            (decimal("1.005"), "1.01"),
            (decimal("-1.005"), "-1.01"),
            (decimal("0.0049"), "0.00"),
            (decimal("-0.004"), "0.00"),
            (decimal("79228162514264337593543950"), "79228162514264337593543950.00"),
        ] {
            assert_eq!(two_decimals(given), expected);
        }
    }

    #[test]
    fn prices_and_rates_are_written_plainly() {
        let xml = written(|w| {
            w.price("cbc:PriceAmount", decimal("0.00000010"), "AED");
            w.number("cbc:Percent", Some(decimal("5.00")));
            w.quantity("cbc:InvoicedQuantity", decimal("1000.0"), Some("C62"));
        });
        insta::assert_snapshot!(xml, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <cbc:PriceAmount currencyID="AED">0.0000001</cbc:PriceAmount>
        <cbc:Percent>5</cbc:Percent>
        <cbc:InvoicedQuantity unitCode="C62">1000</cbc:InvoicedQuantity>
        "#);
    }
}

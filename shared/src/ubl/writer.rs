//! A thin layer over quick-xml: non-empty elements, amounts, dates, indentation.

use std::borrow::Cow;

use jiff::civil::Date;
use quick_xml::{
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
    writer::Writer as Xml,
};
use rust_decimal::{Decimal, RoundingStrategy};

/// The UAE dirham: the currency of tax accounting.
pub(super) const AED: &str = "AED";

const CAC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const CBC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";

/// Writes UBL. The start tag of an aggregate is delayed until its first value, so that no empty element and no empty
/// aggregate is written (ibr-079).
pub(super) struct Writer {
    xml: Xml<Vec<u8>>,
    waiting: Vec<&'static str>,
}

impl Writer {
    /// Creates a writer with room for `capacity` bytes and writes the XML declaration.
    pub(super) fn new(capacity: usize) -> Self {
        let xml = Xml::new_with_indent(Vec::with_capacity(capacity), b' ', 2);
        let mut writer = Writer { xml, waiting: Vec::new() };
        writer.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        writer
    }

    /// Writes the root element with its namespaces.
    pub(super) fn root(&mut self, name: &'static str, body: impl FnOnce(&mut Self)) {
        let namespace = format!("urn:oasis:names:specification:ubl:schema:xsd:{name}-2");
        let start = BytesStart::new(name).with_attributes([
            ("xmlns", namespace.as_str()),
            ("xmlns:cac", CAC),
            ("xmlns:cbc", CBC),
        ]);
        self.event(Event::Start(start));
        body(self);
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Writes an aggregate; writes nothing if the aggregate would be empty.
    pub(super) fn group(&mut self, name: &'static str, body: impl FnOnce(&mut Self)) {
        self.waiting.push(name);
        let depth = self.waiting.len();
        body(self);
        if self.waiting.len() == depth {
            self.waiting.pop();
        } else {
            self.event(Event::End(BytesEnd::new(name)));
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
        let waiting = std::mem::take(&mut self.waiting);
        for outer in &waiting {
            self.event(Event::Start(BytesStart::new(*outer)));
        }
        // Clearing keeps the capacity. Length 0 shows `group` that the start tags were written.
        self.waiting = waiting;
        self.waiting.clear();
        let mut start = BytesStart::new(name);
        for (attribute, value) in attributes {
            if let Some(value) = value.filter(|value| !value.trim_ascii().is_empty()) {
                start.push_attribute((*attribute, legal(value).as_ref()));
            }
        }
        self.event(Event::Start(start));
        self.event(Event::Text(BytesText::from_escaped(escape(value))));
        self.event(Event::End(BytesEnd::new(name)));
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
        let mut bytes = self.xml.into_inner();
        bytes.push(b'\n');
        bytes
    }

    fn event(&mut self, event: Event<'_>) {
        let written = self.xml.write_event(event);
        debug_assert!(written.is_ok(), "a write to memory cannot fail");
    }
}

/// Formats a decimal with exactly two places, halves away from zero.
pub(super) fn two_decimals(value: Decimal) -> String {
    let mut value = value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    value.rescale(2);
    value.to_string()
}

/// Escapes text content so that a parser reads the same text. A carriage return is written as a reference, because a
/// parser would turn it into a line feed (XML 1.0, section 2.11).
fn escape(value: &str) -> Cow<'_, str> {
    // Fast path: almost every value needs no escaping.
    if value.bytes().all(|b| b >= b' ' && !matches!(b, b'<' | b'>' | b'&' | 0xef)) {
        return value.into();
    }
    match quick_xml::escape::partial_escape(legal(value)) {
        escaped if escaped.contains('\r') => escaped.replace('\r', "&#13;").into(),
        escaped => escaped,
    }
}

/// Replaces characters that XML 1.0 forbids (section 2.2) by U+FFFD.
fn legal(value: &str) -> Cow<'_, str> {
    let illegal = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    // Fast path on bytes: UTF-8 encodes U+FFFE and U+FFFF with a 0xEF byte, and almost no value has one.
    if value.bytes().any(|b| b < b' ' || b == 0xef) && value.contains(illegal) {
        value.replace(illegal, "\u{fffd}").into()
    } else {
        value.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn every_text_and_attribute_reads_back(text in "\\PC*[\\r\\n\\t<>&\"']?\\PC{1,9}") {
            prop_assume!(!text.trim_ascii().is_empty());
            let xml = written(|w| w.with("cbc:Note", &text, &[("languageID", Some(&text))]));
            let mut reader = quick_xml::Reader::from_str(&xml);
            reader.config_mut().expand_empty_elements = true;
            let (mut content, mut attribute) = (String::new(), String::new());
            loop {
                match reader.read_event().unwrap() {
                    Event::Start(start) => {
                        attribute = start.attributes().next().unwrap().unwrap()
                            .normalized_value(quick_xml::XmlVersion::Explicit1_0).unwrap()
                            .into_owned();
                        content.clear();
                    }
                    Event::Text(part) => content.push_str(&part.xml10_content()),
                    Event::GeneralRef(part) => match part.resolve_char_ref().unwrap() {
                        Some(c) => content.push(c),
                        None => content.push_str(
                            quick_xml::escape::resolve_xml_entity(&part).unwrap()),
                    },
                    Event::End(_) => break,
                    _ => {}
                }
            }
            prop_assert_eq!(&content, &text);
            prop_assert_eq!(&attribute, &text);
        }
    }
}

//! Reads UBL into a view. Nothing is omitted: values without a place are listed separately.

use std::collections::HashSet;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    Block, NoView, Row, UnplacedValue, Value, View,
    places::{self, Kind, Place},
};
use crate::{
    ubl,
    xml::{
        Name, Node, Places, Tree,
        names::{attr, credit_note, invoice, xsi},
    },
};

/// Maximum number of characters that an error repeats from the document.
const SHOWN: usize = 100;
/// The text before the amount of BTAE-20.
const AED: &str = "AED";

impl View {
    /// The number of lines of the document.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// IBT-031 Seller VAT identifier.
    pub fn seller_tax_number(&self) -> Option<&str> {
        self.seller.row("IBT-031").and_then(Row::text)
    }

    /// Reads an invoice or credit note of UBL 2.1, valid or not.
    ///
    /// # Errors
    /// If it is another kind of document.
    pub fn of(document: &Tree<'_>) -> Result<View, NoView> {
        let root = document.root();
        let is_credit_note = match root.name() {
            invoice::INVOICE => false,
            credit_note::CREDIT_NOTE => true,
            _ => {
                let shown = |text: &str| text.chars().take(SHOWN).collect();
                let (name, namespace) = (shown(root.qualified_name()), shown(root.namespace()));
                return Err(NoView { name, namespace });
            }
        };
        let mut reader = Reader { taken: HashSet::new() };
        let mut part = |group, places| {
            let mut block = Block { group, ..Block::default() };
            reader.read(root, places, &mut block);
            block
        };
        Ok(View {
            is_credit_note,
            document: part("", places::DOCUMENT),
            references: part("", places::REFERENCES),
            seller: part("IBG-04", places::SELLER),
            buyer: part("IBG-07", places::BUYER),
            others: part("", places::OTHERS),
            lines: part("", places::LINES).blocks,
            allowances: part("", places::ALLOWANCES).blocks,
            breakdown: part("", places::BREAKDOWN).blocks,
            totals: part("IBG-22", places::TOTALS),
            payment: part("", places::PAYMENT),
            attachments: part("", places::ATTACHMENTS).blocks,
            unplaced: reader.unplaced(document),
        })
    }
}

/// Takes values and records which were taken.
struct Reader {
    /// The taken elements, and the taken attributes by their names.
    taken: HashSet<(u32, Option<Name>)>,
}

impl Reader {
    fn read(&mut self, of: Node<'_>, places: &'static [Place], into: &mut Block) {
        for place in places {
            match place {
                Place::Term { id, path, when, kind, qualifiers } => {
                    for node in of.select(path).filter(|node| when(*node)) {
                        // Another place has already taken this element.
                        if !self.taken.insert((node.index(), None)) {
                            continue;
                        }
                        let value = self.value(node, *kind);
                        let qualifiers = qualifiers.iter().filter_map(|(name, term)| {
                            let value = node.attribute(*name)?;
                            self.taken.insert((node.index(), Some(*name)));
                            Some((*term, value.to_owned()))
                        });
                        let qualifiers = qualifiers.collect();
                        into.rows.push(Row { term: id, value, qualifiers });
                    }
                }
                Place::Group { id, path, when, places } => {
                    for node in of.select(path).filter(|node| when(*node)) {
                        if id.is_empty() {
                            self.read(node, places, into);
                            continue;
                        }
                        let mut block = Block { group: id, ..Block::default() };
                        self.read(node, places, &mut block);
                        into.blocks.push(block);
                    }
                }
                Place::Silent { path, when } => {
                    let silent = of.select(path).filter(|node| when(*node));
                    self.taken.extend(silent.map(|node| (node.index(), None)));
                }
            }
        }
    }

    /// Parses the value of an element; falls back to text if it cannot be parsed.
    fn value(&mut self, node: Node<'_>, kind: Kind) -> Value {
        let text = node.normalized();
        let number = || ubl::decimal(&text);
        let value = match kind {
            Kind::Text => None,
            Kind::Code => Some(Value::Code(text.clone().into_owned())),
            Kind::Date => ubl::date(&text).map(Value::Date),
            Kind::Number => number().map(Value::Number),
            Kind::Percent => number().map(Value::Percent),
            Kind::File => {
                let encoded: Vec<u8> =
                    text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
                STANDARD.decode(encoded).ok().map(|bytes| Value::File(bytes.len()))
            }
            // ibr-177-ae: "AED" and a space before the amount.
            Kind::AmountInAed => {
                let amount = text.strip_prefix(AED).and_then(|amount| ubl::decimal(amount.trim()));
                amount.map(|amount| Value::Amount { currency: AED.to_owned(), amount })
            }
            Kind::Amount => number().map(|amount| {
                let currency = node.attribute(attr::CURRENCY_ID).unwrap_or_default().to_owned();
                self.taken.insert((node.index(), Some(attr::CURRENCY_ID)));
                Value::Amount { currency, amount }
            }),
        };
        // Line breaks are kept, because a note may have several lines.
        value.unwrap_or_else(|| Value::Text(node.text().trim().to_owned()))
    }

    /// The values that no place took, in document order.
    fn unplaced(&self, document: &Tree<'_>) -> Vec<UnplacedValue> {
        let mut unplaced = Vec::new();
        let mut paths = Places::default();
        for node in document.nodes() {
            let is_taken = |name| self.taken.contains(&(node.index(), name));
            let own: String = node.own_texts().collect();
            if !is_taken(None) && !own.trim().is_empty() {
                let value = own.trim().to_owned();
                unplaced.push(UnplacedValue { path: paths.xpath(node).to_owned(), value });
            }
            for attribute in node.written_attributes() {
                // A hint to processors (XML Schema part 1, section 4.3.2) and not content.
                if attribute.name() == xsi::SCHEMA_LOCATION || is_taken(Some(attribute.name())) {
                    continue;
                }
                let path = format!("{}/@{}", paths.xpath(node), attribute.qualified_name());
                unplaced.push(UnplacedValue { path, value: attribute.value().to_owned() });
            }
        }
        unplaced
    }
}

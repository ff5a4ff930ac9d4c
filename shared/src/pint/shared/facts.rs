//! Facts about the whole document for the shared rules, gathered element by element.
//!
//! Some rules look from a node up to its parent and down again. In a document with many such nodes under one parent,
//! that would take quadratic time. Valid documents do not have them, but hostile ones may. So the facts below parents
//! with many children are kept.

use std::collections::{HashMap, HashSet};

use crate::codes;
use crate::rules::xpath::{self, Date, Decimal, Evaluated};
use crate::xml::names::{attr, cac, cbc};
use crate::xml::{Node, normalize_space};

/// Above this number of children, the facts below an element are computed once and kept.
const MANY_CHILDREN: usize = 64;

/// The facts of the shared rules.
#[derive(Debug)]
pub(in crate::pint) struct Facts {
    /// `sum(//(cac:InvoiceLine | cac:CreditNoteLine)/xs:decimal(cbc:LineExtensionAmount))`.
    pub(super) line_total: Evaluated<Decimal>,
    /// `//cbc:DocumentCurrencyCode`.
    pub(super) currencies: Texts,
    /// `/*/cbc:DocumentCurrencyCode`.
    pub(super) root_currencies: Texts,
    /// The valid codes among `/*/cbc:DocumentCurrencyCode` and `/*/cbc:TaxCurrencyCode`. Almost every amount uses one
    /// of them.
    pub(super) listed_currencies: Texts,
    /// Each `/*/cbc:TaxCurrencyCode` that no `cac:TaxTotal/cbc:TaxAmount` uses.
    pub(super) currencies_without_tax: HashSet<String>,
    /// Each `cac:TaxTotal` with an amount in a document currency, in document order.
    pub(super) tax_totals: Vec<u32>,
    /// `//cac:AdditionalDocumentReference[cbc:DocumentTypeCode = '130']/cac:Attachment`.
    pub(super) object_has_attachment: bool,
    /// `//cac:AdditionalDocumentReference[cbc:DocumentTypeCode = '130']/cbc:DocumentDescription`.
    pub(super) object_has_description: bool,
    /// `//cac:DespatchDocumentReference`.
    pub(super) has_despatch_reference: bool,
    /// Used by a sibling `cac:LegalMonetaryTotal`.
    pub(super) allowances: Below<Allowances>,
    /// Used by the period of a line in the document.
    pub(super) period: Below<Period>,
    /// Used by a sibling `cac:PayeeParty`.
    pub(super) seller: Below<Seller>,
    /// Used by a sibling `cbc:TaxCurrencyCode`.
    pub(super) currency: Below<Currency>,
    /// Used by a sibling `cac:PrepaidPayment`.
    pub(super) prepaid: Below<Prepaid>,
    /// Used by the base quantity of a price in the line.
    pub(super) quantity: Below<Quantity>,
    /// Used by a reason code in the allowance or charge.
    pub(super) indicator: Below<Indicator>,
    /// Used by an identifier in the reference.
    pub(super) object: Below<Object>,
}

impl Facts {
    /// Gathers the facts about the children of the root.
    pub(in crate::pint) fn new(root: Node<'_>) -> Self {
        let own = texts(root.all(cbc::DOCUMENT_CURRENCY_CODE));
        let of_tax = texts(root.all(cbc::TAX_CURRENCY_CODE));
        let both = own.clone().chain(of_tax.clone());
        Self {
            line_total: Ok(Decimal::ZERO),
            currencies: Texts::default(),
            listed_currencies: both.filter(|code| codes::CURRENCIES.contains(code)).collect(),
            root_currencies: own.collect(),
            currencies_without_tax: of_tax.collect(),
            tax_totals: Vec::new(),
            object_has_attachment: false,
            object_has_description: false,
            has_despatch_reference: false,
            allowances: Below::default(),
            period: Below::default(),
            seller: Below::default(),
            currency: Below::default(),
            prepaid: Below::default(),
            quantity: Below::default(),
            indicator: Below::default(),
            object: Below::default(),
        }
    }

    /// Adds the next element of the document.
    pub(in crate::pint) fn take(&mut self, node: Node<'_>) {
        let above = |levels: usize| node.ancestors().nth(levels - 1);
        match node.name() {
            cac::INVOICE_LINE | cac::CREDIT_NOTE_LINE => self.take_line(node),
            cac::TAX_TOTAL => self.take_tax_total(node),
            cac::ADDITIONAL_DOCUMENT_REFERENCE => {
                if is_object(node) {
                    self.object_has_attachment |= node.child(cac::ATTACHMENT).is_some();
                    self.object_has_description |= node.child(cbc::DOCUMENT_DESCRIPTION).is_some();
                }
                self.object.note(Some(node));
            }
            cac::DOCUMENT_REFERENCE => self.object.note(Some(node)),
            cac::DESPATCH_DOCUMENT_REFERENCE => self.has_despatch_reference = true,
            cbc::DOCUMENT_CURRENCY_CODE => self.currencies.insert(node.text().into_owned()),
            cac::ALLOWANCE_CHARGE => self.indicator.note(Some(node)),
            cac::LEGAL_MONETARY_TOTAL => self.allowances.note(above(1)),
            cac::INVOICE_PERIOD => self.period.note(above(2)),
            cac::PAYEE_PARTY => self.seller.note(above(1)),
            cbc::TAX_CURRENCY_CODE => self.currency.note(above(1)),
            cac::PREPAID_PAYMENT => self.prepaid.note(above(1)),
            cac::PRICE => self.quantity.note(above(1)),
            _ => {}
        }
    }

    fn take_line(&mut self, line: Node<'_>) {
        let amount = xpath::decimal(line.all(cbc::LINE_EXTENSION_AMOUNT));
        self.line_total = match (&self.line_total, amount) {
            (Ok(sum), Ok(Some(amount))) => Ok(sum.plus(&amount)),
            (Ok(_), Ok(None)) => return,
            _ => Err(xpath::DynamicError),
        };
    }

    fn take_tax_total(&mut self, total: Node<'_>) {
        let mut in_document_currency = false;
        for currency in currencies(total.all(cbc::TAX_AMOUNT)) {
            in_document_currency |= self.root_currencies.contains(currency);
            if !self.currencies_without_tax.is_empty() {
                self.currencies_without_tax.remove(currency);
            }
        }
        if in_document_currency {
            self.tax_totals.push(total.index());
        }
    }
}

/// Facts that a node needs about the descendants of one of its ancestors.
pub(super) trait Seen: Sized {
    /// Gathers the facts below the ancestor.
    fn look(ancestor: Node<'_>) -> Self;
}

/// The facts below elements with many children. Each such element is visited once.
#[derive(Debug)]
pub(super) struct Below<T>(HashMap<u32, T>);

impl<T> Default for Below<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Seen> Below<T> {
    fn note(&mut self, ancestor: Option<Node<'_>>) {
        let Some(ancestor) =
            ancestor.filter(|node| !xpath::at_most(MANY_CHILDREN, node.children()))
        else {
            return;
        };
        self.0.entry(ancestor.index()).or_insert_with(|| T::look(ancestor));
    }

    /// Applies `check` to the facts below the element.
    pub(super) fn with<R>(&self, ancestor: Node<'_>, check: impl FnOnce(&T) -> R) -> R {
        match self.0.get(&ancestor.index()) {
            Some(seen) => check(seen),
            None => check(&T::look(ancestor)),
        }
    }
}

/// A set of texts that usually has one or two members.
#[derive(Debug)]
pub(super) enum Texts {
    Few(Vec<String>),
    Many(HashSet<String>),
}

/// Up to this number of texts, a linear search is faster than hashing.
const FEW: usize = 4;

impl Texts {
    fn insert(&mut self, text: String) {
        match self {
            Self::Few(few) if few.len() == FEW => {
                let mut many: HashSet<_> = few.drain(..).collect();
                many.insert(text);
                *self = Self::Many(many);
            }
            Self::Few(few) => few.push(text),
            Self::Many(many) => {
                many.insert(text);
            }
        }
    }

    /// The only text of the set; `None` if there are several.
    pub(super) fn only(&self) -> Option<&str> {
        let Self::Few(few) = self else { return None };
        let first = few.first()?;
        few.iter().all(|text| text == first).then_some(first)
    }

    /// Whether the set contains the text.
    pub(super) fn contains(&self, text: &str) -> bool {
        match self {
            Self::Few(few) => few.iter().any(|known| known == text),
            Self::Many(many) => many.contains(text),
        }
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl FromIterator<String> for Texts {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        texts.into_iter().fold(Self::default(), |mut all, text| {
            all.insert(text);
            all
        })
    }
}

fn texts<'d>(
    nodes: impl Iterator<Item = Node<'d>> + Clone,
) -> impl Iterator<Item = String> + Clone {
    nodes.map(|node| node.text().into_owned())
}

/// The allowances, charges and tax indicator that the totals depend on.
#[derive(Debug)]
pub(super) struct Allowances {
    pub(super) allowances: Chosen,
    pub(super) charges: Chosen,
    /// `cac:TaxTotal/cbc:TaxIncludedIndicator = true()`.
    pub(super) tax_included: bool,
}

/// `cac:AllowanceCharge[cbc:ChargeIndicator = …]`.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Whether at least one exists.
    pub(super) some: Evaluated<bool>,
    /// `sum(…/xs:decimal(cbc:Amount))`.
    pub(super) sum: Evaluated<Decimal>,
}

impl Seen for Allowances {
    fn look(ancestor: Node<'_>) -> Self {
        Self {
            allowances: Chosen::look(ancestor, false),
            charges: Chosen::look(ancestor, true),
            tax_included: is_tax_included(ancestor),
        }
    }
}

impl Chosen {
    fn look(parent: Node<'_>, indicator: bool) -> Self {
        let all = || parent.all(cac::ALLOWANCE_CHARGE);
        let chosen = |node: Node<'_>| xpath::is_boolean(node.all(cbc::CHARGE_INDICATOR), indicator);
        let amount = |sum: Decimal, node| match chosen(node)? {
            true => {
                Ok(xpath::decimal(node.all(cbc::AMOUNT))?.map_or(sum.clone(), |a| sum.plus(&a)))
            }
            false => Ok(sum),
        };
        Self { some: xpath::some(all(), chosen), sum: all().try_fold(Decimal::ZERO, amount) }
    }
}

/// `cac:TaxTotal/cbc:TaxIncludedIndicator = true()`.
pub(super) fn is_tax_included(document: Node<'_>) -> bool {
    let indicators = document.select(&[cac::TAX_TOTAL, cbc::TAX_INCLUDED_INDICATOR]);
    xpath::is_boolean(indicators, true) == Ok(true)
}

/// The invoice period of the document.
#[derive(Debug)]
pub(super) struct Period {
    pub(super) start: Bound,
    pub(super) end: Bound,
}

/// One end of a period.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) exists: bool,
    /// `xs:date(…)`.
    pub(super) date: Evaluated<Option<Date>>,
}

impl Seen for Period {
    fn look(ancestor: Node<'_>) -> Self {
        let start = || ancestor.select(&[cac::INVOICE_PERIOD, cbc::START_DATE]);
        let end = || ancestor.select(&[cac::INVOICE_PERIOD, cbc::END_DATE]);
        Self {
            start: Bound { exists: xpath::exists(start()), date: xpath::date_of(start()) },
            end: Bound { exists: xpath::exists(end()), date: xpath::date_of(end()) },
        }
    }
}

/// The names and identifiers that the payee must not share.
#[derive(Debug)]
pub(super) struct Seller {
    pub(super) trade_names: Texts,
    pub(super) identifiers: Texts,
    pub(super) registration_names: Texts,
}

impl Seen for Seller {
    fn look(ancestor: Node<'_>) -> Self {
        use cac::{
            ACCOUNTING_SUPPLIER_PARTY, PARTY, PARTY_IDENTIFICATION, PARTY_LEGAL_ENTITY, PARTY_NAME,
        };
        let of = |path| texts(ancestor.select(path)).collect();
        Self {
            trade_names: of(&[ACCOUNTING_SUPPLIER_PARTY, PARTY, PARTY_NAME, cbc::NAME]),
            identifiers: of(&[ACCOUNTING_SUPPLIER_PARTY, PARTY, PARTY_IDENTIFICATION, cbc::ID]),
            registration_names: of(&[
                ACCOUNTING_SUPPLIER_PARTY,
                PARTY,
                PARTY_LEGAL_ENTITY,
                cbc::REGISTRATION_NAME,
            ]),
        }
    }
}

/// `normalize-space(cbc:DocumentCurrencyCode/text())`.
#[derive(Debug)]
pub(super) struct Currency(pub(super) Evaluated<String>);

impl Seen for Currency {
    fn look(ancestor: Node<'_>) -> Self {
        let text = xpath::own_text(ancestor.all(cbc::DOCUMENT_CURRENCY_CODE));
        Self(text.map(|text| normalize_space(text).into_owned()))
    }
}

/// The data that a prepaid payment needs from its siblings.
#[derive(Debug)]
pub(super) struct Prepaid {
    /// The first `cac:PrepaidPayment`.
    pub(super) first: Option<u32>,
    /// `exists(cac:LegalMonetaryTotal/cbc:PrepaidAmount)`.
    pub(super) has_amount: bool,
}

impl Seen for Prepaid {
    fn look(ancestor: Node<'_>) -> Self {
        let amounts = ancestor.select(&[cac::LEGAL_MONETARY_TOTAL, cbc::PREPAID_AMOUNT]);
        Self {
            first: ancestor.child(cac::PREPAID_PAYMENT).map(Node::index),
            has_amount: xpath::exists(amounts),
        }
    }
}

/// The quantities of a line.
#[derive(Debug)]
pub(super) struct Quantity {
    pub(super) exists: bool,
    pub(super) units: Texts,
}

impl Seen for Quantity {
    fn look(ancestor: Node<'_>) -> Self {
        let quantities = |node: &Node<'_>| {
            matches!(node.name(), cbc::INVOICED_QUANTITY | cbc::CREDITED_QUANTITY)
        };
        let units =
            ancestor.children().filter(quantities).filter_map(|q| q.attribute(attr::UNIT_CODE));
        Self {
            exists: xpath::exists(ancestor.children().filter(quantities)),
            units: units.map(str::to_owned).collect(),
        }
    }
}

/// `Some(true)` for a charge, `Some(false)` for an allowance, `None` if neither context matches.
#[derive(Debug)]
pub(super) struct Indicator(pub(super) Option<bool>);

impl Seen for Indicator {
    fn look(ancestor: Node<'_>) -> Self {
        Self(is_charge(ancestor))
    }
}

/// The first of `[cbc:ChargeIndicator = false()]` and `[cbc:ChargeIndicator = true()]` that matches. A condition that
/// raises an error does not match.
pub(super) fn is_charge(allowance: Node<'_>) -> Option<bool> {
    let is = |wanted| xpath::is_boolean(allowance.all(cbc::CHARGE_INDICATOR), wanted) == Ok(true);
    [false, true].into_iter().find(|wanted| is(*wanted))
}

/// Whether a reference is to an invoiced object: `[cbc:DocumentTypeCode = '130']`.
#[derive(Debug)]
pub(super) struct Object(pub(super) bool);

impl Seen for Object {
    fn look(ancestor: Node<'_>) -> Self {
        Self(is_object(ancestor))
    }
}

/// `[cbc:DocumentTypeCode = '130']`.
pub(super) fn is_object(reference: Node<'_>) -> bool {
    has_type(reference, "130")
}

/// `[cbc:DocumentTypeCode = …]`.
pub(super) fn has_type(reference: Node<'_>, code: &str) -> bool {
    reference.all(cbc::DOCUMENT_TYPE_CODE).any(|found| found.text() == code)
}

fn currencies<'d>(amounts: impl Iterator<Item = Node<'d>>) -> impl Iterator<Item = &'d str> {
    amounts.filter_map(|amount| amount.attribute(attr::CURRENCY_ID))
}

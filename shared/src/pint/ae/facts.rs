//! Facts about the whole document for the rules of the UAE, gathered element by element.

use std::collections::HashMap;

use super::by_element::ByElement;
use super::category::{CATEGORIES, Category, code, is_vat, some_is_zero};
use super::header::{Header, TypeCode};
use super::rates::{Lines, Named, Presence, Rates, Sums};
use crate::rules::xpath::{self, Decimal, Evaluated};
use crate::xml::Node;
use crate::xml::names::{attr, cac, cbc};

/// The facts of the UAE rules. Most are the result of an official search, which stops at the first match or at the
/// first node that raises an error.
#[derive(Debug)]
pub(in crate::pint) struct Facts {
    root: u32,
    /// Facts about the children of the root.
    pub(super) header: Header,
    /// Facts about the children of other elements, by index; empty for a valid document.
    elsewhere: HashMap<u32, Header>,
    /// Categories of `//cac:TaxCategory` whose scheme is VAT.
    pub(super) header_categories: [Evaluated<bool>; CATEGORIES],
    /// Categories of `//cac:ClassifiedTaxCategory` whose scheme is VAT.
    pub(super) line_categories: [Evaluated<bool>; CATEGORIES],
    /// The number of `/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory` with scheme VAT, for each category.
    pub(super) breakdowns: Evaluated<[u32; CATEGORIES]>,
    /// The number of `//cac:AllowanceCharge/cac:TaxCategory` and `//cac:ClassifiedTaxCategory` with category S, for any
    /// scheme.
    pub(super) standard_uses: Evaluated<u32>,
    /// The number of breakdowns of the root with category S, for any scheme.
    pub(super) standard_breakdowns: Evaluated<u32>,
    /// `count(//cac:TaxTotal/cac:TaxSubtotal[cac:TaxCategory/cbc:ID='N'])`.
    pub(super) margin_subtotals: u32,
    /// Whether a category other than E, O and Z occurs.
    pub(super) beyond_out_of_scope: bool,
    /// Whether a category other than N occurs.
    pub(super) beyond_margin: bool,
    /// Whether a `cac:TaxCategory` of category S has a rate other than 5.
    pub(super) standard_rate_differs: bool,
    /// Whether a line of the root has a category other than E and O.
    pub(super) taxable_line: Evaluated<bool>,
    /// `//cac:TaxExchangeRate/cbc:CalculationRate`.
    pub(super) has_exchange_rate: bool,
    /// Whether a tax identifier of a seller is a TIN.
    pub(super) seller_has_tin: bool,
    /// `cac:InvoiceLine`.
    pub(super) lines: Lines,
    /// `cac:CreditNoteLine`.
    pub(super) credit_lines: Lines,
    /// `//cac:AllowanceCharge` of category S, by rate.
    pub(super) standard_allowance_charges: Presence,
    /// For each `cac:Price`: its price amount, if there is exactly one.
    pub(super) prices: ByElement<Option<Decimal>>,
    /// For each line: its VAT in AED.
    pub(super) vat_in_aed: ByElement<VatInAed>,
    /// Items whose standard identifiers all have scheme 0160, with at least one.
    pub(super) trade_items: ByElement<()>,
    /// For each `cac:TaxSubtotal`: its amounts.
    pub(super) subtotals: ByElement<Amounts>,
    /// Whether an element with categories is an allowance or a charge.
    pub(super) kinds: ByElement<Kind>,
    /// Parties with an address in the UAE.
    pub(super) uae_parties: ByElement<()>,
    /// Charges of the document.
    pub(super) charges: Sums,
    /// Allowances of the document.
    pub(super) allowances: Sums,
    /// The rates of the current element. The memory is reused.
    rates: Rates,
}

/// The value of `cac:ItemPriceExtension/cac:TaxTotal/cbc:TaxAmount` of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VatInAed {
    /// No amount exists.
    None,
    /// An amount is zero, and all amounts before it are numbers.
    Zero,
    /// Neither of the two.
    Other,
}

/// The amounts of a breakdown. An amount is `None` unless it is exactly one number.
#[derive(Debug)]
pub(super) struct Amounts {
    /// `cbc:TaxableAmount`
    pub(super) taxable: Option<Decimal>,
    /// `cbc:TaxAmount`
    pub(super) tax: Option<Decimal>,
    /// `cbc:TaxAmount = 0`
    pub(super) is_tax_zero: bool,
}

/// The meaning of a `cbc:ChargeIndicator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `false`, possibly among other values.
    Allowance,
    /// `true`, without any `false`.
    Charge,
}

impl Facts {
    /// The facts before the first element.
    pub(in crate::pint) fn new(root: Node<'_>) -> Self {
        Self {
            root: root.index(),
            header: Header::default(),
            elsewhere: HashMap::new(),
            header_categories: [Ok(false); CATEGORIES],
            line_categories: [Ok(false); CATEGORIES],
            breakdowns: Ok([0; CATEGORIES]),
            standard_uses: Ok(0),
            standard_breakdowns: Ok(0),
            margin_subtotals: 0,
            beyond_out_of_scope: false,
            beyond_margin: false,
            standard_rate_differs: false,
            taxable_line: Ok(false),
            has_exchange_rate: false,
            seller_has_tin: false,
            lines: Lines::default(),
            credit_lines: Lines::default(),
            standard_allowance_charges: Presence::default(),
            prices: ByElement::default(),
            vat_in_aed: ByElement::default(),
            trade_items: ByElement::default(),
            subtotals: ByElement::default(),
            kinds: ByElement::default(),
            uae_parties: ByElement::default(),
            charges: Sums::default(),
            allowances: Sums::default(),
            rates: Rates::default(),
        }
    }

    /// Facts about the children of an element.
    pub(super) fn below(&self, parent: Node<'_>) -> &Header {
        static NOTHING: Header = Header::NOTHING;
        match parent.index() {
            root if root == self.root => &self.header,
            other => self.elsewhere.get(&other).unwrap_or(&NOTHING),
        }
    }

    fn below_mut(&mut self, parent: Node<'_>) -> &mut Header {
        match parent.index() {
            root if root == self.root => &mut self.header,
            other => self.elsewhere.entry(other).or_default(),
        }
    }

    /// Adds the next element of the document.
    pub(in crate::pint) fn take(&mut self, node: Node<'_>) {
        let Some(parent) = node.parent() else { return };
        let of_root = parent.index() == self.root;
        match node.name() {
            cac::PARTY => {
                let country = &[cac::POSTAL_ADDRESS, cac::COUNTRY, cbc::IDENTIFICATION_CODE];
                if node.select(country).any(|code| code.text() == "AE") {
                    self.uae_parties.push(node, ());
                }
            }
            cac::PRICE => {
                let amount = xpath::decimal(node.all(cbc::PRICE_AMOUNT));
                self.prices.push(node, amount.ok().flatten());
            }
            cac::INVOICE_LINE => {
                self.take_line(node, of_root);
                self.lines.take(node, of_root, &mut self.rates);
            }
            cac::CREDIT_NOTE_LINE => {
                self.take_line(node, of_root);
                self.credit_lines.take(node, of_root, &mut self.rates);
            }
            cac::ALLOWANCE_CHARGE => self.take_allowance_charge(node, of_root),
            cac::TAX_CATEGORY => self.take_tax_category(node, parent),
            cac::CLASSIFIED_TAX_CATEGORY => {
                note_vat(&mut self.line_categories, node);
                self.take_codes(node);
                count(&mut self.standard_uses, is_standard(node));
            }
            cac::ITEM => {
                let ids = node.select(&[cac::STANDARD_ITEM_IDENTIFICATION, cbc::ID]);
                let is_foreign = |id: Node<'_>| {
                    id.attribute(attr::SCHEME_ID).is_some_and(|scheme| scheme != "0160")
                };
                if ids.clone().next().is_some() && !ids.clone().any(is_foreign) {
                    self.trade_items.push(node, ());
                }
            }
            cac::TAX_SUBTOTAL if parent.name() == cac::TAX_TOTAL => {
                let number = |name| xpath::decimal(node.all(name)).ok().flatten();
                let amounts = Amounts {
                    taxable: number(cbc::TAXABLE_AMOUNT),
                    tax: number(cbc::TAX_AMOUNT),
                    is_tax_zero: some_is_zero(node.all(cbc::TAX_AMOUNT)),
                };
                self.subtotals.push(node, amounts);
                let mut codes = node.select(&[cac::TAX_CATEGORY, cbc::ID]);
                self.margin_subtotals += u32::from(codes.any(|id| id.text() == "N"));
            }
            cac::TAX_EXCHANGE_RATE => {
                self.has_exchange_rate |= node.child(cbc::CALCULATION_RATE).is_some();
            }
            cbc::COMPANY_ID if parent.name() == cac::PARTY_TAX_SCHEME => {
                self.take_tax_id(node, parent);
            }
            cbc::INVOICE_TYPE_CODE | cbc::CREDIT_NOTE_TYPE_CODE => {
                if let Some(code) = TypeCode::of_code(&node.text()) {
                    self.below_mut(parent).add_type(code);
                }
            }
            cbc::PROFILE_EXECUTION_ID => self.below_mut(parent).add_flags(&node.text()),
            _ => {}
        }
    }

    fn take_line(&mut self, line: Node<'_>, of_root: bool) {
        self.vat_in_aed.push(line, vat_in_aed(line));
        if !of_root || self.taxable_line != Ok(false) {
            return;
        }
        let mut categories = line.select(&[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY]);
        self.taxable_line = xpath::some(&mut categories, |category| {
            let code = code(category)?;
            Ok(code != "E" && code != "O")
        });
    }

    fn take_allowance_charge(&mut self, node: Node<'_>, of_root: bool) {
        let rates = &mut self.rates;
        let categories = || node.all(cac::TAX_CATEGORY);
        let named = Named::of(categories());
        let is = |wanted| xpath::is_boolean(node.all(cbc::CHARGE_INDICATOR), wanted);
        if categories().next().is_some() {
            let kinds = [(false, Kind::Allowance), (true, Kind::Charge)];
            if let Some((_, kind)) = kinds.into_iter().find(|(wanted, _)| is(*wanted) == Ok(true)) {
                self.kinds.push(node, kind);
            }
        }
        let standard = named.has(Category::Standard);
        if standard != Ok(false) {
            rates.read(standard, categories());
            self.standard_allowance_charges.add(rates);
        }
        if of_root {
            let amount = || xpath::decimal(node.all(cbc::AMOUNT));
            for (wanted, sums) in [(true, &mut self.charges), (false, &mut self.allowances)] {
                sums.take(is(wanted), named, categories, amount, rates);
            }
        }
    }

    fn take_tax_category(&mut self, node: Node<'_>, parent: Node<'_>) {
        note_vat(&mut self.header_categories, node);
        self.take_codes(node);
        if node.all(cbc::ID).any(|id| id.text() == "S") {
            let five = Decimal::whole(5);
            let is_five = |rate: Node<'_>| Decimal::parse(&rate.text()).is_ok_and(|it| it == five);
            self.standard_rate_differs |= !node.all(cbc::PERCENT).all(is_five);
        }
        match parent.name() {
            cac::ALLOWANCE_CHARGE => count(&mut self.standard_uses, is_standard(node)),
            cac::TAX_SUBTOTAL if self.is_of_root(parent) => {
                count(&mut self.standard_breakdowns, is_standard(node));
                self.count_breakdown(node);
            }
            _ => {}
        }
    }

    fn is_of_root(&self, subtotal: Node<'_>) -> bool {
        subtotal.parent().is_some_and(|total| {
            total.name() == cac::TAX_TOTAL
                && total.parent().is_some_and(|above| above.index() == self.root)
        })
    }

    fn count_breakdown(&mut self, category: Node<'_>) {
        match (&mut self.breakdowns, is_vat(category)) {
            (Ok(counts), Ok(true)) => {
                for found in codes(category).flatten() {
                    counts[found as usize] += 1;
                }
            }
            (breakdowns, Err(error)) => *breakdowns = Err(error),
            _ => {}
        }
    }

    fn take_codes(&mut self, category: Node<'_>) {
        for found in codes(category) {
            use Category::{Exempt, Margin, OutOfScope, Zero};
            self.beyond_margin |= found != Some(Margin);
            self.beyond_out_of_scope |= !matches!(found, Some(Exempt | OutOfScope | Zero));
        }
    }

    fn take_tax_id(&mut self, id: Node<'_>, scheme: Node<'_>) {
        let party = scheme.parent().filter(|party| party.name() == cac::PARTY);
        let Some(role) = party.and_then(Node::parent) else { return };
        match role.name() {
            cac::ACCOUNTING_SUPPLIER_PARTY => {
                self.seller_has_tin |= super::tax_id::is_tin(&id.normalized());
            }
            cac::ACCOUNTING_CUSTOMER_PARTY => {
                if let Some(above) = role.parent() {
                    self.below_mut(above).buyer_has_tax_id = true;
                }
            }
            _ => {}
        }
    }
}

fn vat_in_aed(line: Node<'_>) -> VatInAed {
    let amounts = line.select(&[cac::ITEM_PRICE_EXTENSION, cac::TAX_TOTAL, cbc::TAX_AMOUNT]);
    let mut amounts = amounts.peekable();
    if amounts.peek().is_none() {
        return VatInAed::None;
    }
    if some_is_zero(amounts) { VatInAed::Zero } else { VatInAed::Other }
}

/// The categories that `cbc:ID[normalize-space(.) = '…']` matches: one entry for each id.
fn codes(category: Node<'_>) -> impl Iterator<Item = Option<Category>> {
    category.all(cbc::ID).map(|id| Category::of_code(&id.normalized()))
}

/// Records the VAT category of a node, unless it is already recorded.
fn note_vat(used: &mut [Evaluated<bool>; CATEGORIES], node: Node<'_>) {
    match is_vat(node) {
        Ok(false) => {}
        Ok(true) => {
            for found in codes(node).flatten() {
                note(&mut used[found as usize], Ok(true));
            }
        }
        Err(error) => used.iter_mut().for_each(|fact| note(fact, Err(error))),
    }
}

/// Records the result of a search step. A search ends with its first match or error.
fn note(fact: &mut Evaluated<bool>, now: Evaluated<bool>) {
    if *fact == Ok(false) {
        *fact = now;
    }
}

fn is_standard(category: Node<'_>) -> Evaluated<bool> {
    Ok(code(category)? == "S")
}

fn count(number: &mut Evaluated<u32>, found: Evaluated<bool>) {
    *number = number.and_then(|number| Ok(number + u32::from(found?)));
}

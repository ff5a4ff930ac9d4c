//! Sums by VAT category and rate, for the rules of the breakdown.
//!
//! The official expressions walk over all lines, allowances and charges for every breakdown. This module adds them up
//! once. It also reproduces the errors of the official expressions. A search for a category or a rate fails at the
//! first unreadable element, unless an earlier element matched.

use std::collections::{BTreeMap, BTreeSet};

use super::category::{CATEGORIES, Category, code};
use crate::rules::xpath::{self, Decimal, DynamicError, Evaluated};
use crate::xml::Node;
use crate::xml::names::{cac, cbc};

/// The categories that an element names, up to the first category with several ids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    seen: [bool; CATEGORIES],
    failed: bool,
}

impl Named {
    /// Evaluates `…/normalize-space(cbc:ID)` for these categories.
    pub(super) fn of<'d>(categories: impl Iterator<Item = Node<'d>>) -> Self {
        let mut named = Self { seen: [false; CATEGORIES], failed: false };
        for category in categories {
            let Ok(code) = code(category) else {
                named.failed = true;
                break;
            };
            if let Some(category) = Category::of_code(&code) {
                named.seen[category as usize] = true;
            }
        }
        named
    }

    /// `…/normalize-space(cbc:ID) = '…'`.
    pub(super) fn has(self, category: Category) -> Evaluated<bool> {
        match self.seen[category as usize] {
            false if self.failed => Err(DynamicError),
            seen => Ok(seen),
        }
    }
}

/// The rates of one line, allowance or charge with a certain category.
#[derive(Debug, Default)]
pub(super) struct Rates {
    values: Vec<Decimal>,
    /// Whether an unreadable value follows the rates.
    failed: bool,
}

impl Rates {
    /// Reads `…/xs:decimal(cbc:Percent)` and reuses the memory. There is no rate if `named` is an error.
    pub(super) fn read<'d>(
        &mut self,
        named: Evaluated<bool>,
        categories: impl Iterator<Item = Node<'d>>,
    ) {
        self.values.clear();
        self.failed = named.is_err();
        if self.failed {
            return;
        }
        for category in categories {
            match xpath::decimal(category.all(cbc::PERCENT)) {
                Ok(rate) => self.values.extend(rate),
                Err(DynamicError) => {
                    self.failed = true;
                    return;
                }
            }
        }
    }
}

/// The rates that a search over elements of one kind finds.
#[derive(Debug, Default)]
pub(super) struct Presence {
    found: BTreeSet<Decimal>,
    /// Whether an unreadable element ended the search. A search for a rate that was not found before it fails.
    blocked: bool,
}

impl Presence {
    /// Adds the next element.
    pub(super) fn add(&mut self, rates: &Rates) {
        if !self.blocked {
            for rate in &rates.values {
                if !self.found.contains(rate) {
                    self.found.insert(rate.clone());
                }
            }
            self.blocked = rates.failed;
        }
    }

    /// Whether a search finds the rate.
    pub(super) fn has(&self, rate: &Decimal) -> bool {
        self.found.contains(rate)
    }
}

/// The sum for one rate.
#[derive(Debug)]
struct Sum {
    value: Evaluated<Decimal>,
    last: u32,
    /// The number of elements with this rate that later fail.
    among_failed: u32,
}

/// The sums of elements by rate.
#[derive(Debug, Default)]
pub(super) struct Totals {
    count: u32,
    failed: u32,
    rates: BTreeMap<Decimal, Sum>,
}

impl Totals {
    /// Adds the next element.
    fn add(&mut self, rates: &Rates, amount: &Evaluated<Decimal>) {
        let place = self.count;
        self.count += 1;
        self.failed += u32::from(rates.failed);
        for rate in &rates.values {
            let among_failed = u32::from(rates.failed);
            let Some(sum) = self.rates.get_mut(rate) else {
                let sum = Sum { value: amount.clone(), last: place, among_failed };
                self.rates.insert(rate.clone(), sum);
                continue;
            };
            if sum.last != place {
                sum.last = place;
                sum.among_failed += among_failed;
                add(&mut sum.value, amount);
            }
        }
    }

    /// The sum for a rate; an error if the official expression fails at an element.
    pub(super) fn sum(&self, rate: &Decimal) -> Evaluated<Decimal> {
        match self.rates.get(rate) {
            Some(sum) if sum.among_failed == self.failed => sum.value.clone(),
            None if self.failed == 0 => Ok(Decimal::ZERO),
            _ => Err(DynamicError),
        }
    }
}

fn add(sum: &mut Evaluated<Decimal>, amount: &Evaluated<Decimal>) {
    *sum = match (&*sum, amount) {
        (Ok(sum), Ok(amount)) => Ok(sum.plus(amount)),
        _ => Err(DynamicError),
    };
}

/// The sums of the lines, allowances or charges of the document.
#[derive(Debug)]
pub(super) struct Sums {
    /// For the categories with a single rate: the sum by category.
    flat: [Evaluated<Decimal>; CATEGORIES],
    /// For category S: the sums by rate.
    pub(super) standard: Totals,
    /// For category N: the sums by rate.
    pub(super) margin: Totals,
}

impl Default for Sums {
    fn default() -> Self {
        let flat = [const { Ok(Decimal::ZERO) }; CATEGORIES];
        Self { flat, standard: Totals::default(), margin: Totals::default() }
    }
}

impl Sums {
    /// The sum of a category.
    pub(super) fn of(&self, category: Category) -> Evaluated<&Decimal> {
        self.flat[category as usize].as_ref().map_err(|error| *error)
    }

    /// Adds an allowance or charge of the document. `chosen` says whether it belongs to this sum.
    pub(super) fn take<'d, C: Iterator<Item = Node<'d>>>(
        &mut self,
        chosen: Evaluated<bool>,
        named: Named,
        categories: impl Fn() -> C,
        amount: impl Fn() -> Evaluated<Option<Decimal>>,
        rates: &mut Rates,
    ) {
        use Category::{Exempt, OutOfScope, ReverseCharge, Standard, Zero};
        let named = match chosen {
            Ok(false) => return,
            Ok(true) => named,
            Err(DynamicError) => Named { seen: [false; CATEGORIES], failed: true },
        };
        let amount = amount().map(|amount| amount.unwrap_or(Decimal::ZERO));
        self.take_flat(&[Exempt, OutOfScope, ReverseCharge, Zero], named, &amount);
        let standard = named.has(Standard);
        if standard != Ok(false) {
            rates.read(standard, categories());
            self.standard.add(rates, &amount);
        }
    }

    fn take_flat(&mut self, among: &[Category], named: Named, amount: &Evaluated<Decimal>) {
        for category in among {
            match named.has(*category) {
                Ok(false) => {}
                Ok(true) => add(&mut self.flat[*category as usize], amount),
                Err(error) => self.flat[*category as usize] = Err(error),
            }
        }
    }
}

/// The lines of one kind: of invoices, or of credit notes.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Whether such a line exists anywhere.
    pub(super) exist: bool,
    /// The rates of lines of category S, at any depth.
    pub(super) standard: Presence,
    /// The rates of lines of category N, at any depth.
    pub(super) margin: Presence,
    /// The sums of the lines of the document.
    pub(super) sums: Sums,
}

impl Lines {
    /// Adds the next line.
    pub(super) fn take(&mut self, line: Node<'_>, of_root: bool, rates: &mut Rates) {
        use Category::{Exempt, Margin, OutOfScope, ReverseCharge, Standard, Zero};
        self.exist = true;
        let categories = || line.select(&[cac::ITEM, cac::CLASSIFIED_TAX_CATEGORY]);
        let named = Named::of(categories());
        let amount = xpath::decimal(line.all(cbc::LINE_EXTENSION_AMOUNT));
        let amount = amount.map(|amount| amount.unwrap_or(Decimal::ZERO));
        for (category, presence, totals) in [
            (Standard, &mut self.standard, &mut self.sums.standard),
            (Margin, &mut self.margin, &mut self.sums.margin),
        ] {
            let claimed = named.has(category);
            if claimed != Ok(false) {
                rates.read(claimed, categories());
                presence.add(rates);
                if of_root {
                    totals.add(rates, &amount);
                }
            }
        }
        if of_root {
            self.sums.take_flat(&[Exempt, OutOfScope, ReverseCharge, Zero], named, &amount);
        }
    }
}

//! Facts about the whole document that the checks of its parts need.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::model::{Body, Operation, Party};

/// BTAE-02: the eight flags of the transaction type, from left to right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags([bool; 8]);

impl Flags {
    /// Parses a code that has been checked. Any other text has no flags.
    pub(super) fn parse(code: &str) -> Self {
        let mut flags = [false; 8];
        for (flag, character) in flags.iter_mut().zip(code.bytes()) {
            *flag = character == b'1';
        }
        Flags(flags)
    }

    pub(super) fn free_zone(self) -> bool {
        self.0[0]
    }
    pub(super) fn deemed(self) -> bool {
        self.0[1]
    }
    pub(super) fn margin(self) -> bool {
        self.0[2]
    }
    pub(super) fn summary(self) -> bool {
        self.0[3]
    }
    pub(super) fn continuous(self) -> bool {
        self.0[4]
    }
    pub(super) fn agent(self) -> bool {
        self.0[5]
    }
    pub(super) fn e_commerce(self) -> bool {
        self.0[6]
    }
    pub(super) fn exports(self) -> bool {
        self.0[7]
    }
}

/// Facts about the whole document that the checks of its parts need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// IBT-003
    pub(super) type_code: &'static str,
    /// BTAE-02
    pub(super) flags: Flags,
    /// Whether the currency of the document is not AED.
    pub(super) is_foreign_currency: bool,
    /// BTAE-04; 1 for AED, `None` if it is missing.
    pub(super) exchange_rate: Option<Decimal>,
    /// IBT-073
    pub(super) period_start: Option<Date>,
    /// IBT-074
    pub(super) period_end: Option<Date>,
    /// Whether IBT-016 is present.
    pub(super) has_despatch_advice: bool,
    /// Whether IBT-048 is present.
    pub(super) buyer_has_vat_identifier: bool,
}

impl Facts {
    pub(super) fn of(operation: Operation, body: &Body, buyer: &Party) -> Self {
        let is_foreign_currency = body.currency.as_deref() != Some("AED");
        let period = body.invoice_period.as_ref();
        Facts {
            type_code: type_code(operation, body),
            flags: Flags::parse(body.transaction_type_code.as_deref().unwrap_or_default()),
            is_foreign_currency,
            exchange_rate: match is_foreign_currency {
                true => body.currency_exchange_rate,
                false => Some(Decimal::ONE),
            },
            period_start: period.and_then(|period| period.start_date),
            period_end: period.and_then(|period| period.end_date),
            has_despatch_advice: body.despatch_advice_reference.is_some(),
            buyer_has_vat_identifier: buyer.vat_identifier.is_some(),
        }
    }

    /// Types 480 and 81 are out of the scope of VAT.
    pub(super) fn is_out_of_scope(&self) -> bool {
        matches!(self.type_code, "480" | "81")
    }
}

/// IBT-003: the code in the body, or the default of the operation.
pub(super) fn type_code(operation: Operation, body: &Body) -> &'static str {
    let given = match operation.is_credit_note() {
        true => body.credit_note_type_code.as_deref(),
        false => body.invoice_type_code.as_deref(),
    };
    let [default, other] = operation.type_codes();
    if given == Some(other) { other } else { default }
}

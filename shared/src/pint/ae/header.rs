//! Type codes and transaction flags: facts about the children of the root.

use crate::rules::xpath::{DynamicError, Evaluated};

/// The type codes (IBT-003) that the UAE rules use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pint) enum TypeCode {
    /// `380`: tax invoice.
    Invoice,
    /// `381`: tax credit note.
    CreditNote,
    /// `480`: invoice out of scope of VAT.
    OutOfScopeInvoice,
    /// `81`: credit note out of scope of VAT.
    OutOfScopeCreditNote,
    /// `261`: self-billed credit note.
    SelfBilledCreditNote,
}

impl TypeCode {
    /// Returns the type for a code.
    pub(in crate::pint) fn of_code(code: &str) -> Option<Self> {
        Some(match code {
            "380" => Self::Invoice,
            "381" => Self::CreditNote,
            "480" => Self::OutOfScopeInvoice,
            "81" => Self::OutOfScopeCreditNote,
            "261" => Self::SelfBilledCreditNote,
            _ => return None,
        })
    }
}

/// The transaction flags (BTAE-02) in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pint) enum Flag {
    /// Supply that involves a free trade zone.
    FreeZone,
    /// Deemed supply.
    DeemedSupply,
    /// Margin scheme.
    Margin,
    /// Summary invoice.
    Summary,
    /// Continuous supply.
    Continuous,
    /// Billing by a disclosed agent.
    DisclosedAgent,
    /// Supply through e-commerce.
    Commerce,
    /// Exports.
    Exports,
}

/// Facts about the children of an element.
#[derive(Debug, Default)]
pub(in crate::pint) struct Header {
    types: [bool; 5],
    /// The flags of the first `cbc:ProfileExecutionID`; `None` unless it consists of eight digits 0 or 1.
    flags: Option<[bool; 8]>,
    executions: usize,
    /// `cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID`.
    pub(in crate::pint) buyer_has_tax_id: bool,
}

impl Header {
    /// The facts for an element without such children.
    pub(in crate::pint) const NOTHING: Self =
        Self { types: [false; 5], flags: None, executions: 0, buyer_has_tax_id: false };

    /// Adds a type code.
    pub(in crate::pint) fn add_type(&mut self, code: TypeCode) {
        self.types[code as usize] = true;
    }

    /// Adds the text of a `cbc:ProfileExecutionID`.
    pub(in crate::pint) fn add_flags(&mut self, text: &str) {
        self.executions += 1;
        if self.executions > 1 {
            return;
        }
        if let Ok(flags) = <[u8; 8]>::try_from(text.as_bytes())
            && flags.iter().all(|flag| matches!(flag, b'0' | b'1'))
        {
            self.flags = Some(flags.map(|flag| flag == b'1'));
        }
    }

    /// `(cbc:InvoiceTypeCode | cbc:CreditNoteTypeCode) = '…'`.
    pub(in crate::pint) fn is(&self, code: TypeCode) -> bool {
        self.types[code as usize]
    }

    /// Whether the document is out of scope of VAT, by its type.
    pub(in crate::pint) fn is_out_of_scope(&self) -> bool {
        self.is(TypeCode::OutOfScopeInvoice) || self.is(TypeCode::OutOfScopeCreditNote)
    }

    /// Whether the document is a credit note of the seller, by its type.
    pub(in crate::pint) fn is_credit_note(&self) -> bool {
        self.is(TypeCode::CreditNote) || self.is(TypeCode::OutOfScopeCreditNote)
    }

    /// Whether the flags consist of eight digits 0 or 1; an error for several texts of flags.
    pub(in crate::pint) fn has_flags(&self) -> Evaluated<bool> {
        match self.executions {
            0 | 1 => Ok(self.flags.is_some()),
            _ => Err(DynamicError),
        }
    }

    /// Whether a flag is set in well-formed flags; an error for several texts of flags.
    pub(in crate::pint) fn flag(&self, flag: Flag) -> Evaluated<bool> {
        Ok(self.has_flags()? && self.first_flag(flag))
    }

    /// Whether a flag is set in the first text of flags.
    pub(in crate::pint) fn first_flag(&self, flag: Flag) -> bool {
        self.flags.is_some_and(|flags| flags[flag as usize])
    }
}

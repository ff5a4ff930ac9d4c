//! What kind of document it is to be: everything on which several fields depend.

use access_point::document::Operation;

use crate::choices::Choices;

/// The eight flags of BTAE-02, in their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    pub(crate) free_zone: bool,
    pub(crate) deemed_supply: bool,
    pub(crate) margin: bool,
    pub(crate) summary: bool,
    pub(crate) continuous: bool,
    pub(crate) agent: bool,
    pub(crate) e_commerce: bool,
    pub(crate) exports: bool,
}

impl Flags {
    /// BTAE-02.
    pub fn code(self) -> String {
        [
            self.free_zone,
            self.deemed_supply,
            self.margin,
            self.summary,
            self.continuous,
            self.agent,
            self.e_commerce,
            self.exports,
        ]
        .map(|flag| if flag { '1' } else { '0' })
        .iter()
        .collect()
    }
}

/// Where the buyer of a billing document is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Buyer {
    /// A business in the UAE with its TIN.
    Registered,
    /// Somebody who is not subject to UAE e-invoicing: 9900000098.
    NotSubject,
    /// The supplier's own supply: 9900000097.
    Deemed,
    /// Abroad and not on Peppol: 9900000099.
    AbroadOffNetwork,
    /// Abroad and on Peppol.
    AbroadOnNetwork,
}

/// What several fields depend on.
#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    pub(crate) operation: Operation,
    /// Types 480 and 81.
    pub(crate) out_of_scope: bool,
    pub(crate) flags: Flags,
    pub(crate) buyer: Buyer,
    pub(crate) currency: &'static str,
    /// Categories that lines may have; the first one is on the first line.
    pub(crate) categories: Vec<&'static str>,
}

impl Scenario {
    pub(crate) fn new(c: &mut Choices) -> Self {
        let operation = c.pick(&Operation::ALL);
        let out_of_scope = c.flip(20);
        let flags = flags(c, operation, out_of_scope);
        let buyer = match () {
            () if flags.deemed_supply => Buyer::Deemed,
            () if flags.exports => c.pick(&[Buyer::AbroadOffNetwork, Buyer::AbroadOnNetwork]),
            () if operation.is_self_billed() => Buyer::Registered,
            () if c.flip(10) => Buyer::NotSubject,
            () => Buyer::Registered,
        };
        let currency = if c.flip(if flags.exports { 60 } else { 20 }) {
            c.pick(&["USD", "EUR", "GBP", "SAR", "INR", "JPY", "KWD"])
        } else {
            "AED"
        };
        let categories = categories(c, operation, out_of_scope, flags, buyer);
        Scenario { operation, out_of_scope, flags, buyer, currency, categories }
    }

    pub(crate) fn type_code(&self) -> &'static str {
        self.operation.type_codes()[usize::from(self.out_of_scope)]
    }

    /// Whether the body may tell where the goods went and how they are paid.
    pub(crate) fn has_delivery_and_payment(&self) -> bool {
        self.operation != Operation::SelfBilledCreditNote
    }
}

fn flags(c: &mut Choices, operation: Operation, out_of_scope: bool) -> Flags {
    let mut flags = Flags::default();
    let billing = !operation.is_self_billed();
    let delivers = operation != Operation::SelfBilledCreditNote;
    // One flag that shapes the document, beside which those go that only add something.
    match c.below(16) {
        1 | 2 => flags.free_zone = true,
        3 | 4 if billing && !out_of_scope => flags.deemed_supply = true,
        5 | 6 if !out_of_scope => flags.margin = billing,
        7 | 8 if billing => flags.exports = true,
        9 | 10 if delivers => flags.e_commerce = true,
        _ => {}
    }
    flags.summary = !out_of_scope && c.flip(15);
    flags.continuous = c.flip(15);
    flags.agent = c.flip(15);
    flags.e_commerce |= delivers && !flags.deemed_supply && c.flip(5);
    flags
}

fn categories(
    c: &mut Choices,
    operation: Operation,
    out_of_scope: bool,
    flags: Flags,
    buyer: Buyer,
) -> Vec<&'static str> {
    if flags.margin {
        return vec!["N"];
    }
    if out_of_scope {
        let all: [&[_]; 6] = [&["O"], &["E"], &["Z"], &["O", "E"], &["E", "Z"], &["O", "E", "Z"]];
        return c.pick(&all).to_vec();
    }
    if flags.exports {
        return vec!["Z"];
    }
    // Reverse charge needs a buyer with a VAT identifier.
    let registered = buyer == Buyer::Registered;
    let mut all: Vec<&[_]> = vec![&["S"], &["Z"], &["S", "Z"]];
    if !flags.free_zone {
        if registered {
            all.extend([&["AE"] as &[_], &["AE", "S"], &["S", "AE", "Z"]]);
        }
        // Self-billing is for taxable supplies.
        if !operation.is_self_billed() {
            all.extend([&["S", "E"] as &[_], &["S", "O"], &["Z", "E", "O"], &["S", "Z", "E", "O"]]);
        }
    }
    c.pick(&all).to_vec()
}

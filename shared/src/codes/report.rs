//! The code lists of the Tax Data Document, of the Message Level Status and of Peppol's own reports.

use super::{COUNTRIES, CodeList, code_list};

/// TDT-006 Types of a Tax Data Document (ibr-tdd-06): submit, resubmit, withdraw, failed.
pub const REPORT_TYPES: CodeList = code_list!("F R S W");

/// TDT-011 Scopes of a Tax Data Document (ibr-tdd-07): domestic, international without Peppol, international with
/// Peppol.
pub const REPORT_SCOPES: CodeList = code_list!("D INP IP");

/// TDT-010 Roles of the reporter (ibr-tdd-08): sender's side, receiver's side.
pub const REPORTER_ROLES: CodeList = code_list!("01 02");

/// Currencies of a Tax Data Document (ibr-tdd-30-1): an earlier version of ISO 4217 than in PINT-AE.
pub const TAX_DATA_CURRENCIES: CodeList = code_list!(
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN \
     BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNH CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP \
     ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK \
     JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
     MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN \
     PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STD SVC SYP SZL THB TJS \
     TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU \
     XBA XBB XBC XBD XCD XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG",
);

/// Response codes of a Message Level Status (SCH-MLS-19): accepted without confirmation, accepted with confirmation,
/// rejected.
pub const STATUS_RESPONSES: CodeList = code_list!("AB AP RE");

/// Reasons of an issue in a Message Level Status (SCH-MLS-31): business rule violated, business rule warning,
/// delivery failed, syntax violated.
pub const STATUS_REASONS: CodeList = code_list!("BV BW FD SV");

/// Whether Peppol's own reports allow a country (SCH-TSR-20, SCH-EUSR-30): those of PINT-AE plus EL (Greece) and XK
/// (Kosovo).
pub fn is_reported_country(code: &str) -> bool {
    COUNTRIES.contains(code) || matches!(code, "EL" | "XK")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greece_and_kosovo_have_codes_of_their_own() {
        assert!(["EL", "XK", "AE", "1A"].into_iter().all(is_reported_country));
        assert!(!["ZZ", "", "A E", "ae"].into_iter().any(is_reported_country));
    }
}

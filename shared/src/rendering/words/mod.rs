//! Amounts in words, in English and Arabic, with the units and sub-units of ISO 4217.
//!
//! An amount is written exactly or not at all: no digit of a document is rounded.

mod arabic;
mod currencies;
mod english;

use rust_decimal::{Decimal, prelude::ToPrimitive};

pub(super) use self::currencies::decimals;
use self::currencies::{Currency, minor_unit};
use crate::i18n::Language;

/// The first number that is too large to be written.
const TOO_LARGE: u64 = 1_000_000_000_000_000;

/// An amount, separated into units and sub-units.
struct Parts {
    is_negative: bool,
    units: u64,
    /// Zero of a currency without sub-units.
    subunits: u64,
    /// How many sub-units are one unit.
    of: u64,
}

/// An amount in words. `None` if it has digits below the sub-unit, is too large, or its currency has no units.
pub(super) fn amount(language: Language, currency: &str, amount: Decimal) -> Option<String> {
    let known = Currency::of(currency);
    let parts = Parts::of(amount, minor_unit(currency)?)?;
    let text = match (language, known) {
        (Language::English, Some(known)) => english::amount(&parts, known),
        (Language::English, None) => english::foreign(&parts, currency),
        (Language::Arabic, Some(known)) => arabic::amount(&parts, known),
        (Language::Arabic, None) => arabic::foreign(&parts, currency),
    };
    Some(text)
}

impl Parts {
    fn of(amount: Decimal, decimals: u32) -> Option<Self> {
        let of = 10_u64.checked_pow(decimals)?;
        let whole = amount.abs().trunc();
        let rest = (amount.abs() - whole).checked_mul(of.into())?;
        if !rest.fract().is_zero() {
            return None;
        }
        let units = whole.to_u64().filter(|units| *units < TOO_LARGE)?;
        let is_negative = amount.is_sign_negative() && !amount.is_zero();
        Some(Parts { is_negative, units, subunits: rest.to_u64()?, of })
    }

    /// The sub-units of a currency whose names are unknown: `05/100`; empty if there are none.
    fn fraction(&self) -> String {
        if self.subunits == 0 {
            return String::new();
        }
        let Parts { subunits, of, .. } = self;
        let width = of.to_string().len() - 1;
        format!("{subunits:0width$}/{of}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(language: Language, currency: &str, digits: &str) -> String {
        amount(language, currency, digits.parse().unwrap()).unwrap()
    }

    #[test]
    fn an_amount_is_written_in_english() {
        for (currency, digits, words) in [
            ("AED", "0", "Zero UAE dirhams"),
            ("AED", "1", "One UAE dirham"),
            ("AED", "0.01", "One fils"),
            ("AED", "0.50", "Fifty fils"),
            ("AED", "2.10", "Two UAE dirhams and ten fils"),
            ("AED", "13", "Thirteen UAE dirhams"),
            ("AED", "21.99", "Twenty-one UAE dirhams and ninety-nine fils"),
            ("AED", "100", "One hundred UAE dirhams"),
            ("AED", "105", "One hundred five UAE dirhams"),
            ("AED", "1000", "One thousand UAE dirhams"),
            ("AED", "1001.01", "One thousand one UAE dirhams and one fils"),
            ("AED", "1050.00", "One thousand fifty UAE dirhams"),
            ("AED", "110011", "One hundred ten thousand eleven UAE dirhams"),
            ("USD", "16099.89", "Sixteen thousand ninety-nine US dollars and eighty-nine cents"),
            ("USD", "1.01", "One US dollar and one cent"),
            ("EUR", "1000000", "One million euros"),
            ("GBP", "0.01", "One penny"),
            ("GBP", "2.02", "Two pounds sterling and two pence"),
            ("SAR", "3.05", "Three Saudi riyals and five halalas"),
            ("KWD", "1.250", "One Kuwaiti dinar and two hundred fifty fils"),
            ("BHD", "7.005", "Seven Bahraini dinars and five fils"),
            ("OMR", "12.5", "Twelve Omani rials and five hundred baisa"),
            ("JPY", "15000", "Fifteen thousand yen"),
            ("XYZ", "7.05", "Seven XYZ and 05/100"),
            ("XYZ", "7", "Seven XYZ"),
            ("AED", "-4.20", "Minus four UAE dirhams and twenty fils"),
            (
                "AED",
                "999999999999999.99",
                "Nine hundred ninety-nine trillion nine hundred ninety-nine billion nine hundred \
                 ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine \
                 UAE dirhams and ninety-nine fils",
            ),
        ] {
            assert_eq!(written(Language::English, currency, digits), words, "{digits}");
        }
    }

    /// The number agrees with what is counted: singular, dual, plural of 3 to 10, accusative singular of 11 to 99, and
    /// genitive singular after a hundred or a thousand. The units 3 to 10 have the opposite gender of what is counted.
    #[test]
    fn an_amount_is_written_in_arabic() {
        for (currency, digits, words) in [
            ("AED", "0", "صفر درهم إماراتي"),
            ("AED", "1", "درهم إماراتي واحد"),
            ("AED", "2", "درهمان إماراتيان"),
            ("AED", "3", "ثلاثة دراهم إماراتية"),
            ("AED", "8", "ثمانية دراهم إماراتية"),
            ("AED", "10", "عشرة دراهم إماراتية"),
            ("AED", "11", "أحد عشر درهمًا إماراتيًا"),
            ("AED", "12", "اثنا عشر درهمًا إماراتيًا"),
            ("AED", "13", "ثلاثة عشر درهمًا إماراتيًا"),
            ("AED", "20", "عشرون درهمًا إماراتيًا"),
            ("AED", "21", "واحد وعشرون درهمًا إماراتيًا"),
            ("AED", "99", "تسعة وتسعون درهمًا إماراتيًا"),
            ("AED", "100", "مئة درهم إماراتي"),
            ("AED", "101", "مئة درهم إماراتي ودرهم إماراتي واحد"),
            ("AED", "102", "مئة درهم إماراتي ودرهمان إماراتيان"),
            ("AED", "103", "مئة وثلاثة دراهم إماراتية"),
            ("AED", "111", "مئة وأحد عشر درهمًا إماراتيًا"),
            ("AED", "200", "مئتا درهم إماراتي"),
            ("AED", "250", "مئتان وخمسون درهمًا إماراتيًا"),
            ("AED", "800", "ثمانمئة درهم إماراتي"),
            ("AED", "1000", "ألف درهم إماراتي"),
            ("AED", "1050", "ألف وخمسون درهمًا إماراتيًا"),
            ("AED", "1200", "ألف ومئتا درهم إماراتي"),
            ("AED", "2000", "ألفا درهم إماراتي"),
            ("AED", "2500", "ألفان وخمسمئة درهم إماراتي"),
            ("AED", "3000", "ثلاثة آلاف درهم إماراتي"),
            ("AED", "11000", "أحد عشر ألف درهم إماراتي"),
            ("AED", "11500", "أحد عشر ألفًا وخمسمئة درهم إماراتي"),
            ("AED", "100000", "مئة ألف درهم إماراتي"),
            ("AED", "101000", "مئة ألف وألف درهم إماراتي"),
            ("AED", "102000", "مئة ألف وألفا درهم إماراتي"),
            ("AED", "200000", "مئتا ألف درهم إماراتي"),
            ("AED", "203000", "مئتان وثلاثة آلاف درهم إماراتي"),
            ("AED", "1000000", "مليون درهم إماراتي"),
            ("AED", "2000000", "مليونا درهم إماراتي"),
            ("AED", "5000000", "خمسة ملايين درهم إماراتي"),
            ("AED", "12000000000", "اثنا عشر مليار درهم إماراتي"),
            ("AED", "0.01", "فلس واحد"),
            ("AED", "0.02", "فلسان"),
            ("AED", "1.05", "درهم إماراتي واحد وخمسة فلوس"),
            (
                "AED",
                "59126.85",
                "تسعة وخمسون ألفًا ومئة وستة وعشرون درهمًا إماراتيًا وخمسة وثمانون فلسًا",
            ),
            ("USD", "16099.89", "ستة عشر ألفًا وتسعة وتسعون دولارًا أمريكيًا وتسعة وثمانون سنتًا"),
            ("SAR", "3.03", "ثلاثة ريالات سعودية وثلاث هللات"),
            ("SAR", "0.08", "ثماني هللات"),
            ("SAR", "0.01", "هللة واحدة"),
            ("SAR", "0.11", "إحدى عشرة هللة"),
            ("SAR", "0.12", "اثنتا عشرة هللة"),
            ("SAR", "0.18", "ثماني عشرة هللة"),
            ("SAR", "0.21", "إحدى وعشرون هللة"),
            ("SAR", "0.22", "اثنتان وعشرون هللة"),
            ("SAR", "0.28", "ثمانٍ وعشرون هللة"),
            ("INR", "2", "روبيتان هنديتان"),
            ("INR", "8", "ثماني روبيات هندية"),
            ("INR", "15", "خمس عشرة روبية هندية"),
            ("INR", "1000", "ألف روبية هندية"),
            ("KWD", "1.250", "دينار كويتي واحد ومئتان وخمسون فلسًا"),
            ("OMR", "12.5", "اثنا عشر ريالًا عمانيًا وخمسمئة بيسة"),
            ("EUR", "3", "ثلاثة يوروهات"),
            ("JPY", "15000", "خمسة عشر ألف ين ياباني"),
            ("XYZ", "7.05", "سبعة XYZ و05/100"),
            ("XYZ", "2", "اثنان XYZ"),
            ("AED", "-2", "سالب درهمان إماراتيان"),
        ] {
            assert_eq!(written(Language::Arabic, currency, digits), words, "{digits}");
        }
    }

    #[test]
    fn sub_units_have_as_many_digits_as_iso_4217_says() {
        for (currency, digits, words) in [
            ("UYW", "1234.5678", "One thousand two hundred thirty-four UYW and 5678/10000"),
            ("CLF", "2.05", "Two CLF and 0500/10000"),
            ("TND", "7.050", "Seven TND and 050/1000"),
            ("UYI", "7", "Seven UYI"),
        ] {
            assert_eq!(written(Language::English, currency, digits), words, "{digits}");
        }
        assert_eq!(written(Language::Arabic, "UYW", "2.0005"), "اثنان UYW و0005/10000");
    }

    /// Gold is weighed, and special drawing rights are no coins.
    #[test]
    fn a_code_that_counts_no_money_has_no_words() {
        for currency in ["XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XTS", "XXX"] {
            for language in Language::ALL {
                assert_eq!(amount(language, currency, Decimal::TWO), None, "{currency}");
            }
            assert_eq!(decimals(currency), 0, "{currency}");
        }
    }

    #[test]
    fn an_amount_is_written_exactly_or_not_at_all() {
        for (currency, digits) in
            [("AED", "0.005"), ("JPY", "1.5"), ("KWD", "0.0001"), ("AED", "1000000000000000")]
        {
            for language in Language::ALL {
                assert_eq!(amount(language, currency, digits.parse().unwrap()), None, "{digits}");
            }
        }
        // Zeros below the sub-unit say nothing.
        assert_eq!(written(Language::English, "JPY", "3.00"), "Three yen");
        assert_eq!(written(Language::English, "AED", "3.1000"), "Three UAE dirhams and ten fils");
    }
}

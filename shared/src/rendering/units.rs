//! The names of the units of UN/ECE recommendations 20 and 21 that invoices commonly use.

use rust_decimal::Decimal;

use crate::i18n::Language;

/// A code, its English singular and plural, and its Arabic name.
type Unit = (&'static str, &'static str, &'static str, &'static str);

/// The name of a unit for a quantity; `None` if only the code is known.
pub(super) fn name(
    language: Language,
    code: &str,
    quantity: Option<Decimal>,
) -> Option<&'static str> {
    let found = UNITS.binary_search_by_key(&code, |(code, ..)| code).ok();
    let (_, one, many, arabic) = found.and_then(|at| UNITS.get(at))?;
    Some(match language {
        Language::English if quantity == Some(Decimal::ONE) => one,
        Language::English => many,
        Language::Arabic => arabic,
    })
}

/// In the order of the codes.
const UNITS: &[Unit] = &[
    ("2P", "kilobyte", "kilobytes", "كيلوبايت"),
    ("4L", "megabyte", "megabytes", "ميغابايت"),
    ("ACR", "acre", "acres", "فدان"),
    ("AMP", "ampere", "amperes", "أمبير"),
    ("ANN", "year", "years", "سنة"),
    ("B32", "kg/m²", "kg/m²", "كغم/م²"),
    ("BLD", "dry barrel", "dry barrels", "برميل جاف"),
    ("BLL", "barrel", "barrels", "برميل"),
    ("C62", "piece", "pieces", "قطعة"),
    ("CEL", "°C", "°C", "درجة مئوية"),
    ("CGM", "centigram", "centigrams", "سنتيغرام"),
    ("CLT", "centilitre", "centilitres", "سنتيلتر"),
    ("CMK", "cm²", "cm²", "سم²"),
    ("CMQ", "cm³", "cm³", "سم³"),
    ("CMT", "cm", "cm", "سم"),
    ("CTM", "carat", "carats", "قيراط"),
    ("D63", "book", "books", "كتاب"),
    ("DAY", "day", "days", "يوم"),
    ("DMK", "dm²", "dm²", "دسم²"),
    ("DMQ", "dm³", "dm³", "دسم³"),
    ("DMT", "dm", "dm", "دسم"),
    ("DPC", "dozen pieces", "dozen pieces", "دزينة قطع"),
    ("DPR", "dozen pairs", "dozen pairs", "دزينة أزواج"),
    ("DZN", "dozen", "dozen", "دزينة"),
    ("E34", "gigabyte", "gigabytes", "غيغابايت"),
    ("E35", "terabyte", "terabytes", "تيرابايت"),
    ("E48", "service unit", "service units", "وحدة خدمة"),
    ("E49", "working day", "working days", "يوم عمل"),
    ("E51", "job", "jobs", "مهمة"),
    ("E54", "trip", "trips", "رحلة"),
    ("EA", "each", "each", "وحدة"),
    ("FOT", "foot", "feet", "قدم"),
    ("FTK", "ft²", "ft²", "قدم²"),
    ("FTQ", "ft³", "ft³", "قدم³"),
    ("GLI", "imperial gallon", "imperial gallons", "غالون إمبراطوري"),
    ("GLL", "gallon", "gallons", "غالون"),
    ("GRM", "g", "g", "غرام"),
    ("GRO", "gross", "gross", "قروصة"),
    ("GWH", "GWh", "GWh", "غيغاواط ساعة"),
    ("H87", "piece", "pieces", "قطعة"),
    ("HLT", "hectolitre", "hectolitres", "هكتولتر"),
    ("HUR", "hour", "hours", "ساعة"),
    ("INH", "inch", "inches", "بوصة"),
    ("INK", "in²", "in²", "بوصة²"),
    ("JOU", "joule", "joules", "جول"),
    ("K6", "kilolitre", "kilolitres", "كيلولتر"),
    ("KGM", "kg", "kg", "كغم"),
    ("KMK", "km²", "km²", "كم²"),
    ("KMT", "km", "km", "كم"),
    ("KWH", "kWh", "kWh", "كيلوواط ساعة"),
    ("KWT", "kW", "kW", "كيلوواط"),
    ("LBR", "pound", "pounds", "رطل"),
    ("LEF", "leaf", "leaves", "ورقة"),
    ("LO", "lot", "lots", "دفعة"),
    ("LS", "lump sum", "lump sum", "مبلغ مقطوع"),
    ("LTR", "litre", "litres", "لتر"),
    ("MAW", "MW", "MW", "ميغاواط"),
    ("MGM", "mg", "mg", "ملغم"),
    ("MIL", "thousand", "thousand", "ألف"),
    ("MIN", "minute", "minutes", "دقيقة"),
    ("MLT", "ml", "ml", "مل"),
    ("MMK", "mm²", "mm²", "مم²"),
    ("MMQ", "mm³", "mm³", "مم³"),
    ("MMT", "mm", "mm", "مم"),
    ("MON", "month", "months", "شهر"),
    ("MTK", "m²", "m²", "م²"),
    ("MTQ", "m³", "m³", "م³"),
    ("MTR", "m", "m", "م"),
    ("MWH", "MWh", "MWh", "ميغاواط ساعة"),
    ("NAR", "article", "articles", "صنف"),
    ("NMP", "pack", "packs", "عبوة"),
    ("ONZ", "ounce", "ounces", "أونصة"),
    ("OZA", "fluid ounce", "fluid ounces", "أونصة سائلة"),
    ("P1", "percent", "percent", "في المئة"),
    ("PR", "pair", "pairs", "زوج"),
    ("PTN", "portion", "portions", "حصة"),
    ("QAN", "quarter", "quarters", "ربع سنة"),
    ("RM", "ream", "reams", "رزمة"),
    ("ROM", "room", "rooms", "غرفة"),
    ("SEC", "second", "seconds", "ثانية"),
    ("SET", "set", "sets", "طقم"),
    ("SMI", "mile", "miles", "ميل"),
    ("STN", "short ton", "short tons", "طن قصير"),
    ("TNE", "tonne", "tonnes", "طن"),
    ("TRL", "trillion", "trillion", "تريليون"),
    ("U2", "tablet", "tablets", "قرص"),
    ("VA", "volt-ampere", "volt-amperes", "فولت أمبير"),
    ("WEE", "week", "weeks", "أسبوع"),
    ("WHR", "Wh", "Wh", "واط ساعة"),
    ("WTT", "W", "W", "واط"),
    ("X1A", "drum", "drums", "أسطوانة"),
    ("XBA", "barrel", "barrels", "برميل"),
    ("XBE", "bundle", "bundles", "حزمة"),
    ("XBG", "bag", "bags", "كيس"),
    ("XBJ", "bucket", "buckets", "دلو"),
    ("XBO", "bottle", "bottles", "زجاجة"),
    ("XBX", "box", "boxes", "صندوق"),
    ("XCA", "can", "cans", "علبة"),
    ("XCR", "crate", "crates", "قفص"),
    ("XCS", "case", "cases", "صندوق"),
    ("XCT", "carton", "cartons", "كرتون"),
    ("XCY", "cylinder", "cylinders", "أسطوانة"),
    ("XDR", "drum", "drums", "برميل"),
    ("XJR", "jar", "jars", "مرطبان"),
    ("XLV", "liftvan", "liftvans", "حاوية نقل"),
    ("XPA", "packet", "packets", "رزمة"),
    ("XPK", "package", "packages", "طرد"),
    ("XPP", "piece", "pieces", "قطعة"),
    ("XPX", "pallet", "pallets", "منصة نقالة"),
    ("XRO", "roll", "rolls", "لفة"),
    ("XSA", "sack", "sacks", "كيس"),
    ("XTU", "tube", "tubes", "أنبوب"),
    ("YRD", "yard", "yards", "ياردة"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn every_unit_is_a_unit_of_the_specification_and_is_found() {
        assert!(UNITS.is_sorted_by_key(|(code, ..)| code), "the search needs the order");
        for (code, one, _, arabic) in UNITS {
            assert!(codes::UNITS.contains(code), "{code}");
            assert_eq!(name(Language::English, code, Some(Decimal::ONE)), Some(*one));
            assert_eq!(name(Language::Arabic, code, None), Some(*arabic));
        }
    }

    #[test]
    fn a_unit_agrees_with_its_quantity() {
        let english = |quantity: &str| name(Language::English, "HUR", quantity.parse().ok());
        assert_eq!(english("1"), Some("hour"));
        assert_eq!(english("1.00"), Some("hour"));
        assert_eq!(english("1.5"), Some("hours"));
        assert_eq!(english("0"), Some("hours"));
        assert_eq!(name(Language::English, "ZZZ", None), None);
    }
}

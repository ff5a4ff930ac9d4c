//! The meanings of PINT-AE codes that readers would have to look up. All other codes are shown as codes.

use crate::i18n::Language;

/// A code with its names in English and Arabic.
type Named = (&'static str, &'static str, &'static str);

/// IBT-003: the part of UNTDID 1001 that PINT-AE uses.
const TYPES: &[Named] = &[
    ("261", "Self-billed tax credit note", "إشعار دائن ضريبي بالفوترة الذاتية"),
    ("380", "Tax invoice", "فاتورة ضريبية"),
    ("381", "Tax credit note", "إشعار دائن ضريبي"),
    ("389", "Self-billed tax invoice", "فاتورة ضريبية بالفوترة الذاتية"),
    ("480", "Commercial invoice, out of scope of VAT", "فاتورة تجارية خارج نطاق الضريبة"),
    ("81", "Credit note, out of scope of VAT", "إشعار دائن خارج نطاق الضريبة"),
];

/// IBT-151 and the other VAT categories.
const CATEGORIES: &[Named] = &[
    ("AE", "Reverse charge", "احتساب عكسي"),
    ("E", "Exempt", "معفى"),
    ("N", "Margin scheme", "هامش الربح"),
    ("O", "Out of scope", "خارج النطاق"),
    ("S", "Standard rate", "النسبة الأساسية"),
    ("Z", "Zero-rated", "نسبة الصفر"),
];

/// BTAE-03: the reasons of Federal Decree-Law 8 of 2017, article 61.
const CREDIT_REASONS: &[Named] = &[
    ("DL8.61.1.A", "The supply was cancelled", "أُلغي التوريد"),
    ("DL8.61.1.B", "The tax treatment changed", "تغيّرت المعاملة الضريبية"),
    ("DL8.61.1.C", "The consideration was altered", "تغيّر المقابل"),
    ("DL8.61.1.D", "Goods or services were returned", "أُعيدت السلع أو الخدمات"),
    ("DL8.61.1.E", "Tax was charged in error", "احتُسبت الضريبة بالخطأ"),
    ("VD", "Volume discount", "خصم الكميات"),
];

/// BTAE-06.
const FREQUENCIES: &[Named] = &[
    ("DLY", "Daily", "يومي"),
    ("HYR", "Half-yearly", "نصف سنوي"),
    ("MTH", "Monthly", "شهري"),
    ("OTH", "Other", "أخرى"),
    ("Q15", "Every 15 days", "كل 15 يومًا"),
    ("Q45", "Every 45 days", "كل 45 يومًا"),
    ("Q60", "Every 60 days", "كل 60 يومًا"),
    ("QTR", "Quarterly", "ربع سنوي"),
    ("WKY", "Weekly", "أسبوعي"),
    ("YRL", "Yearly", "سنوي"),
];

/// BTAE-09.
const REVERSE_CHARGE: &[Named] = &[
    ("DL8.48.3.1", "Crude or refined oil", "نفط خام أو مكرر"),
    ("DL8.48.3.2", "Natural gas", "غاز طبيعي"),
    ("DL8.48.3.3", "Hydrocarbons", "مواد هيدروكربونية"),
    ("DL8.48.8.1", "Gold and diamonds", "ذهب وألماس"),
    ("DL8.48.8.2", "Electronic devices", "أجهزة إلكترونية"),
];

/// BTAE-13.
const ITEMS: &[Named] =
    &[("B", "Goods and services", "سلع وخدمات"), ("G", "Goods", "سلع"), ("S", "Services", "خدمات")];

/// IBT-186 and other exemption reasons: Federal Decree-Law 8 of 2017, article 46.
const EXEMPTIONS: &[Named] = &[
    ("DL8.46.1", "Financial services", "خدمات مالية"),
    ("DL8.46.2", "Residential buildings", "مبانٍ سكنية"),
    ("DL8.46.3", "Bare land", "أرض فضاء"),
    ("DL8.46.4", "Local passenger transport", "نقل محلي للركاب"),
];

/// IBT-081: the part of the list that the UAE uses.
const MEANS: &[Named] = &[
    ("1", "Not defined", "غير محددة"),
    ("10", "In cash", "نقدًا"),
    ("20", "Cheque", "شيك"),
    ("21", "Banker’s draft", "شيك مصرفي"),
    ("30", "Credit transfer", "تحويل مصرفي"),
    ("49", "Direct debit", "خصم مباشر"),
    ("54", "Credit card", "بطاقة ائتمان"),
    ("55", "Debit card", "بطاقة خصم"),
    ("68", "Online payment service", "خدمة دفع إلكتروني"),
];

/// IBT-039 and other subdivisions that are emirates.
const EMIRATES: &[Named] = &[
    ("AJM", "Ajman", "عجمان"),
    ("AUH", "Abu Dhabi", "أبوظبي"),
    ("DXB", "Dubai", "دبي"),
    ("FUJ", "Fujairah", "الفجيرة"),
    ("RAK", "Ras Al Khaimah", "رأس الخيمة"),
    ("SHJ", "Sharjah", "الشارقة"),
    ("UAQ", "Umm Al Quwain", "أم القيوين"),
];

/// BTAE-02: the flags in their order.
const FLAGS: [(&str, &str); 8] = [
    ("Free trade zone", "منطقة تجارة حرة"),
    ("Deemed supply", "توريد حكمي"),
    ("Margin scheme", "هامش الربح"),
    ("Summary invoice", "فاتورة مجمّعة"),
    ("Continuous supply", "توريد مستمر"),
    ("Disclosed agent", "وكيل معلن"),
    ("E-commerce", "تجارة إلكترونية"),
    ("Export", "تصدير"),
];

/// The meaning of a code of a term; `None` if the code explains itself or is unknown.
pub(super) fn meaning(language: Language, term: &str, code: &str) -> Option<String> {
    let in_language = |english: &str, arabic: &str| match language {
        Language::English => english.to_owned(),
        Language::Arabic => arabic.to_owned(),
    };
    if term == "BTAE-02" {
        let set = code.bytes().zip(FLAGS).filter(|(flag, _)| *flag == b'1');
        let set: Vec<_> = set.map(|(_, (english, arabic))| in_language(english, arabic)).collect();
        let comma = in_language(", ", "، ");
        return (!set.is_empty()).then(|| set.join(&comma));
    }
    let list = list(term);
    let found = list.iter().find(|(named, ..)| *named == code);
    found.map(|(_, english, arabic)| in_language(english, arabic))
}

/// The codes of a term's list with their meanings.
pub(crate) fn choices(language: Language, term: &str) -> Vec<(&'static str, &'static str)> {
    let named = list(term).iter().map(|(code, english, arabic)| match language {
        Language::English => (*code, *english),
        Language::Arabic => (*code, *arabic),
    });
    named.collect()
}

fn list(term: &str) -> &'static [Named] {
    match term {
        "IBT-003" => TYPES,
        "IBT-095" | "IBT-102" | "IBT-118" | "IBT-151" => CATEGORIES,
        "BTAE-03" => CREDIT_REASONS,
        "BTAE-06" => FREQUENCIES,
        "BTAE-09" => REVERSE_CHARGE,
        "BTAE-13" => ITEMS,
        "IBT-121" | "IBT-186" | "IBT-196" | "IBT-198" => EXEMPTIONS,
        "IBT-081" => MEANS,
        "IBT-039" | "IBT-054" | "IBT-068" | "IBT-079" | "IBT-173" => EMIRATES,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn every_code_of_a_list_that_is_named_has_a_name() {
        for (named, list) in [
            (CREDIT_REASONS, codes::CREDIT_REASONS),
            (FREQUENCIES, codes::FREQUENCIES),
            (REVERSE_CHARGE, codes::RCM_TYPES),
            (ITEMS, codes::ITEM_TYPES),
            (EXEMPTIONS, codes::EXEMPTIONS),
            (MEANS, codes::UAE_PAYMENT_MEANS),
            (EMIRATES, codes::EMIRATES),
            (CATEGORIES, codes::LINE_CATEGORIES),
        ] {
            let have: Vec<_> = named.iter().map(|(code, ..)| *code).collect();
            let mut want: Vec<_> = list.iter().collect();
            want.sort_unstable();
            assert_eq!(have, want);
        }
    }

    #[test]
    fn the_flags_of_a_transaction_are_told_by_name() {
        let meaning = |code| meaning(Language::English, "BTAE-02", code);
        assert_eq!(meaning("00000000"), None);
        assert_eq!(meaning("10000001").as_deref(), Some("Free trade zone, Export"));
    }
}

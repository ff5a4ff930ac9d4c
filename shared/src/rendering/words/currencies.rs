//! The names of the currencies in which companies of the UAE invoice, and the decimals of all currencies.

/// The grammatical gender of an Arabic noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gender {
    Masculine,
    Feminine,
}

/// What is counted in Arabic, in the forms that numbers govern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noun {
    pub(super) one: &'static str,
    pub(super) two: &'static str,
    /// Plural, after 3 to 10.
    pub(super) few: &'static str,
    /// Accusative singular, after 11 to 99.
    pub(super) many: &'static str,
    /// Genitive singular, after hundreds and thousands.
    pub(super) whole: &'static str,
    pub(super) gender: Gender,
}

/// The names of a currency and its sub-unit.
pub(super) struct Currency {
    code: &'static str,
    /// Singular and plural.
    pub(super) english: [&'static str; 2],
    pub(super) english_sub: [&'static str; 2],
    pub(super) arabic: Noun,
    /// `None` for a currency without sub-units.
    pub(super) arabic_sub: Option<Noun>,
}

impl Currency {
    pub(super) fn of(code: &str) -> Option<&'static Currency> {
        CURRENCIES.iter().find(|currency| currency.code == code)
    }
}

/// The decimals of the amounts of a currency (ISO 4217, column "minor unit"). `None` of a code whose minor unit is
/// "N.A.": metals, units of account and test codes, which nobody counts in units and sub-units.
pub(super) fn minor_unit(currency: &str) -> Option<u32> {
    Some(match currency {
        "XAG" | "XAU" | "XBA" | "XBB" | "XBC" | "XBD" | "XDR" | "XPD" | "XPT" | "XSU" | "XTS"
        | "XUA" | "XXX" => return None,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        "CLF" | "UYW" => 4,
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX"
        | "UYI" | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        _ => 2,
    })
}

/// The least decimals of an amount. A currency without a minor unit keeps the decimals of the document.
pub(in crate::rendering) fn decimals(currency: &str) -> u32 {
    minor_unit(currency).unwrap_or_default()
}

const fn masculine([one, two, few, many, whole]: [&'static str; 5]) -> Noun {
    Noun { one, two, few, many, whole, gender: Gender::Masculine }
}

const fn feminine([one, two, few, many, whole]: [&'static str; 5]) -> Noun {
    Noun { one, two, few, many, whole, gender: Gender::Feminine }
}

const FILS: Noun = masculine(["فلس", "فلسان", "فلوس", "فلسًا", "فلس"]);
const CENT: Noun = masculine(["سنت", "سنتان", "سنتات", "سنتًا", "سنت"]);
const CENTS: [&str; 2] = ["cent", "cents"];
const FILS_IN_ENGLISH: [&str; 2] = ["fils", "fils"];

const CURRENCIES: &[Currency] = &[
    Currency {
        code: "AED",
        english: ["UAE dirham", "UAE dirhams"],
        english_sub: FILS_IN_ENGLISH,
        arabic: masculine([
            "درهم إماراتي",
            "درهمان إماراتيان",
            "دراهم إماراتية",
            "درهمًا إماراتيًا",
            "درهم إماراتي",
        ]),
        arabic_sub: Some(FILS),
    },
    Currency {
        code: "USD",
        english: ["US dollar", "US dollars"],
        english_sub: CENTS,
        arabic: masculine([
            "دولار أمريكي",
            "دولاران أمريكيان",
            "دولارات أمريكية",
            "دولارًا أمريكيًا",
            "دولار أمريكي",
        ]),
        arabic_sub: Some(CENT),
    },
    Currency {
        code: "EUR",
        english: ["euro", "euros"],
        english_sub: CENTS,
        arabic: masculine(["يورو", "يوروان", "يوروهات", "يورو", "يورو"]),
        arabic_sub: Some(CENT),
    },
    Currency {
        code: "GBP",
        english: ["pound sterling", "pounds sterling"],
        english_sub: ["penny", "pence"],
        arabic: masculine([
            "جنيه إسترليني",
            "جنيهان إسترلينيان",
            "جنيهات إسترلينية",
            "جنيهًا إسترلينيًا",
            "جنيه إسترليني",
        ]),
        arabic_sub: Some(masculine(["بنس", "بنسان", "بنسات", "بنسًا", "بنس"])),
    },
    Currency {
        code: "SAR",
        english: ["Saudi riyal", "Saudi riyals"],
        english_sub: ["halala", "halalas"],
        arabic: masculine([
            "ريال سعودي",
            "ريالان سعوديان",
            "ريالات سعودية",
            "ريالًا سعوديًا",
            "ريال سعودي",
        ]),
        arabic_sub: Some(feminine(["هللة", "هللتان", "هللات", "هللة", "هللة"])),
    },
    Currency {
        code: "KWD",
        english: ["Kuwaiti dinar", "Kuwaiti dinars"],
        english_sub: FILS_IN_ENGLISH,
        arabic: masculine([
            "دينار كويتي",
            "ديناران كويتيان",
            "دنانير كويتية",
            "دينارًا كويتيًا",
            "دينار كويتي",
        ]),
        arabic_sub: Some(FILS),
    },
    Currency {
        code: "BHD",
        english: ["Bahraini dinar", "Bahraini dinars"],
        english_sub: FILS_IN_ENGLISH,
        arabic: masculine([
            "دينار بحريني",
            "ديناران بحرينيان",
            "دنانير بحرينية",
            "دينارًا بحرينيًا",
            "دينار بحريني",
        ]),
        arabic_sub: Some(FILS),
    },
    Currency {
        code: "OMR",
        english: ["Omani rial", "Omani rials"],
        english_sub: ["baisa", "baisa"],
        arabic: masculine([
            "ريال عماني",
            "ريالان عمانيان",
            "ريالات عمانية",
            "ريالًا عمانيًا",
            "ريال عماني",
        ]),
        arabic_sub: Some(feminine(["بيسة", "بيستان", "بيسات", "بيسة", "بيسة"])),
    },
    Currency {
        code: "QAR",
        english: ["Qatari riyal", "Qatari riyals"],
        english_sub: ["dirham", "dirhams"],
        arabic: masculine(["ريال قطري", "ريالان قطريان", "ريالات قطرية", "ريالًا قطريًا", "ريال قطري"]),
        arabic_sub: Some(masculine(["درهم", "درهمان", "دراهم", "درهمًا", "درهم"])),
    },
    Currency {
        code: "JOD",
        english: ["Jordanian dinar", "Jordanian dinars"],
        english_sub: FILS_IN_ENGLISH,
        arabic: masculine([
            "دينار أردني",
            "ديناران أردنيان",
            "دنانير أردنية",
            "دينارًا أردنيًا",
            "دينار أردني",
        ]),
        arabic_sub: Some(FILS),
    },
    Currency {
        code: "EGP",
        english: ["Egyptian pound", "Egyptian pounds"],
        english_sub: ["piastre", "piastres"],
        arabic: masculine([
            "جنيه مصري",
            "جنيهان مصريان",
            "جنيهات مصرية",
            "جنيهًا مصريًا",
            "جنيه مصري",
        ]),
        arabic_sub: Some(masculine(["قرش", "قرشان", "قروش", "قرشًا", "قرش"])),
    },
    Currency {
        code: "INR",
        english: ["Indian rupee", "Indian rupees"],
        english_sub: ["paisa", "paise"],
        arabic: feminine([
            "روبية هندية",
            "روبيتان هنديتان",
            "روبيات هندية",
            "روبية هندية",
            "روبية هندية",
        ]),
        arabic_sub: Some(feminine(["بيسة", "بيستان", "بيسات", "بيسة", "بيسة"])),
    },
    Currency {
        code: "PKR",
        english: ["Pakistani rupee", "Pakistani rupees"],
        english_sub: ["paisa", "paise"],
        arabic: feminine([
            "روبية باكستانية",
            "روبيتان باكستانيتان",
            "روبيات باكستانية",
            "روبية باكستانية",
            "روبية باكستانية",
        ]),
        arabic_sub: Some(feminine(["بيسة", "بيستان", "بيسات", "بيسة", "بيسة"])),
    },
    Currency {
        code: "CNY",
        english: ["Chinese yuan", "Chinese yuan"],
        english_sub: ["fen", "fen"],
        arabic: masculine([
            "يوان صيني",
            "يوانان صينيان",
            "يوانات صينية",
            "يوانًا صينيًا",
            "يوان صيني",
        ]),
        arabic_sub: Some(masculine(["فن", "فنان", "فنات", "فنًا", "فن"])),
    },
    Currency {
        code: "CHF",
        english: ["Swiss franc", "Swiss francs"],
        english_sub: ["centime", "centimes"],
        arabic: masculine([
            "فرنك سويسري",
            "فرنكان سويسريان",
            "فرنكات سويسرية",
            "فرنكًا سويسريًا",
            "فرنك سويسري",
        ]),
        arabic_sub: Some(masculine(["سنتيم", "سنتيمان", "سنتيمات", "سنتيمًا", "سنتيم"])),
    },
    Currency {
        code: "JPY",
        english: ["yen", "yen"],
        english_sub: ["", ""],
        arabic: masculine([
            "ين ياباني",
            "ينان يابانيان",
            "ينات يابانية",
            "ينًا يابانيًا",
            "ين ياباني",
        ]),
        arabic_sub: None,
    },
    Currency {
        code: "SGD",
        english: ["Singapore dollar", "Singapore dollars"],
        english_sub: CENTS,
        arabic: masculine([
            "دولار سنغافوري",
            "دولاران سنغافوريان",
            "دولارات سنغافورية",
            "دولارًا سنغافوريًا",
            "دولار سنغافوري",
        ]),
        arabic_sub: Some(CENT),
    },
    Currency {
        code: "AUD",
        english: ["Australian dollar", "Australian dollars"],
        english_sub: CENTS,
        arabic: masculine([
            "دولار أسترالي",
            "دولاران أستراليان",
            "دولارات أسترالية",
            "دولارًا أستراليًا",
            "دولار أسترالي",
        ]),
        arabic_sub: Some(CENT),
    },
    Currency {
        code: "CAD",
        english: ["Canadian dollar", "Canadian dollars"],
        english_sub: CENTS,
        arabic: masculine([
            "دولار كندي",
            "دولاران كنديان",
            "دولارات كندية",
            "دولارًا كنديًا",
            "دولار كندي",
        ]),
        arabic_sub: Some(CENT),
    },
];

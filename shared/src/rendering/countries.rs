//! The names of the countries with which companies of the UAE trade most. Other countries are shown by their code.

use crate::i18n::Language;

/// The name of a country of ISO 3166-1 alpha-2.
pub(super) fn name(language: Language, code: &str) -> Option<&'static str> {
    let found = COUNTRIES.binary_search_by_key(&code, |(code, ..)| code).ok();
    let (_, english, arabic) = found.and_then(|at| COUNTRIES.get(at))?;
    Some(match language {
        Language::English => english,
        Language::Arabic => arabic,
    })
}

/// In the order of the codes.
const COUNTRIES: &[(&str, &str, &str)] = &[
    ("AE", "United Arab Emirates", "الإمارات العربية المتحدة"),
    ("AF", "Afghanistan", "أفغانستان"),
    ("AO", "Angola", "أنغولا"),
    ("AT", "Austria", "النمسا"),
    ("AU", "Australia", "أستراليا"),
    ("AZ", "Azerbaijan", "أذربيجان"),
    ("BD", "Bangladesh", "بنغلاديش"),
    ("BE", "Belgium", "بلجيكا"),
    ("BG", "Bulgaria", "بلغاريا"),
    ("BH", "Bahrain", "البحرين"),
    ("BR", "Brazil", "البرازيل"),
    ("CA", "Canada", "كندا"),
    ("CH", "Switzerland", "سويسرا"),
    ("CN", "China", "الصين"),
    ("CY", "Cyprus", "قبرص"),
    ("CZ", "Czechia", "التشيك"),
    ("DE", "Germany", "ألمانيا"),
    ("DJ", "Djibouti", "جيبوتي"),
    ("DK", "Denmark", "الدنمارك"),
    ("DZ", "Algeria", "الجزائر"),
    ("EG", "Egypt", "مصر"),
    ("ES", "Spain", "إسبانيا"),
    ("ET", "Ethiopia", "إثيوبيا"),
    ("FI", "Finland", "فنلندا"),
    ("FR", "France", "فرنسا"),
    ("GB", "United Kingdom", "المملكة المتحدة"),
    ("GE", "Georgia", "جورجيا"),
    ("GH", "Ghana", "غانا"),
    ("GR", "Greece", "اليونان"),
    ("HK", "Hong Kong", "هونغ كونغ"),
    ("HU", "Hungary", "المجر"),
    ("ID", "Indonesia", "إندونيسيا"),
    ("IE", "Ireland", "أيرلندا"),
    ("IL", "Israel", "إسرائيل"),
    ("IN", "India", "الهند"),
    ("IQ", "Iraq", "العراق"),
    ("IR", "Iran", "إيران"),
    ("IT", "Italy", "إيطاليا"),
    ("JO", "Jordan", "الأردن"),
    ("JP", "Japan", "اليابان"),
    ("KE", "Kenya", "كينيا"),
    ("KR", "South Korea", "كوريا الجنوبية"),
    ("KW", "Kuwait", "الكويت"),
    ("KZ", "Kazakhstan", "كازاخستان"),
    ("LB", "Lebanon", "لبنان"),
    ("LK", "Sri Lanka", "سريلانكا"),
    ("LU", "Luxembourg", "لوكسمبورغ"),
    ("LY", "Libya", "ليبيا"),
    ("MA", "Morocco", "المغرب"),
    ("MT", "Malta", "مالطا"),
    ("MU", "Mauritius", "موريشيوس"),
    ("MV", "Maldives", "المالديف"),
    ("MX", "Mexico", "المكسيك"),
    ("MY", "Malaysia", "ماليزيا"),
    ("NG", "Nigeria", "نيجيريا"),
    ("NL", "Netherlands", "هولندا"),
    ("NO", "Norway", "النرويج"),
    ("NP", "Nepal", "نيبال"),
    ("NZ", "New Zealand", "نيوزيلندا"),
    ("OM", "Oman", "عُمان"),
    ("PH", "Philippines", "الفلبين"),
    ("PK", "Pakistan", "باكستان"),
    ("PL", "Poland", "بولندا"),
    ("PT", "Portugal", "البرتغال"),
    ("QA", "Qatar", "قطر"),
    ("RO", "Romania", "رومانيا"),
    ("RU", "Russia", "روسيا"),
    ("SA", "Saudi Arabia", "المملكة العربية السعودية"),
    ("SD", "Sudan", "السودان"),
    ("SE", "Sweden", "السويد"),
    ("SG", "Singapore", "سنغافورة"),
    ("SO", "Somalia", "الصومال"),
    ("SY", "Syria", "سوريا"),
    ("TH", "Thailand", "تايلاند"),
    ("TN", "Tunisia", "تونس"),
    ("TR", "Türkiye", "تركيا"),
    ("TW", "Taiwan", "تايوان"),
    ("TZ", "Tanzania", "تنزانيا"),
    ("UA", "Ukraine", "أوكرانيا"),
    ("UG", "Uganda", "أوغندا"),
    ("US", "United States", "الولايات المتحدة"),
    ("UZ", "Uzbekistan", "أوزبكستان"),
    ("VN", "Vietnam", "فيتنام"),
    ("YE", "Yemen", "اليمن"),
    ("ZA", "South Africa", "جنوب أفريقيا"),
    ("ZM", "Zambia", "زامبيا"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn every_country_is_a_country_of_the_specification_and_is_found() {
        assert!(COUNTRIES.is_sorted_by_key(|(code, ..)| code), "the search needs the order");
        for (code, english, arabic) in COUNTRIES {
            assert!(codes::COUNTRIES.contains(code), "{code}");
            assert_eq!(name(Language::English, code), Some(*english));
            assert_eq!(name(Language::Arabic, code), Some(*arabic));
        }
    }
}

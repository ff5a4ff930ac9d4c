//! Amounts in Arabic words, in the nominative.
//!
//! What is counted has the form that its number governs. The numbers 3 to 10 have the opposite gender of it; 1, 2, 11
//! and 12 have its gender. A number that ends in one or two names the thing again instead of the number ("a hundred
//! dirhams and a dirham"). Before the thing itself a dual loses its nūn and an accusative its tanwīn.

use super::{
    Parts,
    currencies::{Currency, Gender, Noun},
};

/// The numbers 1 to 10 of masculine and of feminine things.
const MASCULINE: [&str; 11] =
    ["صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"];
const FEMININE: [&str; 11] =
    ["صفر", "واحدة", "اثنتان", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"];
const TENS: [&str; 10] =
    ["", "", "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"];
const HUNDREDS: [&str; 10] =
    ["", "مئة", "مئتان", "ثلاثمئة", "أربعمئة", "خمسمئة", "ستمئة", "سبعمئة", "ثمانمئة", "تسعمئة"];

/// The names of the groups of three digits; each of them is counted itself.
const SCALES: [(u64, Noun); 4] = [
    (
        1_000_000_000_000,
        Noun {
            one: "تريليون",
            two: "تريليونان",
            few: "تريليونات",
            many: "تريليونًا",
            whole: "تريليون",
            gender: Gender::Masculine,
        },
    ),
    (
        1_000_000_000,
        Noun {
            one: "مليار",
            two: "ملياران",
            few: "مليارات",
            many: "مليارًا",
            whole: "مليار",
            gender: Gender::Masculine,
        },
    ),
    (
        1_000_000,
        Noun {
            one: "مليون",
            two: "مليونان",
            few: "ملايين",
            many: "مليونًا",
            whole: "مليون",
            gender: Gender::Masculine,
        },
    ),
    (
        1_000,
        Noun {
            one: "ألف",
            two: "ألفان",
            few: "آلاف",
            many: "ألفًا",
            whole: "ألف",
            gender: Gender::Masculine,
        },
    ),
];

pub(super) fn amount(parts: &Parts, currency: &Currency) -> String {
    let units = counted(parts.units, &currency.arabic);
    let text = match (parts.units, parts.subunits, &currency.arabic_sub) {
        (0, subunits, Some(noun)) if subunits > 0 => counted(subunits, noun),
        (_, subunits, Some(noun)) if subunits > 0 => {
            format!("{units} و{}", counted(subunits, noun))
        }
        _ => units,
    };
    signed(parts, text)
}

/// An amount of a currency that is known by its code only.
pub(super) fn foreign(parts: &Parts, code: &str) -> String {
    let fraction = parts.fraction();
    let and = if fraction.is_empty() { "" } else { " و" };
    let number = match parts.units % 100 {
        one @ (1 | 2) => {
            let whole = parts.units - one;
            let small = below_hundred(one, Gender::Masculine);
            if whole == 0 { small } else { format!("{} و{small}", number(whole, None)) }
        }
        _ => number(parts.units, None),
    };
    signed(parts, format!("{number} {code}{and}{fraction}"))
}

fn signed(parts: &Parts, text: String) -> String {
    if parts.is_negative { format!("سالب {text}") } else { text }
}

/// A number of things.
fn counted(count: u64, noun: &Noun) -> String {
    let small = count % 100;
    let last = match small {
        1 => format!("{} {}", noun.one, one(noun.gender)),
        2 => noun.two.to_owned(),
        _ => String::new(),
    };
    if last.is_empty() {
        return format!("{} {}", number(count, Some(noun)), noun.counted_by(count));
    }
    match count - small {
        0 => last,
        whole => format!("{} {} و{last}", number(whole, Some(noun)), noun.whole),
    }
}

fn one(gender: Gender) -> &'static str {
    match gender {
        Gender::Masculine => "واحد",
        Gender::Feminine => "واحدة",
    }
}

impl Noun {
    /// The form after a number that does not end in one or two.
    fn counted_by(&self, count: u64) -> &'static str {
        match count % 100 {
            3..=10 => self.few,
            11..=99 => self.many,
            _ => self.whole,
        }
    }
}

/// A number that does not end in one or two. If `noun` is there, it follows directly.
fn number(number: u64, noun: Option<&Noun>) -> String {
    let gender = noun.map_or(Gender::Masculine, |noun| noun.gender);
    let mut words: Vec<String> = Vec::new();
    let mut rest = number;
    for (scale, name) in &SCALES {
        if rest >= *scale {
            let count = rest / scale;
            rest %= scale;
            words.push(scaled(count, name, rest == 0 && noun.is_some()));
        }
    }
    let (hundreds, small) = (rest / 100, rest % 100);
    if hundreds > 0 {
        let word = at(&HUNDREDS, hundreds);
        words.push(if small == 0 && noun.is_some() { construct(word) } else { word.to_owned() });
    }
    if small > 0 || words.is_empty() {
        words.push(below_hundred(small, gender));
    }
    words.join(" و")
}

/// Thousands, millions and so on. `is_last` if what is counted follows directly.
fn scaled(count: u64, name: &Noun, is_last: bool) -> String {
    let text = match (count % 100, count - count % 100) {
        (1, 0) => name.one.to_owned(),
        (2, 0) => name.two.to_owned(),
        (small @ (1 | 2), whole) => {
            let last = if small == 1 { name.one } else { name.two };
            format!("{} {} و{last}", number(whole, Some(name)), name.whole)
        }
        _ => {
            let governed = name.counted_by(count);
            // "أحد عشر ألف درهم": what is counted follows, so the accusative has no tanwīn.
            let governed = if is_last && governed == name.many { name.whole } else { governed };
            format!("{} {governed}", number(count, Some(name)))
        }
    };
    if is_last { construct(&text) } else { text }
}

/// A dual before what it counts: "مئتا", "ألفا".
fn construct(text: &str) -> String {
    match text.strip_suffix("ان") {
        Some(stem) => format!("{stem}ا"),
        None => text.to_owned(),
    }
}

fn below_hundred(number: u64, gender: Gender) -> String {
    let units = match gender {
        Gender::Masculine => &MASCULINE,
        Gender::Feminine => &FEMININE,
    };
    let is_feminine = gender == Gender::Feminine;
    match (number / 10, number % 10) {
        (0, _) | (1, 0) => at(units, number).to_owned(),
        (1, 1) => (if is_feminine { "إحدى عشرة" } else { "أحد عشر" }).to_owned(),
        (1, 2) => (if is_feminine { "اثنتا عشرة" } else { "اثنا عشر" }).to_owned(),
        (1, unit) => {
            format!("{} {}", at(units, unit), if is_feminine { "عشرة" } else { "عشر" })
        }
        (ten, 0) => at(&TENS, ten).to_owned(),
        (ten, unit) => {
            let unit = match unit {
                1 if is_feminine => "إحدى",
                8 if is_feminine => "ثمانٍ",
                unit => at(units, unit),
            };
            format!("{unit} و{}", at(&TENS, ten))
        }
    }
}

fn at(words: &[&'static str], index: u64) -> &'static str {
    usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or_default()
}

//! Texts as HTML and PDF show them.

use std::borrow::Cow;

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::i18n::Language;

/// A text in each language of the paper.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(in crate::rendering) struct Label(pub(in crate::rendering) Vec<Text>);

/// A text in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::rendering) struct Text {
    #[serde(serialize_with = "tag")]
    pub(in crate::rendering) language: Language,
    pub(in crate::rendering) text: Cow<'static, str>,
}

/// One or more values under a label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(in crate::rendering) struct Item {
    /// Empty if the values explain themselves.
    pub(in crate::rendering) label: Label,
    pub(in crate::rendering) fields: Vec<Field>,
    /// What stands between the values.
    pub(in crate::rendering) separator: &'static str,
}

/// A value of a business term, or of several that repeat each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::rendering) struct Field {
    /// The ids of its terms: one, or several with a space between if they have the same value.
    pub(in crate::rendering) term: &'static str,
    pub(in crate::rendering) value: Written,
}

/// A value as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::rendering) struct Written {
    /// Its groups with a gap after each, such as those of an IBAN. The gap is no character, so a copy has none. Most
    /// values have one group.
    pub(in crate::rendering) groups: Vec<String>,
}

impl Label {
    pub(in crate::rendering) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text in the main language.
    pub(in crate::rendering) fn first(&self) -> &str {
        self.0.first().map_or("", |text| &text.text)
    }

    /// The label with a suffix after a comma in each language; unchanged if there is none.
    pub(super) fn with(mut self, suffix: &str) -> Self {
        for text in self.0.iter_mut().filter(|_| !suffix.is_empty()) {
            let comma = comma(text.language);
            text.text.to_mut().push_str(&format!("{comma}{suffix}"));
        }
        self
    }
}

impl Item {
    pub(super) fn one(label: Label, field: Field) -> Self {
        Item { label, fields: vec![field], separator: "" }
    }

    /// Several values, or nothing if there are none.
    pub(super) fn several(
        label: Label,
        fields: impl IntoIterator<Item = Field>,
        separator: &'static str,
    ) -> Option<Self> {
        let fields: Vec<_> = fields.into_iter().collect();
        (!fields.is_empty()).then_some(Item { label, fields, separator })
    }

    /// The values without the label.
    pub(super) fn text(&self) -> String {
        let texts: Vec<_> = self.fields.iter().map(|field| field.value.text()).collect();
        texts.join(self.separator)
    }

    /// How many characters it shows.
    pub(super) fn length(&self) -> usize {
        let label: usize = self.label.0.iter().map(|text| text.text.chars().count()).sum();
        label + self.text().chars().count()
    }
}

impl Field {
    pub(super) fn new(term: &'static str, text: impl Into<String>) -> Self {
        Field { term, value: Written::whole(text.into()) }
    }
}

impl Written {
    pub(super) fn whole(text: String) -> Self {
        Written { groups: vec![text] }
    }

    /// A text in groups of so many characters; the last size repeats.
    pub(super) fn grouped(text: &str, sizes: &[usize]) -> Self {
        let mut letters = text.chars().peekable();
        let mut sizes = sizes.iter().copied();
        let mut size = usize::MAX;
        let mut groups = Vec::new();
        while letters.peek().is_some() {
            size = sizes.next().unwrap_or(size).max(1);
            groups.push(letters.by_ref().take(size).collect());
        }
        Written { groups }
    }

    pub(in crate::rendering) fn text(&self) -> String {
        self.groups.concat()
    }

    fn is_rtl(&self) -> bool {
        self.groups.iter().find_map(|group| starts_rtl(group)).unwrap_or_default()
    }

    /// Whether a plain string is enough for the layout: one group, no long word, and no letters from right to left.
    fn is_plain(&self) -> bool {
        let [text] = self.groups.as_slice() else { return self.groups.is_empty() };
        let is_short = text.len() <= LONG_WORD
            || text.split_whitespace().all(|word| word.chars().count() <= LONG_WORD);
        is_short && (text.is_ascii() || !text.chars().any(is_rtl_letter))
    }
}

/// The comma of a language, with its space.
pub(super) fn comma(language: Language) -> &'static str {
    match language {
        Language::English => ", ",
        Language::Arabic => "، ",
    }
}

/// Words of more characters may break anywhere, since a narrow column has no room for them.
const LONG_WORD: usize = 18;
/// After so many characters.
const PIECE: usize = 6;

/// Whether the first letter of a text is written from right to left; `None` if it has no letter.
fn starts_rtl(text: &str) -> Option<bool> {
    text.chars().find(|it| it.is_alphabetic()).map(is_rtl_letter)
}

/// A letter of the scripts from Hebrew to Arabic Extended-A, or an Arabic presentation form.
fn is_rtl_letter(it: char) -> bool {
    matches!(it, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
        && it.is_alphabetic()
}

/// A string if that is enough; otherwise its direction, and its groups with the pieces of each.
impl Serialize for Written {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_plain() {
            return to.serialize_str(self.groups.first().map_or("", |text| text));
        }
        let pieces: Vec<_> = self.groups.iter().map(|group| pieces(group)).collect();
        let mut written = to.serialize_struct("Written", 2)?;
        written.serialize_field("rtl", &self.is_rtl())?;
        written.serialize_field("groups", &pieces)?;
        written.end()
    }
}

/// A text that is cut where a long word may break.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in text.split_inclusive(char::is_whitespace) {
        let is_long = word.chars().count() > LONG_WORD;
        for (at, letter) in word.chars().enumerate() {
            if is_long && at > 0 && at.is_multiple_of(PIECE) {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(letter);
            }
        }
    }
    pieces
}

/// Items as one string if that is enough, so that a table of many lines is laid out soon.
pub(super) fn joined<S: Serializer>(items: &[Item], to: S) -> Result<S::Ok, S::Error> {
    let is_plain = |item: &Item| {
        item.fields.iter().all(|field| field.value.is_plain())
            && !item.label.first().chars().any(is_rtl_letter)
    };
    if !items.iter().all(is_plain) {
        return items.serialize(to);
    }
    let texts = items.iter().map(|item| match item.label.first() {
        "" => item.text(),
        label => format!("{label} {}", item.text()),
    });
    to.serialize_str(&texts.collect::<Vec<_>>().join(" · "))
}

pub(super) fn tag<S: Serializer>(language: &Language, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(language.tag())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_grouped_without_a_character_more() {
        let iban = Written::grouped("AE070331234567890123456", &[4]);
        assert_eq!(iban.groups, ["AE07", "0331", "2345", "6789", "0123", "456"]);
        let trn = Written::grouped("100123450100003", &[3, 4]);
        assert_eq!(trn.groups, ["100", "1234", "5010", "0003"]);
        assert_eq!(trn.text(), "100123450100003");
        assert_eq!(Written::grouped("", &[4]).text(), "");
    }

    #[test]
    fn a_long_word_breaks_and_a_copy_of_it_is_whole() {
        let uuid = "6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11";
        let written = serde_json::to_value(Written::whole(format!("UUID {uuid}"))).unwrap();
        let pieces: Vec<String> = serde_json::from_value(written["groups"][0].clone()).unwrap();
        assert!(pieces.len() > 3);
        assert_eq!(pieces.concat(), format!("UUID {uuid}"));
        assert_eq!(serde_json::to_value(Written::whole("a b".into())).unwrap(), "a b");
        let arabic = serde_json::to_value(Written::whole("7 فاتورة".into())).unwrap();
        assert_eq!(arabic["rtl"], true);
    }
}

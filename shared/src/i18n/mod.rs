//! The texts that people read, in their language. Fluent messages serve pages and mails: `en.ftl` and `ar.ftl`, and
//! for each part of the pages its own: `organization.*.ftl` for the portal of organizations, `write.*.ftl` for the form
//! in which a document is written, `paper.*.ftl` for logos and the verification of papers, `notify.*.ftl` for
//! notifications, and `docs.*.ftl` for the documentation.
//!
//! A message uses plain words for business people. Inserted values are isolated from the direction of the surrounding
//! text (Unicode Standard Annex 9, section 2.4), so that a Latin name is displayed correctly in an Arabic sentence.
//! Numbers select the plural form of the language.

pub mod figures;
mod language;

use std::sync::LazyLock;

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

pub use language::Language;

const ENGLISH: &str = concat!(
    include_str!("en.ftl"),
    include_str!("organization.en.ftl"),
    include_str!("docs.en.ftl"),
    include_str!("notify.en.ftl"),
    include_str!("paper.en.ftl"),
    include_str!("write.en.ftl")
);
const ARABIC: &str = concat!(
    include_str!("ar.ftl"),
    include_str!("organization.ar.ftl"),
    include_str!("docs.ar.ftl"),
    include_str!("notify.ar.ftl"),
    include_str!("paper.ar.ftl"),
    include_str!("write.ar.ftl")
);

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: LazyLock<[Bundle; 2]> =
    LazyLock::new(|| [bundle(Language::English), bundle(Language::Arabic)]);

/// A value that is inserted into a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// A name or another text.
    Text(&'a str),
    /// A number of items, which selects the plural form.
    Count(u32),
}

/// The messages of a language.
fn source(language: Language) -> &'static str {
    match language {
        Language::English => ENGLISH,
        Language::Arabic => ARABIC,
    }
}

fn bundle(language: Language) -> Bundle {
    let identifier: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
    // An unreadable part of a file is skipped; the tests fail for such a file.
    let resource = match FluentResource::try_new(source(language).to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    if let Err(errors) = bundle.add_resource(resource) {
        tracing::error!(?errors, language = language.tag(), "messages are there twice");
    }
    bundle
}

/// Returns a message with its values. If the message is missing, returns its name; the tests fail for a missing
/// message.
pub fn text(language: Language, name: &str, values: &[(&str, Value<'_>)]) -> String {
    let bundle = match language {
        Language::English => &BUNDLES[0],
        Language::Arabic => &BUNDLES[1],
    };
    let Some(pattern) = bundle.get_message(name).and_then(|message| message.value()) else {
        tracing::error!(message = name, language = language.tag(), "a message is missing");
        return name.to_owned();
    };
    let mut arguments = FluentArgs::new();
    for (name, value) in values {
        let value = match value {
            Value::Text(text) => FluentValue::from(*text),
            Value::Count(count) => FluentValue::from(*count),
        };
        arguments.set(*name, value);
    }
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&arguments), &mut errors);
    if !errors.is_empty() {
        tracing::error!(message = name, ?errors, "a message has not all its values");
    }
    text.into_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The names of the messages in a file, with the variables of each.
    pub(crate) fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut current = String::new();
        for line in source(language).lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                current = name.to_owned();
                assert!(found.insert(current.clone(), BTreeSet::new()).is_none(), "{name} twice");
            }
            for part in line.split('$').skip(1) {
                let variable = part.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                found.get_mut(&current).unwrap().insert(variable.unwrap().to_owned());
            }
        }
        found
    }

    #[test]
    fn every_file_is_read_whole() {
        for language in Language::ALL {
            assert!(FluentResource::try_new(source(language).to_owned()).is_ok(), "{language:?}");
        }
    }

    #[test]
    fn both_languages_have_the_same_messages_with_the_same_values() {
        assert_eq!(messages(Language::English), messages(Language::Arabic));
    }

    /// A member reads "your business" as the organization, so pages of organizations name the business.
    #[test]
    fn what_people_did_not_understand_is_said_in_other_words() {
        let english = source(Language::English).to_lowercase();
        let of_organizations = include_str!("organization.en.ftl").to_lowercase();
        for (text, words) in [
            (&english, "make a key"),
            (&english, "look at these first"),
            (&english, "with a proof"),
            (&english, "give up"),
            (&english, "noted once"),
            (&english, "take back"),
            (&of_organizations, "your business"),
        ] {
            assert!(!text.contains(words), "{words}");
        }
    }

    #[test]
    fn every_message_can_be_written() {
        for language in Language::ALL {
            for (name, variables) in messages(language) {
                let values: Vec<_> =
                    variables.iter().map(|name| (name.as_str(), Value::Count(3))).collect();
                let text = text(language, &name, &values);
                assert!(!text.is_empty() && text != name && !text.contains("{$"), "{name}: {text}");
            }
        }
    }

    #[test]
    fn a_number_takes_the_plural_of_its_language() {
        let minutes = |language, count| {
            text(language, "wait-minutes", &[("minutes", Value::Count(count))])
                .replace(['\u{2068}', '\u{2069}'], "")
        };
        assert_eq!(minutes(Language::English, 1), "Please try again in 1 minute.");
        assert_eq!(minutes(Language::English, 15), "Please try again in 15 minutes.");
        let arabic: BTreeSet<_> = [1, 2, 3, 15].map(|n| minutes(Language::Arabic, n)).into();
        assert_eq!(arabic.len(), 4);
        assert!(minutes(Language::Arabic, 2).contains("دقيقتين"));
    }

    #[test]
    fn a_name_keeps_its_own_direction() {
        let text = text(Language::Arabic, "signed-in-as", &[("name", Value::Text("Falcon LLC"))]);
        assert!(text.contains("\u{2068}Falcon LLC\u{2069}"), "{text}");
    }
}

//! Validates business cards: reports every error at once, with its place. The API uses it for bodies, and the account
//! page for its form.

#[cfg(test)]
mod tests;

use jiff::civil::Date;
use serde_json::{Map, Value};
use url::Url;

use crate::{
    codes,
    document::{read_value, unknown_member},
    error::{Failure, Finding},
    peppol::smp::{BusinessEntity, Contact, EntityIdentifier, EntityName},
    service::taxpayers::{MAX_EMAIL, is_email},
};

/// Maximum businesses of a card.
pub const MAX_ENTITIES: usize = 10;
/// Maximum entries of each list of a business.
pub const MAX_ENTRIES: usize = 20;
/// Maximum characters of a text.
pub const MAX_TEXT: usize = 500;
/// Maximum characters of additional information.
pub const MAX_INFORMATION: usize = 4_000;
/// Maximum bytes of all texts of a card, in UTF-8. DynamoDB allows 400 KB for an item, including its names and lists.
pub const MAX_CARD_BYTES: usize = 262_144;

/// Reads the JSON of a card.
pub fn read(body: &[u8]) -> Result<Vec<BusinessEntity>, Failure> {
    let json = read_value(body)?;
    let mut reading = Reading::default();
    let entities = reading.object("", &json).map(|card| {
        reading.names_of("", card, &["entities"]);
        reading.list("", card, "entities", 1..=MAX_ENTITIES, entity)
    });
    let entities = entities.unwrap_or_default();
    if !reading.0.is_empty() {
        return Err(invalid(reading.0));
    }
    fits(&entities)?;
    Ok(entities)
}

fn invalid(findings: Vec<Finding>) -> Failure {
    let message = "The business card is not valid; see errors.";
    Failure { message: message.to_owned(), ..Failure::invalid(findings) }
}

/// Checks the total size of a card's texts.
pub(super) fn fits(entities: &[BusinessEntity]) -> Result<(), Failure> {
    let mut bytes = 0;
    for (at, entity) in entities.iter().enumerate() {
        bytes += bytes_of(entity);
        if bytes > MAX_CARD_BYTES {
            let message = format!(
                "the texts of the card have {bytes} bytes in UTF-8 up to the end of this business; those of a whole \
                 card have {MAX_CARD_BYTES} at most"
            );
            let pointer = format!("/entities/{at}");
            return Err(invalid(vec![Finding::error(pointer, "AP-CARD-size", message)]));
        }
    }
    Ok(())
}

/// The bytes of a business's texts.
fn bytes_of(entity: &BusinessEntity) -> usize {
    let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let BusinessEntity { names, country, identifiers, websites, contacts, .. } = entity;
    let names = names.iter().map(|it| it.text.len() + optional(&it.language)).sum::<usize>();
    let identifiers = identifiers.iter().map(|it| it.scheme.len() + it.value.len()).sum::<usize>();
    let websites = websites.iter().map(String::len).sum::<usize>();
    let contacts = contacts.iter().map(|Contact { kind, name, phone_number, email }| {
        [kind, name, phone_number, email].into_iter().map(optional).sum::<usize>()
    });
    let texts = [&entity.geographical_information, &entity.additional_information];
    let texts = texts.into_iter().map(optional).sum::<usize>();
    names + country.len() + identifiers + websites + contacts.sum::<usize>() + texts
}

/// Reads the JSON of one business. The places of findings are relative to it.
pub fn read_entity(json: &Value) -> Result<BusinessEntity, Vec<Finding>> {
    let mut reading = Reading::default();
    match entity(&mut reading, "", json) {
        Some(entity) if reading.0.is_empty() => Ok(entity),
        _ => Err(reading.0),
    }
}

fn entity(reading: &mut Reading, at: &str, json: &Value) -> Option<BusinessEntity> {
    let entity = reading.object(at, json)?;
    let known = [
        "names",
        "country_code",
        "geographical_information",
        "identifiers",
        "websites",
        "contacts",
        "additional_information",
        "registration_date",
    ];
    reading.names_of(at, entity, &known);
    let names = reading.list(at, entity, "names", 1..=MAX_ENTRIES, name);
    let country = reading.required(at, entity, "country_code");
    // PINT's list also has 1A, which is no code of ISO 3166-1.
    let is_code = country.bytes().all(|byte| byte.is_ascii_uppercase())
        && codes::COUNTRIES.contains(&country);
    if !country.is_empty() && !is_code {
        reading.wrong(
            at,
            "country_code",
            "AP-CARD-code",
            "is not a country code (ISO 3166-1 alpha-2)",
        );
    }
    let registered = reading.text(at, entity, "registration_date", MAX_TEXT);
    let registered = registered.and_then(|text| {
        let date: Option<Date> = text.parse().ok();
        // "The value 0000 is not allowed" (XML Schema 1.0, part 2, 3.2.9). The card is published as XML.
        let date = date.filter(|date| text.len() == "2026-07-01".len() && date.year() > 0);
        if date.is_none() {
            reading.wrong(
                at,
                "registration_date",
                "AP-CARD-date",
                "must be a date such as 2026-07-01",
            );
        }
        date
    });
    Some(BusinessEntity {
        names,
        country,
        geographical_information: reading.lines(at, entity, "geographical_information", MAX_TEXT),
        identifiers: reading.list(at, entity, "identifiers", 0..=MAX_ENTRIES, identifier),
        websites: reading.list(at, entity, "websites", 0..=MAX_ENTRIES, website),
        contacts: reading.list(at, entity, "contacts", 0..=MAX_ENTRIES, contact),
        additional_information: reading.lines(
            at,
            entity,
            "additional_information",
            MAX_INFORMATION,
        ),
        registered,
    })
}

fn name(reading: &mut Reading, at: &str, json: &Value) -> Option<EntityName> {
    let object = reading.object(at, json)?;
    reading.names_of(at, object, &["name", "language"]);
    let language = reading.text(at, object, "language", MAX_TEXT);
    let is_code = |code: &String| code.len() == 2 && code.bytes().all(|b| b.is_ascii_lowercase());
    if language.as_ref().is_some_and(|code| !is_code(code)) {
        reading.wrong(at, "language", "AP-CARD-code", "must be two lower-case letters (ISO 639-1)");
    }
    Some(EntityName { text: reading.required(at, object, "name"), language })
}

fn identifier(reading: &mut Reading, at: &str, json: &Value) -> Option<EntityIdentifier> {
    let object = reading.object(at, json)?;
    reading.names_of(at, object, &["scheme", "value"]);
    let scheme = reading.required(at, object, "scheme");
    Some(EntityIdentifier { scheme, value: reading.required(at, object, "value") })
}

fn website(reading: &mut Reading, at: &str, json: &Value) -> Option<String> {
    let url = reading.string(at, json, MAX_TEXT)?;
    if !is_website(&url) {
        let message = "a website must be an address such as https://www.example.com: it begins with http:// or \
                       https://, names a host, and has no spaces and no password";
        reading.0.push(Finding::error(at, "AP-CARD-url", message));
    }
    Some(url)
}

fn is_website(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    // The parser accepts some wrong texts, which would be published unchanged: "https:example.com", tabs, backslashes.
    let begins = ["https://", "http://"].into_iter().find_map(|begin| text.strip_prefix(begin));
    let has_host = begins.is_some_and(|rest| !rest.starts_with(['/', '\\']));
    let is_plain = !text.contains(|c: char| c.is_whitespace() || c == '\\');
    has_host && is_plain && url.username().is_empty() && url.password().is_none()
}

fn contact(reading: &mut Reading, at: &str, json: &Value) -> Option<Contact> {
    let object = reading.object(at, json)?;
    reading.names_of(at, object, &["type", "name", "phone_number", "email"]);
    let contact = Contact {
        kind: reading.text(at, object, "type", MAX_TEXT),
        name: reading.text(at, object, "name", MAX_TEXT),
        phone_number: reading.text(at, object, "phone_number", MAX_TEXT),
        email: reading.text(at, object, "email", MAX_TEXT),
    };
    let mut email = contact.email.iter();
    if email.any(|email| !is_email(email)) {
        let what = format!(
            "must be an address such as sales@example.com, of at most {MAX_EMAIL} characters"
        );
        reading.wrong(at, "email", "AP-CARD-email", &what);
    }
    if contact == Contact::default() {
        let message = "a contact needs a type, a name, a phone_number or an email";
        reading.0.push(Finding::error(at, "AP-CARD-required", message));
    }
    Some(contact)
}

/// The findings so far.
#[derive(Default)]
struct Reading(Vec<Finding>);

impl Reading {
    fn wrong(&mut self, at: &str, name: &str, rule: &'static str, what: &str) {
        self.0.push(Finding::error(format!("{at}/{name}"), rule, format!("{name} {what}")));
    }

    fn object<'j>(&mut self, at: &str, json: &'j Value) -> Option<&'j Map<String, Value>> {
        let object = json.as_object();
        if object.is_none() {
            self.0.push(Finding::error(at, "AP-CARD-type", "this must be an object"));
        }
        object
    }

    fn names_of(&mut self, at: &str, object: &Map<String, Value>, known: &[&'static str]) {
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            self.0.push(unknown_member(at, name, known));
        }
    }

    /// Null counts as absent.
    fn member<'j>(object: &'j Map<String, Value>, name: &str) -> Option<&'j Value> {
        object.get(name).filter(|value| !value.is_null())
    }

    fn string(&mut self, at: &str, json: &Value, most: usize) -> Option<String> {
        self.string_of(at, json, most, &[])
    }

    /// A text that may have the control characters `controls`.
    fn string_of(
        &mut self,
        at: &str,
        json: &Value,
        most: usize,
        controls: &[char],
    ) -> Option<String> {
        // XML excludes U+FFFE, U+FFFF and most control characters (XML 1.0, section 2.2).
        let is_wrong = |c: &char| {
            (c.is_control() && !controls.contains(c)) || matches!(c, '\u{fffe}' | '\u{ffff}')
        };
        let text = json.as_str().map(str::trim);
        match text {
            None => self.0.push(Finding::error(at, "AP-CARD-type", "this must be a string")),
            Some("") => self.0.push(Finding::error(at, "AP-CARD-size", "this must not be empty")),
            Some(text) if text.chars().count() > most => {
                let message = format!("this has more than {most} characters");
                self.0.push(Finding::error(at, "AP-CARD-size", message));
            }
            Some(text) => match text.chars().find(is_wrong) {
                None => return Some(text.to_owned()),
                Some(c) => {
                    let message = format!(
                        "this has the character U+{:04X}, which a card must not have",
                        u32::from(c)
                    );
                    self.0.push(Finding::error(at, "AP-CARD-character", message));
                }
            },
        }
        None
    }

    /// A text of one line.
    fn text(
        &mut self,
        at: &str,
        object: &Map<String, Value>,
        name: &str,
        most: usize,
    ) -> Option<String> {
        let json = Self::member(object, name)?;
        self.string(&format!("{at}/{name}"), json, most)
    }

    /// A text that may have line breaks and tabs.
    fn lines(
        &mut self,
        at: &str,
        object: &Map<String, Value>,
        name: &str,
        most: usize,
    ) -> Option<String> {
        let json = Self::member(object, name)?;
        self.string_of(&format!("{at}/{name}"), json, most, &['\t', '\n', '\r'])
    }

    /// A required text. It is empty after an error, which is recorded.
    fn required(&mut self, at: &str, object: &Map<String, Value>, name: &str) -> String {
        if Self::member(object, name).is_none() {
            self.wrong(at, name, "AP-CARD-required", "is required");
        }
        self.text(at, object, name, MAX_TEXT).unwrap_or_default()
    }

    fn list<T>(
        &mut self,
        at: &str,
        object: &Map<String, Value>,
        name: &str,
        size: std::ops::RangeInclusive<usize>,
        read: fn(&mut Self, &str, &Value) -> Option<T>,
    ) -> Vec<T> {
        let items = match Self::member(object, name) {
            None => &[],
            Some(Value::Array(items)) => items.as_slice(),
            Some(_) => {
                self.wrong(at, name, "AP-CARD-type", "must be a list");
                return Vec::new();
            }
        };
        if !size.contains(&items.len()) {
            let what = format!("has {} to {} entries", size.start(), size.end());
            self.wrong(at, name, "AP-CARD-size", &what);
            return Vec::new();
        }
        let items = items.iter().enumerate();
        items.filter_map(|(n, item)| read(self, &format!("{at}/{name}/{n}"), item)).collect()
    }
}

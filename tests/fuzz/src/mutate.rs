//! Changes documents as documents: bytes changed at random are seldom XML, and never reach a rule.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;

/// Values that are hard for somebody.
const VALUES: &[&str] = &[
    "",
    " ",
    "0",
    "-0",
    "00",
    "1",
    "-1",
    "+1",
    "1.",
    ".5",
    "-.5",
    "0.01",
    "0.005",
    "1.005",
    "100.00",
    "1e3",
    "1E-3",
    "NaN",
    "INF",
    "-INF",
    "99999999999999999999999999999",
    "79228162514264337593543950335",
    "79228162514264337593543950336",
    "0.0000000000000000000000000001",
    "123456789012345678901234567890.123456789",
    "1,5",
    "0x10",
    " 12 ",
    "1 2",
    "true",
    "false",
    "2024-02-30",
    "2024-02-29",
    "2023-02-29",
    "2024-12-31",
    "0000-01-01",
    "-0001-01-01",
    "10000-01-01",
    "99999999999999-01-01",
    "2024-01-01Z",
    "2024-01-01+14:00",
    "2024-01-01+14:01",
    "24:00:00",
    "23:59:60",
    "12:00:00.1Z",
    "P1Y",
    "AED",
    "USD",
    "XXX",
    "aed",
    "AE",
    "S",
    "E",
    "AE ",
    "O",
    "Z",
    "N",
    "380",
    "381",
    "388",
    "480",
    "VAT",
    "0235",
    "10000000",
    "01000000",
    "11111111",
    "1xxxxxxx",
    "DXB",
    "AUH",
    "100000000000003",
    "1000000000",
    "aGVsbG8=",
    "a b=",
    "urn:peppol:pint:billing-1@ae-1",
    "urn:peppol:pint:selfbilling-1@ae-1",
    "urn:peppol:bis:billing",
    "urn:peppol:taxdata:ae-1",
    "urn:peppol:taxreporting",
    "\u{A0}",
    "\u{E9}",
    "\u{1F600}",
    "&amp;",
    "&#10;",
    "<!-- -->",
    "1<!-- -->2",
    "<![CDATA[ ]]>",
    "<?x?>",
    "a#b#c",
    "##",
    "x:y",
    "http://a b",
    "1.1.1",
    "--",
    "en",
    "12345678-1234-5123-8123-123456789012",
];

const ATTRIBUTES: &[&str] = &[
    "currencyID",
    "schemeID",
    "unitCode",
    "listID",
    "mimeCode",
    "name",
    "filename",
    "format",
    "schemeAgencyID",
    "xml:lang",
    "xmlns",
    "xmlns:x",
    "languageID",
    "listAgencyID",
    "uri",
    "encodingCode",
];

/// Numbers from a seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn of<'t>(&mut self, values: &[&'t str]) -> &'t str {
        values[self.below(values.len())]
    }
}

/// An element as it stands in the text.
#[derive(Clone)]
struct Place {
    whole: Range<usize>,
    start_tag: Range<usize>,
    /// Empty when the element has no end tag.
    end_tag: Range<usize>,
    name: Range<usize>,
}

/// The elements of a document; `None` when it is none.
fn places(text: &str) -> Option<Vec<Place>> {
    let mut reader = Reader::from_str(text);
    let (mut places, mut open, mut from) = (Vec::new(), Vec::new(), 0);
    loop {
        let event = reader.read_event().ok()?;
        let to = usize::try_from(reader.buffer_position()).ok()?;
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref().is_empty() => return None,
            Event::Start(tag) => {
                let name = from + 1..from + 1 + tag.name().as_ref().len();
                open.push(places.len());
                places.push(Place { whole: from..to, start_tag: from..to, end_tag: to..to, name });
            }
            Event::Empty(tag) => {
                let name = from + 1..from + 1 + tag.name().as_ref().len();
                places.push(Place { whole: from..to, start_tag: from..to, end_tag: to..to, name });
            }
            Event::End(_) => {
                let place: &mut Place = places.get_mut(open.pop()?)?;
                place.whole.end = to;
                place.end_tag = from..to;
            }
            Event::Eof => return open.is_empty().then_some(places),
            _ => {}
        }
        from = to;
    }
}

/// A document with one to three changes; `None` when the text is no document.
pub fn mutate(data: &[u8], seed: u32) -> Option<Vec<u8>> {
    let mut text = std::str::from_utf8(data).ok()?.to_owned();
    let mut chance = Chance(u64::from(seed) << 1 | 1);
    chance.below(1);
    for _ in 0..=chance.below(3) {
        let places = places(&text)?;
        let place = places.get(chance.below(places.len()))?.clone();
        let other = places.get(chance.below(places.len()))?.clone();
        change(&mut text, &mut chance, place, other);
    }
    Some(text.into_bytes())
}

fn change(text: &mut String, chance: &mut Chance, place: Place, other: Place) {
    let content = place.start_tag.end..place.end_tag.start.max(place.start_tag.end);
    match chance.below(10) {
        0 => text.replace_range(place.whole, ""),
        1 => text.insert_str(place.whole.end, &text[place.whole.clone()].to_owned()),
        2 => text.insert_str(other.whole.start, &text[place.whole].to_owned()),
        3 => text.insert_str(other.start_tag.end, &text[place.whole].to_owned()),
        4 => {
            let name = text[other.name].to_owned();
            if !place.end_tag.is_empty() {
                let end = place.end_tag.start + 2;
                text.replace_range(end..end + place.name.len(), &name);
            }
            text.replace_range(place.name, &name);
        }
        5 => {
            let attribute = format!(" {}='{}'", chance.of(ATTRIBUTES), chance.of(VALUES));
            text.insert_str(place.name.end, &attribute);
        }
        6 if !place.start_tag.is_empty() => {
            let tag = &text[place.start_tag.clone()];
            let close = if tag.ends_with("/>") { 2 } else { 1 };
            text.replace_range(place.name.end..place.start_tag.end - close, "");
        }
        7 => text.insert_str(place.start_tag.end, chance.of(VALUES)),
        8 => {
            let number = format!("{}.{:02}", chance.below(2000), chance.below(100));
            text.replace_range(content, &number);
        }
        _ => text.replace_range(content, chance.of(VALUES)),
    }
}

/// The mutator of a target whose inputs are documents; for `libfuzzer_sys::fuzz_mutator`.
pub fn mutator(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    // One in eight as bytes, so that no byte is out of reach.
    let changed = if seed % 8 == 0 { None } else { mutate(&data[..size], seed / 8) };
    match changed {
        Some(changed) if changed.len() <= max_size.min(data.len()) => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
}

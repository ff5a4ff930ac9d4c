//! Tests the rendering of documents: all values are shown with their names, and no content of a document is executed.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{places::Place, *};
use crate::{error::Finding, pint, xml};

/// Documents with all possible terms.
const MAXIMAL: [&str; 4] = [
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_invoice.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_credit_note.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_self_billed_invoice.snap"),
    include_str!("../ubl/snapshots/access_point__ubl__tests__maximal_self_billed_credit_note.snap"),
];

/// The document of a snapshot, without the header of the snapshot.
fn document(snapshot: &str) -> &str {
    &snapshot[snapshot.find("<?xml").unwrap()..]
}

/// An invoice with all possible terms.
pub(super) fn maximal() -> String {
    document(MAXIMAL[0]).to_owned()
}

pub(super) fn view(xml: &str) -> View {
    View::of(&xml::parse(xml.as_bytes()).unwrap()).unwrap()
}

fn page(xml: &str, languages: Languages) -> String {
    html(&view(xml), &Rendering::of(languages)).unwrap()
}

fn terms(places: &'static [Place], into: &mut BTreeSet<&'static str>) {
    for place in places {
        match place {
            Place::Term { id, qualifiers, .. } => {
                into.insert(id);
                into.extend(qualifiers.iter().map(|(_, term)| *term));
            }
            Place::Group { places, .. } => terms(places, into),
            Place::Silent { .. } => {}
        }
    }
}

#[test]
fn every_term_has_a_place_and_a_name() {
    let mut placed = BTreeSet::new();
    for places in places::ALL {
        terms(places, &mut placed);
    }
    placed.remove("");
    let known = pint::terms::TERMS.0.iter().map(|(id, _)| *id).filter(|id| !id.starts_with("IBG"));
    assert_eq!(placed, known.collect());
}

#[test]
fn a_document_of_this_service_has_every_value_at_the_place_of_a_term() {
    for snapshot in MAXIMAL {
        let view = view(document(snapshot));
        // IBG-18 requires it in UBL, but it has no term in PINT-AE.
        let unplaced: Vec<_> = view.unplaced.iter().map(|it| it.path.as_str()).collect();
        assert!(unplaced.iter().all(|path| path.ends_with("cbc:NetworkID")), "{unplaced:?}");
    }
}

#[test]
fn what_is_no_plain_number_or_date_is_shown_as_it_stands() {
    let xml = document(MAXIMAL[0]);
    let (before, _) = xml.split_once("</cbc:PayableAmount>").unwrap();
    let amount = before.rsplit('>').next().unwrap();
    let (before, _) = xml.split_once("</cbc:IssueDate>").unwrap();
    let date = before.rsplit('>').next().unwrap();
    let long = "0.12345678901234567890123456789012345";
    for text in ["1_000.50", long, "1e3", "99999999999999999999999999999999"] {
        let foreign = xml.replace(
            &format!(">{amount}</cbc:PayableAmount>"),
            &format!(">{text}</cbc:PayableAmount>"),
        );
        assert!(page(&foreign, Languages::of_word("en").unwrap()).contains(text), "{text}");
    }
    for text in ["2026-01-31T10:00:00", "20260131", "2026-01-31+04:00"] {
        let foreign =
            xml.replace(&format!(">{date}</cbc:IssueDate>"), &format!(">{text}</cbc:IssueDate>"));
        assert!(page(&foreign, Languages::of_word("en").unwrap()).contains(text), "{text}");
    }
}

#[test]
fn nothing_of_a_document_is_out_of_sight() {
    for snapshot in MAXIMAL {
        let xml = document(snapshot);
        let tree = xml::parse(xml.as_bytes()).unwrap();
        for languages in ["en", "ar", "both"] {
            let page = page(xml, Languages::of_word(languages).unwrap());
            // The groups of an identifier are no characters.
            let page = page.replace("</span><span>", "");
            let page = page.replace(',', "").replace('\u{a0}', " ");
            for node in tree.nodes().filter(|node| node.children().next().is_none()) {
                let text = node.text();
                let value = askama::filters::escape(text.trim(), askama::filters::Html);
                let value = value.unwrap().to_string().replace(',', "");
                let name = node.local_name();
                let is_shown = page.contains(&value)
                    || name.ends_with("Date")
                    || ["ChargeIndicator", "DocumentTypeCode"].contains(&name)
                    || name == "EmbeddedDocumentBinaryObject"
                    || value == "NA"
                    || (name == "ID" && value == "aedtotal-incl-vat");
                assert!(is_shown, "{languages}: {} {value}", node.xpath());
            }
        }
    }
}

#[test]
fn a_page_speaks_the_languages_that_were_asked_for() {
    let xml = document(MAXIMAL[0]);
    let english = page(xml, Languages::of_word("en").unwrap());
    assert!(english.contains("<html lang=\"en\" dir=\"ltr\">") && english.contains("Issue date"));
    assert!(!english.contains("تاريخ الإصدار"));
    // The policy allows the style of the page.
    let style = english.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let hash = STANDARD.encode(Sha256::digest(style));
    assert!(POLICY.contains(&format!("style-src 'sha256-{hash}';")), "{}", *POLICY);
    // As a file, and from the bucket, the page has no header. So it contains that part of the policy before the style.
    let (before, _) = english.split_once("<style>").unwrap();
    let within = before.split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"");
    let within = within.unwrap().1.split_once('"').unwrap().0;
    assert_eq!(format!("{within}; frame-ancestors 'none'"), *POLICY);
    let arabic = page(xml, Languages::One(Language::Arabic));
    assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\">") && arabic.contains("تاريخ الإصدار"));
    assert!(!arabic.contains("Issue date"));
    let both = page(xml, Languages::Both);
    assert!(both.contains("Issue date") && both.contains("تاريخ الإصدار"));
    assert_eq!(Languages::of_word("fr"), None);
}

#[test]
fn a_foreign_document_can_put_nothing_into_the_page() {
    let attack =
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=alert(1)&gt;";
    let xml = format!(
        "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
         xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\" \
         xmlns:x=\"urn:x\"><cbc:ID>{attack}</cbc:ID><cbc:InvoiceTypeCode listID=\"{attack}\">\
         {attack}</cbc:InvoiceTypeCode><x:y z=\"{attack}\">{attack}</x:y>mixed {attack}</Invoice>"
    );
    let findings = [Finding::error("", "AP-TEST", "<b>x</b>")];
    for languages in [Languages::One(Language::Arabic), Languages::Both] {
        let rendering = Rendering::of(languages).with_findings(&findings);
        let page = html(&view(&xml), &rendering).unwrap();
        for tag in ["<script", "<img", "<b>", "\"><img"] {
            assert!(!page.contains(tag), "{tag}");
        }
        assert_eq!(page.matches("<style>").count(), 1);
        // All of it is shown as text.
        assert!(page.matches("onerror=alert(1)").count() >= 6, "{page}");
    }
}

/// Two identifiers of different registers are known apart.
#[test]
fn the_annex_shows_an_identifier_with_its_scheme() {
    let own = "<cac:PartyIdentification>";
    let other = format!(
        "{own}<cbc:ID schemeID=\"0088\">6291041500213</cbc:ID></cac:PartyIdentification>\
         {own}<cbc:ID>77</cbc:ID></cac:PartyIdentification>{own}"
    );
    let page = page(&maximal().replacen(own, &other, 1), Languages::One(Language::English));
    let (_, entry) = page.split_once("<div data-term=\"IBT-029\">").unwrap();
    let (entry, _) = entry.split_once("</div>").unwrap();
    assert!(
        entry.contains("<bdi>6291041500213</bdi> <span class=\"label\">(<bdi>0088</bdi>)"),
        "{entry}"
    );
    assert!(entry.contains("<bdi>77</bdi> <i>·</i>"), "{entry}");
}

/// A city has the name of its emirate, in any language and spelling.
#[test]
fn an_address_says_an_emirate_once() {
    let xml = maximal();
    for (city, code, is_repeated) in [
        ("Dubai", "DXB", true),
        ("دبي", "DXB", true),
        ("RAS AL KHAIMAH", "RAK", true),
        ("أبو ظبي", "AUH", true),
        ("Al Ain", "AUH", false),
    ] {
        let (before, rest) = xml.split_once("<cbc:CityName>").unwrap();
        let (_, rest) = rest.split_once('<').unwrap();
        let (between, rest) = rest.split_once("<cbc:CountrySubentity>").unwrap();
        let (_, rest) = rest.split_once('<').unwrap();
        let xml =
            format!("{before}<cbc:CityName>{city}<{between}<cbc:CountrySubentity>{code}<{rest}");
        for language in Language::ALL {
            let page = page(&xml, Languages::One(language));
            let (_, seller) = page.split_once("data-term=\"IBT-037\"").unwrap();
            let (line, _) = seller.split_once("</p>").unwrap();
            assert_eq!(line.contains("IBT-039"), !is_repeated, "{city}: {line}");
        }
    }
}

#[test]
fn another_document_is_no_invoice() {
    let other = "<ApplicationResponse xmlns=\"urn:a\"/>";
    let error = View::of(&xml::parse(other.as_bytes()).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string().split(',').next(),
        Some("it is ApplicationResponse of the namespace \"urn:a\"")
    );
}

#[test]
fn the_page_is_what_was_looked_at() {
    insta::assert_snapshot!("maximal_invoice_both", page(document(MAXIMAL[0]), Languages::Both));
}

#[cfg(feature = "pdf")]
mod printed {
    use std::io::Read;

    use flate2::read::ZlibDecoder;
    use jiff::Timestamp;

    use super::*;
    use crate::rendering::pdf;

    fn printed(xml: &str, languages: Languages, findings: &[Finding]) -> Vec<u8> {
        let at = Timestamp::from_second(1_795_000_000).unwrap();
        pdf(&view(xml), &Rendering::of(languages).with_findings(findings), xml.as_bytes(), at)
            .unwrap()
    }

    /// The texts of each page.
    fn texts(xml: &str, languages: Languages) -> Vec<Vec<String>> {
        crate::rendering::pdf::texts(&view(xml), &Rendering::of(languages), xml.as_bytes())
    }

    fn has(pdf: &[u8], text: &str) -> bool {
        pdf.windows(text.len()).any(|it| it == text.as_bytes())
    }

    /// All streams of a PDF, inflated where they are deflated.
    fn streams(pdf: &[u8]) -> Vec<Vec<u8>> {
        let begun = pdf.windows(7).enumerate().filter(|(_, it)| *it == b"stream\n");
        begun
            .map(|(at, _)| {
                let mut inflated = Vec::new();
                // A stream that is not zlib data gives what was read before the error.
                let _ = ZlibDecoder::new(&pdf[at + 7..]).read_to_end(&mut inflated);
                inflated
            })
            .collect()
    }

    #[test]
    fn a_pdf_is_archival_says_its_languages_and_has_the_document_within() {
        let shown = [("en", "(en)"), ("ar", "(ar)"), ("both", "(en)"), ("ar", "(ar)")];
        for (snapshot, (languages, tag)) in MAXIMAL.into_iter().zip(shown) {
            let xml = document(snapshot);
            let pdf = printed(xml, Languages::of_word(languages).unwrap(), &[]);
            assert!(has(&pdf, "<pdfaid:part>3</pdfaid:part>"));
            assert!(has(&pdf, "<pdfaid:conformance>A</pdfaid:conformance>"));
            assert!(has(&pdf, &format!("/Lang{tag}")), "{languages}");
            assert!(has(&pdf, "/AFRelationship/Source") && has(&pdf, "(document.xml)"));
            assert!(streams(&pdf).iter().any(|stream| stream == xml.as_bytes()));
        }
    }

    fn pages(pdf: &[u8]) -> usize {
        pdf.windows(11).filter(|it| it.starts_with(b"/Type/Page") && it[10] != b's').count()
    }

    #[test]
    fn a_value_that_is_longer_than_a_page_goes_on_over_the_next_one() {
        let (xml, english) = (document(MAXIMAL[0]), Languages::of_word("en").unwrap());
        let words = "word ".repeat(4_000);
        let short = pages(&printed(xml, english, &[]));
        for element in ["<cbc:Note>", "<cbc:AllowanceChargeReason>", "<cbc:Description>"] {
            let long = xml.replacen(element, &format!("{element}{words}"), 1);
            let more = pages(&printed(&long, english, &[])) - short;
            assert!(more >= 3, "{element}: {more}");
        }
    }

    /// "Page 1 of 2" has this order in both languages and beside any number. Digits next to Arabic letters would swap.
    #[test]
    fn the_number_of_a_page_stands_before_how_many_there_are_whatever_stands_beside_it() {
        let arabic =
            document(MAXIMAL[0]).replace("<cbc:ID>INV-1</cbc:ID>", "<cbc:ID>فاتورة 7</cbc:ID>");
        for xml in [document(MAXIMAL[0]), &arabic] {
            for languages in ["en", "ar", "both"] {
                let languages = Languages::of_word(languages).unwrap();
                let texts = texts(xml, languages);
                let all = texts.len();
                assert!(all > 1);
                for (page, texts) in (1..).zip(texts) {
                    let whole = texts.concat();
                    // The words of Arabic are read from right to left.
                    let english = format!("Page {page} of {all}");
                    let arabic = format!("{all} من {page} صفحة");
                    let (has_english, has_arabic) = match languages {
                        Languages::Both => (true, true),
                        Languages::One(language) => {
                            (language == Language::English, language == Language::Arabic)
                        }
                    };
                    assert_eq!(whole.contains(&english), has_english, "{languages:?}: {texts:?}");
                    assert_eq!(whole.contains(&arabic), has_arabic, "{languages:?}: {texts:?}");
                }
            }
        }
    }

    /// A copied identifier must contain no invisible characters.
    #[test]
    fn what_is_long_breaks_without_a_character_that_nobody_sees() {
        let xml = document(MAXIMAL[0]);
        let (_, uuid) = xml.split_once("<cbc:UUID>").unwrap();
        let uuid = uuid.split('<').next().unwrap();
        assert_eq!(uuid.len(), 36);
        for languages in ["en", "ar", "both"] {
            let languages = Languages::of_word(languages).unwrap();
            let texts = texts(xml, languages);
            let whole: String = texts.concat().concat();
            assert!(!whole.contains('\u{200b}'), "{languages:?}");
            assert!(whole.contains(uuid), "{languages:?}: {whole}");
            assert!(whole.contains("urn:peppol:pint:billing-1@ae-1"), "{languages:?}: {whole}");
        }
    }

    fn body_only(xml: &str, languages: Languages) -> Vec<Vec<String>> {
        let rendering = Rendering { annex: false, ..Rendering::of(languages) };
        crate::rendering::pdf::texts(&view(xml), &rendering, xml.as_bytes())
    }

    #[test]
    fn two_hundred_lines_have_at_most_seven_pages() {
        for languages in Languages::ALL {
            let pages = texts(&pictures::invoice(200), languages);
            assert!(pages.len() <= 7, "{languages:?}: {}", pages.len());
            // The headings of the columns are on each page of the body.
            let heading = if languages == Languages::One(Language::Arabic) {
                "الوصف"
            } else {
                "Description"
            };
            let pages = body_only(&pictures::invoice(200), languages);
            assert!(pages.iter().all(|texts| texts.iter().any(|text| text == heading)));
        }
    }

    #[test]
    fn a_thousand_lines_have_at_most_thirty_two_pages() {
        let pages = texts(&pictures::invoice(1_000), Languages::Both);
        assert!(pages.len() <= 32, "{}", pages.len());
    }

    /// However many lines there are, the totals are on one page, with the last line.
    #[test]
    fn totals_are_never_parted_and_never_alone() {
        for lines in 1..=40 {
            // The other two are set in other widths, so their pages end elsewhere.
            let languages = if lines % 3 == 0 { &Languages::ALL[..] } else { &Languages::ALL[..1] };
            for languages in languages {
                let pages = body_only(&pictures::invoice(lines), *languages);
                let last = pages.last().unwrap();
                let (net, due) = match languages {
                    Languages::One(Language::Arabic) => ("الصافي", "المستحق"),
                    _ => ("Net amount", "Total due"),
                };
                let has = |text: &str| last.iter().any(|it| it.contains(text));
                assert!(has(net) && has(due), "{languages:?} {lines}: {last:?}");
                assert!(has(&format!("Label printer, model {lines}")), "{lines}: {last:?}");
            }
        }
    }

    /// A row of a few lines of text, with its details, is on one page.
    #[test]
    fn a_row_is_never_parted() {
        let words = "and words ".repeat(24);
        let xml = pictures::invoice(40);
        let mut long = String::new();
        for (line, part) in xml.split("<cbc:Description>").enumerate() {
            if line > 0 {
                long.push_str(&format!("<cbc:Description>Begin{line} {words} End{line} "));
            }
            long.push_str(part);
        }
        let pages = body_only(&long, Languages::One(Language::English));
        assert!(pages.len() > 2, "{}", pages.len());
        for line in 1..=40 {
            let on = |mark: &str| {
                let mark = format!("{mark}{line} ");
                pages
                    .iter()
                    .position(|texts| texts.iter().any(|it| format!("{it} ").contains(&mark)))
            };
            assert!(on("Begin").is_some(), "{line}");
            assert_eq!(on("Begin"), on("End"), "{line}");
        }
    }

    #[test]
    fn a_logo_stands_in_place_of_the_monogram_in_both_forms() {
        let (xml, english) = (document(MAXIMAL[0]), Languages::One(Language::English));
        let png = STANDARD
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
            .unwrap();
        let rendering = Rendering { logo: Some(Logo { png: &png }), ..Rendering::of(english) };
        let page = html(&view(xml), &rendering).unwrap();
        assert!(page.contains("<img class=\"logo\" src=\"data:image/png;base64,iVBOR"));
        assert!(!page.contains("class=\"tile\""));
        let at = Timestamp::from_second(1_795_000_000).unwrap();
        let made = |rendering: &Rendering<'_>| pdf(&view(xml), rendering, xml.as_bytes(), at);
        assert!(has(&made(&rendering).unwrap(), "/Subtype/Image"));
        // What is no picture does not keep the document back.
        let broken = Rendering { logo: Some(Logo { png: b"GIF" }), ..rendering };
        assert_eq!(made(&broken), made(&Rendering::of(english)));
    }

    #[test]
    fn a_document_is_the_same_pdf_whenever_it_is_made_at_the_same_time() {
        let xml = document(MAXIMAL[0]);
        let english = Languages::of_word("en").unwrap();
        assert_eq!(printed(xml, english, &[]), printed(xml, english, &[]));
    }

    #[test]
    fn a_foreign_document_is_never_code_and_may_have_any_character() {
        // All characters that XML allows: those of the Basic Multilingual Plane up to symbols, and some beyond it.
        let every = ('\t'..'\u{3100}')
            .chain('\u{d7f0}'..'\u{e010}')
            .chain("\u{fdfa}\u{fffd}🙂𝕏\u{10fffd}".chars());
        let every: String =
            every.filter(|it| !it.is_control() || "\t\n\u{85}".contains(*it)).collect();
        let every = every.replace('&', "&amp;").replace('<', "&lt;");
        let code = "#read(&quot;/etc/passwd&quot;) $x$ *b* \\u{41} ]} // @a &lt;b&gt; #panic()";
        let xml = document(MAXIMAL[0])
            .replacen("<cbc:Note>", &format!("<cbc:Note>{every}{code}"), 1)
            .replacen("<cbc:ID>INV-1</cbc:ID>", &format!("<cbc:ID>{code}</cbc:ID>"), 1)
            .replacen("Falcon Trading LLC", code, 1);
        let findings = [Finding::error("", "AP-TEST", "#panic() \u{202e}<b>x</b>")];
        let pdf = printed(&xml, Languages::Both, &findings);
        assert!(has(&pdf, "<pdfaid:part>3</pdfaid:part>"));
    }
}

#[test]
fn amounts_are_grouped_and_have_decimals_wherever_they_stand() {
    let xml = document(MAXIMAL[0]);
    assert!(xml.contains(">AED 4551.88<"), "BTAE-20 of the sample");
    let xml = xml.replace(">AED 4551.88<", ">AED 59126.5<");
    let (before, rest) = xml.split_once("<cbc:PriceAmount currencyID=\"").unwrap();
    let (currency, rest) = rest.split_once("\">").unwrap();
    let (_, after) = rest.split_once('<').unwrap();
    let xml = format!("{before}<cbc:PriceAmount currencyID=\"{currency}\">1450<{after}");
    for languages in ["en", "ar", "both"] {
        let page = page(&xml, Languages::of_word(languages).unwrap());
        assert!(page.contains("AED\u{a0}59,126.50") && !page.contains("59126"), "{languages}");
        // The heading of the column names the currency.
        assert!(page.contains(&format!("class=\"price\" data-currency=\"{currency}\"")));
        assert!(page.contains("<bdi data-term=\"IBT-146\">1,450.00</bdi>"), "{languages}");
    }
    // A text that is not an amount in AED is shown unchanged.
    let other = xml.replace(">AED 59126.5<", ">EUR 59126.5<");
    assert!(page(&other, Languages::of_word("en").unwrap()).contains("EUR 59126.5"));
}

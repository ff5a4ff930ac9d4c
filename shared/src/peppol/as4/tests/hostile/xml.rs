//! XML that is expensive or ambiguous on purpose.

use super::{Case, forge::Forge};
use crate::peppol::as4::Rule::{
    self, OnlyOnce, ProcessingInstruction, SoapSize, UniqueIds, WellFormed,
};

pub(super) fn cases(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = types(forge);
    cases.extend(floods(forge));
    cases.extend(broken(forge));
    cases.extend(ids(forge));
    cases.extend(comments(forge));
    cases
}

/// Document types, entities and processing instructions.
fn types(forge: &Forge<'_>) -> Vec<Case> {
    let laughs: String = (1..10)
        .map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let laughs = format!("<!DOCTYPE e [<!ENTITY l0 \"lol\">{laughs}]>");
    let quadratic = format!("<!DOCTYPE e [<!ENTITY a \"{}\">]>", "a".repeat(50_000));
    let before = [
        "<!DOCTYPE e>",
        "<!DOCTYPE e SYSTEM \"http://example.com/e.dtd\">",
        "<!DOCTYPE e PUBLIC \"-//x\" \"file:///etc/passwd\">",
        "<!DOCTYPE e [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE e [<!ENTITY % x SYSTEM \"http://example.com/x\"> %x;]>",
        "<!DOCTYPE e [<!ATTLIST e Id ID #IMPLIED>]>",
        "<?xml version=\"1.0\"?><!DOCTYPE e>",
        "<!-- --><!DOCTYPE e>",
        "<!doctype e>",
        &laughs,
        &quadratic,
    ];
    let mut cases: Vec<Case> = before
        .iter()
        .map(|doctype| {
            let name = doctype.chars().take(60).collect::<String>();
            forge.case(name, WellFormed, format!("{doctype}{}", forge.soap))
        })
        .collect();
    for entity in
        ["&x;", "&l9;", "&nbsp;", "&#0;", "&#x1F;", "&#xD800;", "&#xFFFFFFFF;", "&", "&amp", "&#;"]
    {
        let soap = forge.edit("a &amp; b", entity);
        cases.push(forge.case(format!("the entity {entity}"), WellFormed, soap));
    }
    for place in
        ["<S12:Header>", "</eb:UserMessage>", "</S12:Body>", "</ds:SignedInfo>", "</S12:Envelope>"]
    {
        let soap = forge.edit(place, &format!("<?x y?>{place}"));
        cases.push(forge.case(
            format!("an instruction before {place}"),
            ProcessingInstruction,
            soap,
        ));
    }
    let soap = format!("<?xml-stylesheet href=\"x\"?>{}", forge.soap);
    cases.push(forge.case("a stylesheet", ProcessingInstruction, soap));
    cases.push(forge.case(
        "an instruction after all",
        ProcessingInstruction,
        format!("{}<?x?>", forge.soap),
    ));
    cases
}

/// Too many or too large items of each kind.
fn floods(forge: &Forge<'_>) -> Vec<Case> {
    let attributes = |count: usize| (0..count).map(|n| format!(" a{n}=\"\"")).collect::<String>();
    let spaces =
        |count: usize| (0..count).map(|n| format!(" xmlns:n{n}=\"urn:n{n}\"")).collect::<String>();
    let deep = |depth: usize| format!("{}{}", "<w>".repeat(depth), "</w>".repeat(depth));
    let header = |content: String| forge.edit("<S12:Header>", &format!("<S12:Header>{content}"));
    vec![
        forge.case("49 attributes", WellFormed, header(format!("<w{}/>", attributes(49)))),
        forge.case("20,000 attributes", WellFormed, header(format!("<w{}/>", attributes(20_000)))),
        forge.case("100,000 attributes", SoapSize, header(format!("<w{}/>", attributes(100_000)))),
        forge.case("100 namespaces", WellFormed, header(format!("<w{}/>", spaces(100)))),
        forge.case(
            "namespaces in depth",
            WellFormed,
            header(format!("<w{}><w{}><w{}/></w></w>", spaces(40), spaces(40), spaces(40))),
        ),
        forge.case("depth 40", WellFormed, header(deep(40))),
        forge.case("depth 30,000", WellFormed, header(deep(30_000))),
        forge.case("3,000 elements", WellFormed, header("<w/>".repeat(3_000))),
        forge.case("60,000 elements", WellFormed, header("<w/>".repeat(60_000))),
        forge.case("300,000 elements", SoapSize, header("<w/>".repeat(300_000))),
        forge.case("a long name", WellFormed, header(format!("<{}/>", "w".repeat(10_000)))),
        forge.case("a long text", SoapSize, header(format!("<w>{}</w>", "w".repeat(300_000)))),
        forge.case("a long comment", SoapSize, header(format!("<!--{}-->", "w".repeat(300_000)))),
        forge.case("10 MB of spaces", SoapSize, header(" ".repeat(10_000_000))),
        forge.case("open tags", WellFormed, "<a>".repeat(80_000)),
        forge.case("angle brackets", WellFormed, "<".repeat(250_000)),
        forge.case("ampersands", WellFormed, format!("<a>{}</a>", "&".repeat(250_000))),
        forge.case("quotes", WellFormed, format!("<a b=\"{}", "'".repeat(250_000))),
        forge.case("open sections", WellFormed, format!("<a>{}</a>", "<![CDATA[".repeat(25_000))),
    ]
}

/// Text that is not XML, or not in UTF-8.
fn broken(forge: &Forge<'_>) -> Vec<Case> {
    let soap = &forge.soap;
    let mut cases = Vec::new();
    for part in 1..20 {
        let cut = soap.len() * part / 20;
        cases.push(forge.case(format!("cut at {cut}"), WellFormed, &soap[..cut]));
    }
    let utf16: Vec<u8> = soap.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [0xff, 0xfe].into_iter().chain(utf16.iter().copied()).collect();
    let bytes: [(&str, Vec<u8>); 6] = [
        ("UTF-16", utf16),
        ("UTF-16 with its mark", marked),
        ("a wrong byte", [b"\xff", soap.as_bytes()].concat()),
        (
            "an overlong bracket",
            soap.replace("a &amp; b", "\u{1}")
                .into_bytes()
                .into_iter()
                .flat_map(|b| if b == 1 { vec![0xc0, 0xbc] } else { vec![b] })
                .collect(),
        ),
        ("a surrogate", [soap.as_bytes(), b"\xed\xa0\x80"].concat()),
        ("gzip", crate::peppol::as4::payload::compress(soap.as_bytes(), Vec::new()).unwrap()),
    ];
    cases.extend(bytes.into_iter().map(|(name, bytes)| forge.case(name, WellFormed, bytes)));
    let texts = [
        String::new(),
        " ".to_owned(),
        "text".to_owned(),
        "{\"a\": 1}".to_owned(),
        "<html><body>hello</body></html>".replace("</body>", ""),
        format!("{soap}{soap}"),
        format!("x{soap}"),
        format!("{soap}x"),
        soap.replacen("</eb:From>", "", 1),
        soap.replacen("<eb:From>", "<eb:from>", 1),
        soap.replacen("xmlns:eb=", "xmlns:ec=", 1),
        soap.replacen("wsu:Id=\"messaging\"", "wsu:Id=\"messaging\" wsu:Id=\"x\"", 1),
        soap.replacen("wsu:Id=\"messaging\"", "wsu:Id=messaging", 1),
        soap.replacen("wsu:Id=\"messaging\"", "wsu:Id=\"<\"", 1),
        soap.replacen("a &amp; b", "\0", 1),
        soap.replacen("a &amp; b", "\u{8}", 1),
        soap.replacen("a &amp; b", "\u{ffff}", 1),
        soap.replacen("a &amp; b", "]]>", 1),
        soap.replacen("a &amp; b", "<!-- -- -->", 1),
        soap.replacen("a &amp; b", "<![CDATA[", 1),
        soap.replacen("<S12:Header>", "<S12:Header xmlns:xml=\"urn:x\">", 1),
        soap.replacen("<S12:Header>", "<S12:Header xmlns:xmlns=\"urn:x\">", 1),
        soap.replacen("<S12:Header>", "<S12:Header xmlns:p=\"\">", 1),
        soap.replacen(
            "<S12:Header>",
            "<S12:Header xmlns:p=\"urn:x\" xmlns:q=\"urn:x\" p:a=\"\" q:a=\"\">",
            1,
        ),
        format!("<?xml version=\"1.0\" encoding=\"UTF-16\"?>{soap}"),
        format!("<?xml version=\"1.0\" encoding=\"x-unknown\"?>{soap}"),
        format!(" <?xml version=\"1.0\"?>{soap}"),
        format!("<?xml version=\"2.0\"?>{soap}"),
    ];
    for (at, text) in texts.into_iter().enumerate() {
        assert_ne!(text, *soap, "{at}");
        cases.push(forge.case(format!("not well-formed, {at}"), WellFormed, text));
    }
    cases
}

/// Repeated ids, in each attribute.
fn ids(forge: &Forge<'_>) -> Vec<Case> {
    let mut cases = Vec::new();
    for attribute in ["Id", "ID", "id", "xml:id", "wsu:Id", "iD"] {
        for id in ["messaging", "body", "signer", "key"] {
            let block = format!("<S12:Header><w xmlns:wsu=\"urn:any\" {attribute}=\"{id}\"/>");
            let soap = forge.edit("<S12:Header>", &block);
            cases.push(forge.case(format!("a second {id} as {attribute}"), UniqueIds, soap));
        }
    }
    cases
}

/// Comments and CDATA sections: other readers may read another text than the signed one.
fn comments(forge: &Forge<'_>) -> Vec<Case> {
    let table: [(Rule, &str, String); 5] = [
        // The canonical form has no comments: the whole texts PAE000009 and x are read.
        (
            Rule::SignerParty,
            "PAE<!-- -->000001",
            forge.resign(&forge.soap.replace(">PAE000001<", ">PAE00000<!-- -->9<")),
        ),
        (
            Rule::ReceiverParty,
            "PAE000002<!-- -->",
            forge.resign(&forge.soap.replace(">PAE000002<", ">PAE00<!-- -->0009<")),
        ),
        (Rule::Digest, "a comment with text", forge.edit(">PAE000001<", "><!-- -->PAE000009<")),
        (Rule::Digest, "a section", forge.edit(">PAE000001<", "><![CDATA[PAE000009]]><")),
        (
            OnlyOnce,
            "a message in a section is text",
            forge.edit(
                forge.piece("<eb:Messaging ", "</eb:Messaging>"),
                "<![CDATA[<eb:Messaging/>]]>",
            ),
        ),
    ];
    table.into_iter().map(|(rule, name, soap)| forge.case(name, rule, soap)).collect()
}

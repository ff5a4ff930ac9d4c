use super::*;
use crate::xml;

const EXTENSION: &str = r#"<e:UBLExtensions xmlns:e="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">
<e:UBLExtension><e:ExtensionContent><x:a xmlns:x="urn:x"/></e:ExtensionContent></e:UBLExtension></e:UBLExtensions>"#;

/// The smallest valid invoice, one element per line. The extension is in lines 2 and 3.
fn invoice() -> String {
    let head = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">"#;
    let body = r#"
<cbc:ID schemeID="x">1</cbc:ID>
<cbc:IssueDate>2025-06-30</cbc:IssueDate>
<cac:AccountingSupplierParty/>
<cac:AccountingCustomerParty/>
<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="AED">1.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
<cac:InvoiceLine>
<cbc:ID>1</cbc:ID>
<cbc:LineExtensionAmount currencyID="AED">1.00</cbc:LineExtensionAmount>
<cac:Item/>
</cac:InvoiceLine>
</Invoice>"#;
    format!("{head}\n{EXTENSION}{body}")
}

fn errors(text: &str) -> Vec<SchemaError> {
    check(&xml::parse(text.as_bytes()).unwrap())
}

/// Asserts the lines and kinds of the errors after one edit of the invoice.
#[track_caller]
fn finds(find: &str, replace: &str, expected: &[(u32, Kind)]) {
    let text = invoice();
    assert!(text.contains(find), "{find}");
    let found = errors(&text.replacen(find, replace, 1));
    let actual: Vec<_> = found.iter().map(|error| (error.line, error.kind)).collect();
    assert_eq!(actual, expected, "{find} -> {replace}: {found:#?}");
}

#[test]
fn a_valid_invoice_has_no_error() {
    assert_eq!(errors(&invoice()), []);
}

#[test]
fn the_place_of_elements_is_checked() {
    let line = "<cbc:ID>1</cbc:ID>\n";
    finds("<cbc:IssueDate>2025-06-30</cbc:IssueDate>\n", "", &[(5, Kind::Unexpected)]);
    finds(line, "", &[(10, Kind::Unexpected)]);
    finds(line, &line.repeat(2), &[(11, Kind::Unexpected)]);
    finds(line, "<cbc:Nothing/>", &[(10, Kind::Unexpected)]);
    finds(line, r#"<ID xmlns="">1</ID>"#, &[(10, Kind::Unexpected)]);
    finds("<cac:Item/>\n", "", &[(9, Kind::Incomplete)]);
    finds("<cac:Item/>\n", "<cac:Item/><cac:Item/>", &[(12, Kind::Unexpected)]);
    finds("</cac:InvoiceLine>", "</cac:InvoiceLine><cbc:Note/>", &[(13, Kind::Unexpected)]);
}

#[test]
fn what_follows_a_misplaced_element_in_its_parent_is_left_out() {
    let late = "<cbc:ID>1</cbc:ID>\n<cbc:Nothing/> text <cbc:LineExtensionAmount/>";
    finds("<cbc:ID>1</cbc:ID>", late, &[(11, Kind::Unexpected)]);
    finds(
        "<cbc:ID>1</cbc:ID>",
        "<cbc:ID b='1'/><cbc:Nothing/>",
        &[(10, Kind::AttributeUnknown), (10, Kind::Unexpected)],
    );
}

#[test]
fn text_is_only_where_text_may_be() {
    finds("<cac:Item/>", "<cac:Item>x</cac:Item>", &[(12, Kind::Text)]);
    finds("<cac:Item/>", "x<cac:Item/>y<!-- -->z", &[(9, Kind::Text); 3]);
    finds("<cac:Item/>", "<cac:Item> <!-- --> </cac:Item>", &[]);
    finds("<cac:Item/>", "<cac:Item>\u{a0}</cac:Item>", &[(12, Kind::Text)]);
    finds("<cac:Item/>", "<cac:Item><![CDATA[ ]]></cac:Item>", &[]);
}

#[test]
fn elements_stand_only_where_elements_may_be() {
    finds(">1.00<", ">1.00<cbc:ID/><", &[(8, Kind::Elements)]);
    finds(">1.00<", "> <cbc:ID/>1.00<", &[(8, Kind::Elements), (8, Kind::Value)]);
}

#[test]
fn values_are_of_the_type_of_their_element() {
    finds("2025-06-30", "2025-02-30", &[(5, Kind::Value)]);
    finds("2025-06-30", "2025-06-30 ", &[(5, Kind::Value)]);
    finds("2025-06-30", "2025-<!-- -->06<?x?>-30", &[]);
    finds(">1.00<", ">1.00 AED<", &[(8, Kind::Value)]);
    finds(">1.00<", "><", &[(8, Kind::Value)]);
}

#[test]
fn attributes_are_known_and_complete_and_of_their_type() {
    finds(r#" currencyID="AED""#, "", &[(8, Kind::AttributeMissing)]);
    finds(
        r#" currencyID="AED""#,
        r#" b="1" currencyid="AED""#,
        &[(8, Kind::AttributeUnknown), (8, Kind::AttributeUnknown), (8, Kind::AttributeMissing)],
    );
    finds("schemeID=\"x\"", "xml:lang='en'", &[(4, Kind::AttributeUnknown)]);
    finds("schemeID=\"x\"", "schemeURI='%'", &[(4, Kind::Value)]);
    finds("schemeID=\"x\"", "schemeURI='a b'", &[]);
    finds("schemeID=\"x\"", "xsi:schemaLocation='x y' xsi:noNamespaceSchemaLocation='z'", &[]);
    finds("schemeID=\"x\"", "xsi:other='x'", &[(4, Kind::AttributeUnknown)]);
    finds("<cac:Item/>", "<cac:Item\n a='1'\n/>", &[(14, Kind::AttributeUnknown)]);
}

#[test]
fn each_unknown_attribute_is_called_by_its_name() {
    let found = errors(&invoice().replacen("<cac:Item/>", "<cac:Item x='1' xs:y='2'/>", 1));
    let named = |name: &str, at: usize| found[at].message.contains(&format!("attribute {name} is"));
    assert!(found.len() == 2 && named("x", 0) && named("xs:y", 1), "{found:#?}");
}

#[test]
fn a_flood_of_errors_ends() {
    let notes = "<cbc:Note a='1'/>".repeat(20_000);
    let date = "<cbc:IssueDate>2025-06-30</cbc:IssueDate>";
    let count = errors(&invoice().replacen(date, &format!("{date}{notes}"), 1)).len();
    assert!((10_000..11_000).contains(&count), "{count}");
}

#[test]
fn xsi_nil_is_never_allowed() {
    finds("schemeID=\"x\"", "xsi:nil='true'", &[(4, Kind::Instance)]);
    finds("schemeID=\"x\"", "xsi:nil='maybe'", &[(4, Kind::Instance)]);
}

#[test]
fn xsi_type_names_the_type_or_one_derived_from_it() {
    finds("schemeID=\"x\"", "xsi:type='cbc:IDType'", &[]);
    finds("schemeID=\"x\"", "xsi:type='cbc:UUIDType'", &[(4, Kind::Instance)]);
    finds("schemeID=\"x\"", "xsi:type='xs:string'", &[(4, Kind::Instance)]);
    finds("schemeID=\"x\"", "xsi:type='none:IDType'", &[(4, Kind::Instance)]);
    finds("schemeID=\"x\"", "xsi:type=' cbc:IDType '", &[(4, Kind::Instance)]);
    finds("<cac:Item/>", "<cac:Item xsi:type='cac:ItemType'/>", &[]);
    finds("<cac:Item/>", "<cac:Item xsi:type='cac:PartyType'/>", &[(12, Kind::Instance)]);
}

#[test]
fn an_extension_holds_one_element_of_another_namespace() {
    let content = r#"<x:a xmlns:x="urn:x"/>"#;
    finds(content, "", &[(3, Kind::Incomplete)]);
    finds(content, "<e:UBLExtension/>", &[(3, Kind::Unexpected)]);
    finds(content, "<a xmlns=''/>", &[(3, Kind::Unexpected)]);
    finds(content, "<x:a xmlns:x='urn:x'/><x:a xmlns:x='urn:x'/>", &[(3, Kind::Unexpected)]);
}

#[test]
fn what_is_known_below_an_extension_is_checked_and_the_rest_is_not() {
    let content = r#"<x:a xmlns:x="urn:x"/>"#;
    let wrapped =
        |inner: &str| format!("<x:a xmlns:x='urn:x' b='1'>text<b c='2'>{inner}</b></x:a>");
    finds(content, &wrapped("<cbc:Anything/>"), &[]);
    finds(content, &wrapped("<cbc:ID b='1'/>"), &[(3, Kind::AttributeUnknown)]);
    finds(content, "<cac:Item>x</cac:Item>", &[(3, Kind::Text)]);
    finds(content, &wrapped("<b xsi:type='xs:date'>x</b>"), &[(3, Kind::Value)]);
    finds(content, &wrapped("<b xsi:type='xs:none'/>"), &[(3, Kind::Instance)]);
    finds(content, "<x:a xmlns:x='urn:x' xsi:type='xs:none'/>", &[(3, Kind::Instance); 2]);
    finds(
        content,
        &wrapped("<b xsi:type='xs:QName'>xs:a</b><b xsi:type='xs:QName'>q:a</b>"),
        &[(3, Kind::Value); 2],
    );
    // The declarations of another document do not apply here.
    let note = "<CreditNote xmlns='urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2'/>";
    finds(content, note, &[]);
}

#[test]
fn signatures_are_checked_with_their_wildcards_and_identifiers() {
    let content = r#"<x:a xmlns:x="urn:x"/>"#;
    finds(content, "<ds:Object Id='a'>x<ds:Manifest/></ds:Object>", &[(3, Kind::Incomplete)]);
    finds(content, "<ds:KeyInfo>x<x:a xmlns:x='urn:x'/><ds:KeyName/></ds:KeyInfo>", &[]);
    finds(content, "<ds:KeyInfo><ds:Object/></ds:KeyInfo>", &[(3, Kind::Unexpected)]);
    finds(
        content,
        "<ds:CanonicalizationMethod Algorithm='a'><b xmlns=''/></ds:CanonicalizationMethod>",
        &[(3, Kind::Undeclared)],
    );
    finds(content, "<ds:Object Id='a'><ds:Object Id=' a '/></ds:Object>", &[(3, Kind::Duplicate)]);
    finds(
        content,
        "<ds:Object Id='a'><x:a xmlns:x='urn:x' xml:id='a'/></ds:Object>",
        &[(3, Kind::Duplicate)],
    );
    finds(content, "<ds:Object Id='1'/>", &[(3, Kind::Value)]);
    finds(content, "<ds:KeyName xsi:type='xs:token'>x</ds:KeyName>", &[]);
    let xades = "xmlns:y='http://uri.etsi.org/01903/v1.3.2#'";
    let abstract_type =
        format!("<x:a xmlns:x='urn:x' {xades} xsi:type='y:GenericTimeStampType'>x</x:a>");
    finds(content, &abstract_type, &[(3, Kind::Abstract)]);
    let empty = |inner: &str| format!("<y:Include {xades} URI='a'>{inner}</y:Include>");
    finds(content, &empty(""), &[]);
    finds(content, &empty(" "), &[(3, Kind::Text)]);
    finds(content, &empty("<b/>"), &[(3, Kind::Elements)]);
    finds(content, &format!("<y:Any {xades} b='1'/>"), &[(3, Kind::AttributeUnknown)]);
}

#[test]
fn a_header_holds_scopes_and_one_document_of_any_kind() {
    let header = |scope: &str, content: &str| {
        format!(
            r#"<StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader">
<StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion><Sender><Identifier Authority="a">b</Identifier></Sender>
<Receiver><Identifier>c</Identifier></Receiver><DocumentIdentification><Standard/><TypeVersion/><InstanceIdentifier/><Type/>
<CreationDateAndTime>2025-06-30T12:00:00Z</CreationDateAndTime></DocumentIdentification>
<BusinessScope><Scope><Type/><InstanceIdentifier/>{scope}</Scope></BusinessScope></StandardBusinessDocumentHeader>
{content}</StandardBusinessDocument>"#
        )
    };
    let kinds = |scope, content| -> Vec<Kind> {
        errors(&header(scope, content)).iter().map(|error| error.kind).collect()
    };
    let invoice = "<a xmlns='urn:x'><ID/></a>";
    assert_eq!(kinds("", invoice), []);
    assert_eq!(kinds("", ""), [Kind::Incomplete]);
    assert_eq!(kinds("<CorrelationInformation/>", invoice), []);
    assert_eq!(kinds("<ScopeInformation/>", invoice), [Kind::Abstract]);
    assert_eq!(kinds("<Identifier/><Identifier/>", invoice), [Kind::Unexpected]);
    let envelope =
        "<BinaryContent xmlns='http://peppol.eu/xsd/ticc/envelope/1.0'>AAAA</BinaryContent>";
    assert_eq!(kinds("", envelope), [Kind::AttributeMissing]);
}

#[test]
fn a_tax_data_document_chooses_between_a_value_and_an_extension() {
    let custom = |inner: &str| {
        let text = format!(
            r#"<TaxData xmlns="urn:peppol:schema:taxdata:1.0" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:CustomizationID/><cbc:ProfileID/><cbc:IssueDate>2025-06-30</cbc:IssueDate><cbc:IssueTime>12:00:00Z</cbc:IssueTime>
<DocumentTypeCode/><DocumentScope/><ReporterRole/><ReportingParty/><ReceivingParty/><ReportersRepresentative/>
<ReportedTransaction><CustomContent><cbc:ID/>{inner}</CustomContent></ReportedTransaction></TaxData>"#
        );
        errors(&text).iter().map(|error| error.kind).collect::<Vec<_>>()
    };
    assert_eq!(custom("<cbc:Value/>"), []);
    assert_eq!(custom(""), [Kind::Incomplete]);
    assert_eq!(custom("<cbc:Value/><cbc:Value/>"), [Kind::Unexpected]);
    assert_eq!(custom("<cbc:Name/>"), [Kind::Unexpected]);
}

#[test]
fn a_document_of_another_kind_or_namespace_is_reported_at_its_root() {
    for root in [
        "<Invoice/>",
        "<a xmlns='urn:x'/>",
        "<ID xmlns='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'/>",
    ] {
        let found = errors(&format!("\n{root}"));
        assert_eq!((found.len(), found[0].kind, found[0].line), (1, Kind::Root, 2), "{root}");
    }
}

#[test]
fn messages_say_what_is_wrong_where_and_what_to_do() {
    let message = |find: &str, replace: &str| {
        let found = errors(&invoice().replacen(find, replace, 1));
        format!("{}: {}", found[0].xpath, found[0].message)
    };
    let line = "/ubl:Invoice/cac:InvoiceLine";
    for (find, replace, expected) in [
        ("<cbc:ID>1</cbc:ID>", "", format!("{line}/cbc:LineExtensionAmount: Before cbc:LineExtensionAmount, cac:InvoiceLine must have cbc:ID. Add it, or put the elements in order.")),
        ("<cac:Item/>", "<cac:Item/><cbc:Note/>", format!("{line}/cbc:Note: cbc:Note is too late in cac:InvoiceLine: expected here is cac:Price, cac:DeliveryTerms, cac:SubInvoiceLine or cac:ItemPriceExtension. Move it further up.")),
        ("<cac:Item/>", "<cac:Item/><cac:Item/>", format!("{line}/cac:Item[2]: cac:InvoiceLine has cac:Item more often, or in more places, than allowed. Remove the surplus.")),
        ("<cac:Item/>", "<cac:Itm/>", format!("{line}/cac:Itm: cac:InvoiceLine has no cac:Itm. Remove it, or move it to where it belongs.")),
        ("<cac:Item/>", "", format!("{line}: cac:InvoiceLine must have cac:Item, but ends without it. Add the missing content.")),
        ("2025-06-30", "30.6.2025", "/ubl:Invoice/cbc:IssueDate: The value \"30.6.2025\" of cbc:IssueDate is wrong. It must be a date such as 2025-06-30. Correct it.".to_owned()),
        ("2025-06-30", "2025-06-30 ", "/ubl:Invoice/cbc:IssueDate: There is white space around the value \"2025-06-30\" of cbc:IssueDate. Remove the white space.".to_owned()),
        ("2025-06-30", "", "/ubl:Invoice/cbc:IssueDate: cbc:IssueDate is empty, but must contain a date such as 2025-06-30. Fill it in or remove it.".to_owned()),
        ("schemeID", "currencyID", "/ubl:Invoice/cbc:ID: The attribute currencyID is not allowed at cbc:ID; allowed is schemeID, schemeName, schemeAgencyID, schemeAgencyName, schemeVersionID, schemeDataURI or schemeURI. Remove it.".to_owned()),
    ] {
        assert_eq!(message(find, replace), expected);
    }
}

use serde_json::{Value, json};

use super::*;
use crate::document;

const CSV: &str = include_str!("../../../events/imports/invoices.csv");
const NDJSON: &str = include_str!("../../../events/imports/invoices.ndjson");

fn open(text: impl Into<Vec<u8>>) -> Result<File, Vec<Finding>> {
    File::open(Operation::Invoice, text.into())
}

fn body(file: &File, document: usize) -> Value {
    serde_json::from_slice(&file.body(document).unwrap().unwrap()).unwrap()
}

/// The rule and message of the only finding about a file.
fn wrong(text: impl Into<Vec<u8>>) -> (String, String) {
    let found = open(text).unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    (found[0].rule.to_string(), found[0].message.to_string())
}

/// A table of a few columns.
fn table(columns: &str, rows: &[&str]) -> String {
    format!("{columns}\n{}\n", rows.join("\n"))
}

#[test]
fn rows_of_one_number_become_one_document() {
    let file = open(CSV).unwrap();
    assert_eq!((file.format(), file.documents()), (Format::Csv, 2));
    assert_eq!((file.rows(0), file.rows(1)), (Some((2, 3)), Some((4, 4))));
    let first = body(&file, 0);
    assert_eq!(first["invoice_number"], "INV-2001");
    assert_eq!(first["customer"]["address"]["line_1"], "Jebel Ali Free Zone, Gate 5");
    assert_eq!(first["payment_means"][0]["means_code"], "30");
    let lines = first["line_items"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["item"]["classifications"], json!([{"code": "48211090"}]));
    for document in 0..2 {
        let bytes = file.body(document).unwrap().unwrap();
        document::read(Operation::Invoice, &bytes).unwrap();
    }
}

#[test]
fn lines_of_json_are_taken_as_they_are() {
    let file = open(format!("\u{feff}{}\r\n\r\n", NDJSON.replace('\n', "\r\n"))).unwrap();
    assert_eq!((file.format(), file.documents()), (Format::Ndjson, 2));
    assert_eq!((file.rows(0), file.rows(1)), (Some((1, 1)), Some((2, 2))));
    let line = NDJSON.lines().nth(1).unwrap();
    assert_eq!(file.body(1).unwrap().unwrap(), line.as_bytes());
    assert!(file.body(2).is_none() && file.rows(2).is_none());
}

#[test]
fn what_spreadsheets_write_is_read() {
    // A byte order mark, CRLF line ends, line breaks and quotation marks within values, and empty rows.
    let text = "\u{feff}invoice_number, due_date,line_items.item.name,line_items.item.description\r\n\
        A-1,2030-01-31,\"A \"\"B\"\"\",\"two\r\nlines\"\r\n,,,\r\n,,5\" C,\r\nA-2,2030-01-31,D,\r\n,,,\r\n";
    let file = open(text).unwrap();
    assert_eq!(file.documents(), 2);
    assert_eq!((file.rows(0), file.rows(1)), (Some((2, 4)), Some((5, 5))));
    let lines = &body(&file, 0)["line_items"];
    assert_eq!(lines[0]["item"]["name"], "A \"B\"");
    assert_eq!(lines[0]["item"]["description"], "two\r\nlines");
    assert_eq!(lines[1], json!({"item": {"name": "5\" C"}}));
}

#[test]
fn rows_have_the_numbers_that_a_spreadsheet_shows() {
    // Empty lines and rows before the header, between rows and after them; a row over several lines.
    let text = [
        "",
        "invoice_number,due_date,line_items.item.name",
        "",
        "",
        "A-1,2030-01-31,\"two",
        "",
        "lines\"",
        "",
        ",,C",
        "  ",
        "A-2,2030-01-31,\"\"",
        "",
        "\"\"",
        "",
    ];
    for end in ["\n", "\r\n", "\r"] {
        let file = open(text.join(end)).unwrap();
        assert_eq!(file.documents(), 2, "{end:?}");
        assert_eq!((file.rows(0), file.rows(1)), (Some((5, 7)), Some((9, 9))), "{end:?}");
        let placed = file.place(0, Finding::error("/line_items/1/item/name", "AP-TEST", "x"));
        assert_eq!(placed.row, 7, "{end:?}");
    }
    let file = open(b"invoice_number,due_date\nA-1,B\n\nA-1,C".to_vec()).unwrap();
    assert_eq!(file.body(0).unwrap().unwrap_err()[0].row, 4);
}

/// For each document of a table, the errors of its torn rows; empty if it is complete.
fn torn(columns: &str, rows: &[&str]) -> Vec<Vec<String>> {
    let file = open(table(columns, rows)).unwrap();
    let body = |document| file.body(document).unwrap().err().unwrap_or_default();
    let said = |found: Vec<Placed>| {
        assert!(found.iter().all(|placed| placed.finding.rule == "AP-IMPORT-row"));
        found.into_iter().map(|placed| placed.finding.message.into_owned()).collect()
    };
    (0..file.documents()).map(|document| said(body(document))).collect()
}

#[test]
fn a_row_of_more_or_fewer_values_spoils_its_document_alone() {
    let columns = "invoice_number,due_date,line_items.item.name";
    let found = torn(columns, &["A-1,1,X", "A-2,2,Acme, Inc", "A-2,,Y", "A-3,3", "A-4,4,Z"]);
    let [first, second, third, fourth] = found.try_into().unwrap();
    assert_eq!(second, ["row 3 has 4 values, but there are 3 columns"]);
    assert_eq!(third, ["row 5 has 2 values, but there are 3 columns"]);
    assert!(first.is_empty() && fourth.is_empty());
    // If all rows are torn, the columns are wrong.
    let (rule, message) = wrong(table(columns, &["A-1,1"]));
    assert_eq!(rule, "AP-IMPORT-row");
    assert!(message.contains("row 2 has 2 values"), "{message}");
}

#[test]
fn no_document_goes_without_a_row_that_may_be_its_own() {
    let spoilt = |columns: &str, rows: &[&str]| -> Vec<bool> {
        torn(columns, rows).iter().map(|found| !found.is_empty()).collect()
    };
    // The number is behind the extra comma, or joined with its neighbour.
    let last = "due_date,line_items.item.name,invoice_number";
    assert_eq!(spoilt(last, &["1,X,A-1", "1,Acme, Inc,A-1", "2,Z,A-2"]), [true, true, false]);
    assert_eq!(spoilt(last, &["1,X,A-1", "2,Acme, Inc,A-2", "2,Z,A-2"]), [false, true, true]);
    assert_eq!(spoilt(last, &["1,X,A-1", "1,Acme, Inc,A-1", "1,Z,A-1"]), [true, true, true]);
    assert_eq!(spoilt(last, &["1,X,A-1", "2,Acme, Inc,A-2", "3,Z,A-3"]), [false, true, false]);
    let first = "invoice_number,due_date,line_items.item.name";
    assert_eq!(spoilt(first, &["A-1,1,X", "A-11,Y", "A-2,2,Z"]), [true, true, false]);
    assert_eq!(spoilt(first, &["A-1,1,X", ",A-2,2,Y", "A-2,2,Z"]), [true, true]);
    // If further rows omit the number, a row without its beginning may be a further row.
    assert_eq!(spoilt(first, &["A-0,0,W", ",,X", "A-1,1,Y", "1,Z"]), [false, true, true]);
    assert_eq!(
        spoilt(first, &["A-0,0,W", ",,X", "A-1,1,Y", "1,Z", "A-1,,Z"]),
        [false, true, true, true]
    );
}

/// For each document of a table, the row and message of its findings by one rule.
fn found_by(rule: &str, columns: &str, rows: &[&str]) -> Vec<Vec<(u32, String)>> {
    let file = open(table(columns, rows)).unwrap();
    let of = |document| {
        let placed = file.body(document).unwrap().err().unwrap_or_default().into_iter();
        let placed = placed.filter(|placed| placed.finding.rule == rule);
        placed.map(|placed| (placed.row, placed.finding.message.into_owned())).collect()
    };
    (0..file.documents()).map(of).collect()
}

#[test]
fn a_number_that_is_in_several_places_of_a_table_refuses_all_its_documents() {
    let columns = "invoice_number,due_date,line_items.item.name";
    let rows = ["A-1,1,X", "B-1,1,X", "C-1,1,X", "A-1,,Y", "A-1,,Z", "B-1,,Y", "A-1,,W"];
    let found = found_by("AP-IMPORT-apart", columns, &rows);
    let rows_named: Vec<Vec<u32>> =
        found.iter().map(|found| found.iter().map(|(row, _)| *row).collect()).collect();
    assert_eq!(rows_named, [vec![2], vec![3], vec![], vec![5], vec![7], vec![8]]);
    let message = |document: usize| found[document][0].1.as_str();
    assert!(
        message(0).starts_with("rows 2, 5 to 6, and 8 have the number \"A-1\" but do not follow"),
        "{}",
        message(0)
    );
    assert!(message(3) == message(0) && message(5) == message(0));
    assert!(message(1).starts_with("rows 3 and 7 have the number \"B-1\""), "{}", message(1));
    assert!(message(1).ends_with("sort the table by invoice_number"), "{}", message(1));
    let file = open(table(columns, &rows)).unwrap();
    let placed = &file.body(0).unwrap().unwrap_err()[0];
    assert_eq!(placed.column.as_deref(), Some("invoice_number"));
    // Many places are counted instead of listed.
    let many: Vec<&str> = ["A-1,1,X", "B-1,1,X"].into_iter().cycle().take(40).collect();
    let found = found_by("AP-IMPORT-apart", columns, &many);
    let message = &found[0][0].1;
    assert!(message.contains(", 20, and those of 10 other places have the number"), "{message}");
}

#[test]
fn rows_that_name_no_number_do_not_part_a_document_and_neither_does_a_torn_one() {
    let columns = "invoice_number,due_date,line_items.item.name";
    let apart = |rows: &[&str]| -> Vec<bool> {
        let found = found_by("AP-IMPORT-apart", columns, rows);
        found.iter().map(|found| !found.is_empty()).collect()
    };
    assert_eq!(apart(&["A-1,1,X", ",,Y", "A-1,,Z", "B-1,2,X", ",,Y"]), [false, false]);
    assert_eq!(apart(&["A-1,1,X", "Acme, Inc,A-1,Y", "A-1,,Z"]), [false, false, false]);
    // A torn row elsewhere refuses the document whose number it contains.
    for torn in ["A-1,2,Acme, Inc", "A-1,2"] {
        let found = found_by("AP-IMPORT-row", columns, &["A-1,1,X", "B-1,2,X", torn, "C-1,2,X"]);
        let is_refused: Vec<bool> = found.iter().map(|found| !found.is_empty()).collect();
        assert_eq!(is_refused, [true, false, true, false], "{torn}");
    }
}

#[test]
fn a_table_that_is_not_sorted_has_no_more_documents_than_numbers() {
    // The error is about the rows, not about the number of documents.
    let rows: Vec<&str> = ["A-1,1", "B-1,1"].into_iter().cycle().take(MAX_DOCUMENTS + 2).collect();
    let (rule, message) = wrong(table("invoice_number,due_date", &rows));
    assert_eq!(rule, "AP-IMPORT-apart");
    assert!(message.contains("A-1"), "{message}");
}

#[test]
fn a_table_has_a_thousand_columns_at_most() {
    let table = |many: usize| {
        let names = (1..many).map(|key| format!(",metadata.k{key}")).collect::<String>();
        format!("invoice_number{names}\nA-1{}\n", ",".repeat(many - 1))
    };
    assert_eq!(open(table(MAX_COLUMNS)).unwrap().documents(), 1);
    for many in [MAX_COLUMNS + 1, 400_000] {
        let (rule, message) = wrong(table(many));
        assert_eq!(rule, "AP-IMPORT-columns");
        assert!(message.contains(&format!("{many} columns")), "{message}");
    }
}

#[test]
fn what_a_document_says_once_is_not_looked_for_again_in_each_of_its_rows() {
    // The first half of the rows has no due date: a search back would read 400 million values.
    let mut rows = vec!["A-1,,X"; 20_000];
    rows.extend(vec!["A-1,2030-01-31,X"; 20_000]);
    let file = open(table("invoice_number,due_date,line_items.item.name", &rows)).unwrap();
    let body = body(&file, 0);
    assert_eq!(body["due_date"], "2030-01-31");
    assert_eq!(body["line_items"].as_array().unwrap().len(), 40_000);
}

#[test]
fn json_that_is_not_one_document_a_line_is_named() {
    let line = NDJSON.lines().next().unwrap();
    let document: Value = serde_json::from_str(line).unwrap();
    let pretty = serde_json::to_string_pretty(&document).unwrap();
    let lines = pretty.lines().count();
    for (text, says) in [
        (json!([document, document]).to_string(), "a JSON array".to_owned()),
        (format!("\u{feff}\n[\n{line},\n{line}\n]\n"), "a JSON array".to_owned()),
        (pretty.clone(), format!("begins on line 1 has {lines} lines")),
        (format!("\n{pretty}\n{pretty}\n"), "begins on line 2 has".to_owned()),
    ] {
        let (rule, message) = wrong(text.clone());
        assert_eq!(rule, "AP-IMPORT-json", "{text}");
        assert!(message.contains(&says) && message.contains("JSON Lines"), "{message}");
    }
    // A truncated line is one wrong document; the other documents are still read.
    let half = &line[..line.len() / 2];
    assert_eq!(open(format!("{half}\n{line}\n")).unwrap().documents(), 2);
}

#[test]
fn lines_of_files_that_were_put_together_may_each_begin_with_a_mark() {
    let line = NDJSON.lines().next().unwrap();
    let file = open(format!("\u{feff}{line}\n\u{feff}{line}\n")).unwrap();
    assert_eq!((file.documents(), file.rows(1)), (2, Some((2, 2))));
    assert_eq!(file.body(1).unwrap().unwrap(), line.as_bytes());
}

#[test]
fn a_workbook_is_named() {
    for begin in [&b"PK\x03\x04\x14\x00"[..], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00"] {
        let (rule, message) = wrong([begin, &[0xff; 40]].concat());
        assert_eq!(rule, "AP-IMPORT-workbook");
        assert!(message.contains("as CSV in UTF-8"), "{message}");
    }
}

#[test]
fn a_file_of_another_kind_of_document_names_the_types_that_it_may_be() {
    let note = CSV.replace("invoice_number", "credit_note_number");
    let note = note.replace("due_date", "credit_note_reason_code");
    let spoilt = note.replace("customer.name", "customer.nme");
    let lines =
        "{\"credit_note_number\": \"C-1\"}\n\n{\"credit_note_number\": \"C-2\"}\n".to_owned();
    for (operation, text, says) in [
        (Operation::Invoice, note.clone(), "type=credit_note"),
        (Operation::Invoice, spoilt.clone(), "type=credit_note"),
        (Operation::SelfBilledCreditNote, note, "type=credit_note"),
        (Operation::CreditNote, CSV.to_owned(), "type=invoice"),
        (Operation::SelfBilledInvoice, CSV.to_owned(), "type=invoice"),
        (Operation::Invoice, lines.clone(), "type=credit_note or type=self_billed_credit_note"),
        (Operation::CreditNote, NDJSON.to_owned(), "type=invoice or type=self_billed_invoice"),
    ] {
        let found = File::open(operation, text.into()).unwrap_err();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].rule, "AP-IMPORT-type", "{found:?}");
        assert!(found[0].message.ends_with(says), "{}", found[0].message);
    }
    // A misspelt column of the right kind is reported. One line of another kind is one wrong document.
    let found = File::open(Operation::CreditNote, spoilt.into()).unwrap_err();
    assert_eq!(found[0].rule, "AP-IMPORT-column");
    assert_eq!(open(format!("{NDJSON}{lines}")).unwrap().documents(), 4);
}

#[test]
fn a_compressed_file_is_unpacked_and_no_further_than_allowed() {
    let pack = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, bytes).unwrap();
        packer.finish().unwrap()
    };
    assert_eq!(unpacked(pack(CSV.as_bytes())).unwrap(), CSV.as_bytes());
    assert_eq!(unpacked(CSV.into()).unwrap(), CSV.as_bytes());
    // Several gzip members are one file (RFC 1952, section 2.2). Bytes after them are an error.
    let two = [pack(b"a"), pack(b"b")].concat();
    assert_eq!(unpacked(two.clone()).unwrap(), b"ab");
    assert_eq!(unpacked([two, vec![1; 9]].concat()).unwrap_err()[0].rule, "AP-IMPORT-gzip");
    let mut half = pack(CSV.as_bytes());
    half.truncate(half.len() / 2);
    assert_eq!(unpacked(half).unwrap_err()[0].rule, "AP-IMPORT-gzip");
    let huge = unpacked(pack(&vec![b' '; MAX_FILE_BYTES + 1_000_000])).unwrap();
    assert_eq!(huge.len(), MAX_FILE_BYTES + 1);
    assert_eq!(wrong(huge).0, "AP-IMPORT-size");
}

#[test]
fn a_file_that_cannot_be_one_is_refused_with_its_reason() {
    for (text, rule, says) in [
        (b"".to_vec(), "AP-IMPORT-column", "column"),
        (b"invoice_number\n".to_vec(), "AP-IMPORT-empty", "no document"),
        (b"\xff\xfei\0".to_vec(), "AP-IMPORT-utf8", "UTF-16"),
        (b"invoice_number\nA\xe9\n".to_vec(), "AP-IMPORT-utf8", "line 2, byte 17"),
        (b"invoice_nr\nA\n".to_vec(), "AP-IMPORT-column", "did you mean invoice_number?"),
        (b"due_date\nA\n".to_vec(), "AP-IMPORT-column", "no column invoice_number"),
        (b"invoice_number;due_date\nA;B\n".to_vec(), "AP-IMPORT-column", "separated by commas"),
        (b"invoice_number,\nA,\n".to_vec(), "AP-IMPORT-column", "column 2 has no name"),
        (b"invoice_number,customer\nA,B\n".to_vec(), "AP-IMPORT-column", "name one of its fields"),
        (
            b"invoice_number,customer.nme\nA,B\n".to_vec(),
            "AP-IMPORT-column",
            "did you mean customer.name?",
        ),
        (b"invoice_number,due_date.x\nA,B\n".to_vec(), "AP-IMPORT-column", "due_date has no \"x\""),
        (
            b"invoice_number,line_items.0.quantity\nA,B\n".to_vec(),
            "AP-IMPORT-column",
            "leave the line number out",
        ),
        (b"invoice_number,metadata\nA,B\n".to_vec(), "AP-IMPORT-column", "metadata.key"),
        (
            b"invoice_number,credit_note_number\nA,B\n".to_vec(),
            "AP-IMPORT-column",
            "is not a column",
        ),
        (
            b"invoice_number,allowances.100.amount\nA,B\n".to_vec(),
            "AP-IMPORT-column",
            "99 is the last",
        ),
        (b"invoice_number,invoice_number\nA,B\n".to_vec(), "AP-IMPORT-column", "the same column"),
        (
            b"\n\ninvoice_number,due_date\n\nA,B,C\n".to_vec(),
            "AP-IMPORT-row",
            "row 5 has 3 values, but there are 2",
        ),
        (b"invoice_number,due_date\nA,\"B\n".to_vec(), "AP-IMPORT-quotes", "not closed"),
        (b"invoice_number,due_date\nA,\"B\"C\n".to_vec(), "AP-IMPORT-quotes", "not closed"),
        // Two quotation marks that a reader joins, with the rows between them.
        (
            b"invoice_number,due_date\nA,\"B\nC,\"D\nE,F\n".to_vec(),
            "AP-IMPORT-quotes",
            "not closed",
        ),
        (
            b"invoice_number,due_date\nA,B\n\"C,D\nE,F\nG\",H,I\n".to_vec(),
            "AP-IMPORT-quotes",
            "row 3 has 3 values",
        ),
    ] {
        let (found, message) = wrong(text.clone());
        let text = String::from_utf8_lossy(&text);
        assert_eq!(found, rule, "{text:?}: {message}");
        assert!(message.contains(says), "{text:?}: {message}");
    }
}

#[test]
fn an_import_has_ten_thousand_documents_at_most() {
    let lines = |many: usize| "{}\n".repeat(many);
    assert_eq!(open(lines(MAX_DOCUMENTS)).unwrap().documents(), MAX_DOCUMENTS);
    let (rule, message) = wrong(lines(MAX_DOCUMENTS + 1));
    assert_eq!(rule, "AP-IMPORT-documents");
    assert!(message.contains("10001 documents"), "{message}");
}

#[test]
fn findings_lead_to_the_row_and_column_to_correct() {
    let columns =
        "invoice_number,customer.name,line_items.quantity,line_items.item.classifications.0.code";
    let file = open(table(columns, &["A-1,X,1,a", ",,2,b", "A-2,Y,3,c"])).unwrap();
    let place = |document, pointer: &str| {
        let placed = file.place(document, Finding::error(pointer, "AP-TEST", "x"));
        (placed.row, placed.column.unwrap_or_default())
    };
    let at = |row, column: &str| (row, column.to_owned());
    assert_eq!(place(0, "/line_items/1/quantity"), at(3, "line_items.quantity"));
    assert_eq!(
        place(0, "/line_items/1/item/classifications/0/code"),
        at(3, "line_items.item.classifications.0.code")
    );
    assert_eq!(place(1, "/line_items/0/quantity"), at(4, "line_items.quantity"));
    assert_eq!(place(1, "/customer/name"), at(4, "customer.name"));
    // A missing value has no column yet: the finding has the name that the column would have.
    assert_eq!(place(1, "/line_items/0/price/net_price"), at(4, "line_items.price.net_price"));
    assert_eq!(place(0, "/due_date"), at(2, "due_date"));
    assert_eq!(place(0, ""), at(2, ""));
    let lines = open(NDJSON).unwrap();
    let placed = lines.place(1, Finding::error("/due_date", "AP-TEST", "x"));
    assert_eq!((placed.row, placed.column), (2, None));
}

#[test]
fn rows_of_one_document_agree_about_what_is_its_own() {
    let columns = "invoice_number,due_date,line_items.quantity";
    let file = open(table(columns, &["A-1,2030-01-31,1", "A-1,,2", "A-1,2030-02-28,3"])).unwrap();
    let found = file.body(0).unwrap().unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].row, found[0].column.as_deref()), (4, Some("due_date")));
    assert_eq!(found[0].finding.rule, "AP-IMPORT-row");
}

#[test]
fn lists_flags_and_metadata_have_columns() {
    let columns = "credit_note_number,metadata.cost.center,allowances.amount,allowances.1.amount";
    let open = |table: String| File::open(Operation::CreditNote, table.into()).unwrap();
    let body = body(&open(table(columns, &["C-1,7,1.00,2.00"])), 0);
    assert_eq!(body["metadata"], json!({"cost.center": "7"}));
    assert_eq!(body["allowances"], json!([{"amount": "1.00"}, {"amount": "2.00"}]));
    let columns = "credit_note_number,line_items.vat.category_code,preceding_invoice_references.id";
    assert!(File::open(Operation::CreditNote, table(columns, &["C-1,S,1"]).into()).is_ok());
}

#[test]
fn every_field_of_every_kind_of_document_has_a_column() {
    // A table can express each scalar of a full sample and returns it unchanged.
    let sample: Value =
        serde_json::from_str(include_str!("../../../events/invoices/full.json")).unwrap();
    let mut cells = Vec::new();
    flatten(&sample, String::new(), &mut cells);
    let cells: Vec<_> = cells
        .into_iter()
        // Further lines are separate rows.
        .filter_map(|(name, value)| match name.strip_prefix("line_items.") {
            None => Some((name, value)),
            Some(rest) => rest.strip_prefix("0.").map(|rest| (format!("line_items.{rest}"), value)),
        })
        .collect();
    assert!(cells.len() > 80, "{}", cells.len());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells.iter().map(|(name, _)| name)).unwrap();
    writer.write_record(cells.iter().map(|(_, value)| value)).unwrap();
    let file = open(writer.into_inner().unwrap()).unwrap();
    let mut said = Vec::new();
    flatten(&body(&file, 0), String::new(), &mut said);
    let said: Vec<_> = said
        .into_iter()
        .map(|(name, value)| (name.replacen("line_items.0.", "line_items.", 1), value))
        .collect();
    let sorted = |mut cells: Vec<(String, String)>| {
        cells.sort();
        cells
    };
    assert_eq!(sorted(said), sorted(cells));
    let bytes = file.body(0).unwrap().unwrap();
    let findings = match document::read(Operation::Invoice, &bytes) {
        Ok(_) => Vec::new(),
        Err(document::ReadError::Invalid(findings)) => findings,
        Err(error) => panic!("{error:?}"),
    };
    assert!(findings.iter().all(|finding| finding.rule != "AP-JSON-type"), "{findings:?}");
}

fn flatten(value: &Value, name: String, cells: &mut Vec<(String, String)>) {
    let below =
        |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(part, value)| flatten(value, below(part), cells));
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                flatten(value, below(&index.to_string()), cells);
            }
        }
        Value::Null => {}
        Value::String(text) => cells.push((name, text.clone())),
        other => cells.push((name, other.to_string())),
    }
}

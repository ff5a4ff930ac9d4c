//! Pictures of documents, to look at: `UPDATE_PICTURES=1 cargo test -p access-point --features pdf --lib pictures`
//! writes the first page of each into `tests/conformance/pictures`.

use std::{env, fs, path::PathBuf};

use jiff::civil::date;
use serde_json::Value;
use uuid::Uuid;

use super::{pdf::pages, *};
use crate::{
    document::{self, Issuance, Operation, Profile},
    ubl, xml,
};

/// Points to pixels: the first scale whose picture is small enough.
const SCALES: [f64; 4] = [1.25, 1.1, 1.0, 0.9];
/// Maximum bytes of a picture.
const MOST: usize = 150_000;

const SELLER: &str = include_str!("../../../tests/conformance/taxpayers/falcon.json");

/// A document with the languages of its picture.
struct Sample {
    name: &'static str,
    operation: Operation,
    body: &'static str,
    languages: Languages,
    change: fn(&mut Value),
}

const ENGLISH: Languages = Languages::One(Language::English);
const ARABIC: Languages = Languages::One(Language::Arabic);

macro_rules! event {
    ($name:literal) => {
        include_str!(concat!("../../../events/", $name, ".json"))
    };
}

/// Every kind of document, and what is hard to lay out.
const SAMPLES: [Sample; 12] = [
    Sample {
        name: "invoice",
        operation: Operation::Invoice,
        body: event!("invoices/allowances-and-charges"),
        languages: ENGLISH,
        change: |_| {},
    },
    Sample {
        name: "credit-note",
        operation: Operation::CreditNote,
        body: event!("credit-notes/external"),
        languages: Languages::Both,
        change: |_| {},
    },
    Sample {
        name: "self-billed-invoice",
        operation: Operation::SelfBilledInvoice,
        body: event!("self-billing/invoices/standard"),
        languages: Languages::Both,
        change: |_| {},
    },
    Sample {
        name: "self-billed-credit-note",
        operation: Operation::SelfBilledCreditNote,
        body: event!("self-billing/credit-notes/external"),
        languages: ARABIC,
        change: |_| {},
    },
    Sample {
        name: "export",
        operation: Operation::Invoice,
        body: event!("invoices/exports"),
        languages: ENGLISH,
        change: |_| {},
    },
    Sample {
        name: "reverse-charge",
        operation: Operation::Invoice,
        body: event!("invoices/reverse-charge"),
        languages: Languages::Both,
        change: |_| {},
    },
    Sample {
        name: "free-zone",
        operation: Operation::Invoice,
        body: event!("invoices/free-zone"),
        languages: ARABIC,
        change: |_| {},
    },
    Sample {
        name: "margin-scheme",
        operation: Operation::Invoice,
        body: event!("invoices/margin-scheme"),
        languages: ENGLISH,
        change: |_| {},
    },
    Sample {
        name: "foreign-currency",
        operation: Operation::Invoice,
        body: event!("invoices/foreign-currency"),
        languages: Languages::Both,
        change: |body| {
            body["purchase_order_reference"] = "PO-88231".into();
            body["note"] = "Goods remain the seller's property until paid in full.".into();
        },
    },
    Sample {
        name: "many-lines",
        operation: Operation::Invoice,
        body: event!("invoices/minimal"),
        languages: ENGLISH,
        change: |body| repeat_lines(body, 200),
    },
    Sample {
        name: "long-texts",
        operation: Operation::Invoice,
        body: event!("invoices/full"),
        languages: ENGLISH,
        change: |body| {
            let long = "Warranty of two years on site, with spare parts and travel included. ";
            body["line_items"][0]["item"]["description"] = long.repeat(6).into();
            body["note"] = long.repeat(9).into();
        },
    },
    Sample {
        name: "arabic",
        operation: Operation::Invoice,
        body: event!("invoices/minimal"),
        languages: ARABIC,
        change: |body| {
            body["customer"]["name"] = "شركة الواحة للتوريدات ذ.م.م".into();
            body["customer"]["address"]["line_1"] = "شارع الشيخ زايد، مبنى 12".into();
            body["customer"]["address"]["city"] = "دبي".into();
            body["line_items"][0]["item"]["name"] = "طابعة ملصقات".into();
            body["line_items"][0]["item"]["description"] =
                "طابعة حرارية 203 نقطة، مع كابل USB".into();
            body["note"] = "تبقى البضاعة ملكًا للبائع حتى السداد الكامل.".into();
        },
    },
];

/// The first line so many times, with other quantities.
fn repeat_lines(body: &mut Value, count: usize) {
    let line = body["line_items"][0].clone();
    let lines = (1..=count).map(|place| {
        let mut line = line.clone();
        line["quantity"] = (place % 9 + 1).to_string().into();
        line["item"]["name"] = format!("Label printer, model {place}").into();
        line
    });
    body["line_items"] = lines.collect();
}

/// The UBL of a document of an event.
fn written(operation: Operation, body: &Value) -> String {
    let taxpayer = Profile::from_json(SELLER.as_bytes()).unwrap();
    let issuance = Issuance {
        taxpayer: &taxpayer,
        participant: &"0235:1001234501".parse().unwrap(),
        today: date(2026, 11, 25),
        uuid: Uuid::from_u128(0x3bbe_7cdb_4d76_4ff3_a0fd_4c64_3dca_2017),
        original: None,
    };
    let submission = document::read(operation, body.to_string().as_bytes()).unwrap();
    let (document, _) = document::complete(submission, &issuance).unwrap();
    String::from_utf8(ubl::write(&document)).unwrap()
}

/// An invoice of so many lines with short names and codes.
pub(super) fn invoice(lines: usize) -> String {
    let mut body = serde_json::from_str(event!("invoices/minimal")).unwrap();
    repeat_lines(&mut body, lines);
    written(Operation::Invoice, &body)
}

impl Sample {
    fn ubl(&self) -> String {
        let mut body = serde_json::from_str(self.body).unwrap();
        (self.change)(&mut body);
        written(self.operation, &body)
    }
}

#[expect(clippy::disallowed_methods, reason = "a switch of the test run, not configuration")]
fn is_update() -> bool {
    env::var_os("UPDATE_PICTURES").is_some()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/pictures")
}

/// A committed picture is what the layout draws today. Other processors round the edges of letters differently, so only
/// the processor that wrote the pictures compares them.
#[test]
fn every_kind_of_document_has_a_picture() {
    let at = "2026-11-25T02:18:42Z".parse().unwrap();
    let standing = Standing { state: State::DeliveredAndReported, at };
    for sample in SAMPLES {
        let xml = sample.ubl();
        let view = View::of(&xml::parse(xml.as_bytes()).unwrap()).unwrap();
        let rendering = Rendering { standing: Some(&standing), ..Rendering::of(sample.languages) };
        let pages = pages(&view, &rendering, xml.as_bytes()).unwrap();
        let drawn = |scale: f64| {
            let options =
                typst_render::RenderOptions { pixel_per_pt: scale.into(), ..Default::default() };
            typst_render::render(&pages.pages()[0], &options).encode_png().unwrap()
        };
        let picture = SCALES.into_iter().map(drawn).find(|it| it.len() <= MOST).unwrap();
        let file = folder().join(sample.name).with_extension("png");
        if is_update() {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&file, &picture).unwrap();
        }
        let kept = fs::read(&file).unwrap_or_else(|_| panic!("{}", file.display()));
        assert!(kept.len() <= MOST, "{}", sample.name);
        let is_same = picture == kept || cfg!(not(target_arch = "x86_64"));
        assert!(is_same, "{} is drawn otherwise: UPDATE_PICTURES=1, then look at it", sample.name);
    }
}

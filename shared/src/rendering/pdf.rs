//! Renders a view as PDF/A-3 (ISO 19005-3) with tagged headings, tables and languages. The pages are A4, and the PDF
//! contains the document itself as an attached source file.
//!
//! The layout is the [Typst](https://typst.app) document `templates/rendering/document.typ`. It reads the values as
//! data, so no text of a foreign document is ever code. It has no access to files, packages, the network or a clock.

use std::sync::LazyLock;

use jiff::{Timestamp, tz::TimeZone};
use typst::{
    Library, LibraryExt, World, comemo,
    diag::{FileError, FileResult, SourceDiagnostic},
    foundations::{Bytes, Datetime, Duration, Smart},
    syntax::{FileId, PathError, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::{
    Rendering, View,
    paper::{Paper, Qr},
};
use crate::types::sha256_hex;

/// Noto Sans and Noto Sans Arabic, under the SIL Open Font License 1.1.
const FONTS: [&[u8]; 4] = [
    include_bytes!("../../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansArabic-Regular.ttf"),
    include_bytes!("../../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../../fonts/NotoSansArabic-Bold.ttf"),
];

const LAYOUT: &str = include_str!("../../templates/rendering/document.typ");

/// Why a PDF cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be laid out: {0}")]
pub struct NoPdf(String);

impl NoPdf {
    fn because(why: impl ToString) -> Self {
        NoPdf(why.to_string())
    }

    fn said(diagnostics: impl IntoIterator<Item = SourceDiagnostic>) -> Self {
        let messages = diagnostics.into_iter().map(|it| it.message.to_string());
        NoPdf(messages.collect::<Vec<_>>().join("; "))
    }
}

/// Renders a view as PDF/A-3 with its source `document` attached and with the findings. The same input and time give
/// the same bytes.
///
/// # Errors
/// No known error: the layout accepts every view.
pub fn pdf(
    view: &View,
    rendering: &Rendering<'_>,
    document: &[u8],
    made_at: Timestamp,
) -> Result<Vec<u8>, NoPdf> {
    let pages = pages(view, rendering, document).or_else(|error| match rendering.logo {
        // A logo that is no picture does not keep the document back.
        Some(_) => pages(view, &Rendering { logo: None, ..*rendering }, document),
        None => Err(error),
    });
    let standards =
        PdfStandards::new(&[PdfStandard::A_3a]).map_err(|it| NoPdf(it.message().to_string()))?;
    let options = PdfOptions {
        ident: Smart::Custom(sha256_hex(document)),
        creator: Smart::Custom(None),
        timestamp: moment(made_at).map(typst_pdf::Timestamp::new_utc),
        standards,
        ..PdfOptions::default()
    };
    let pdf = pages.and_then(|pages| typst_pdf::pdf(&pages, &options).map_err(NoPdf::said));
    // The layout cache is useless for other documents, so it is emptied.
    comemo::evict(0);
    pdf
}

/// The name of the PDF that [`pdf`] makes: the SHA-256, in hex, of all that it is made from. Whatever changes the PDF
/// changes the name, a new layout too.
///
/// # Errors
/// No known error, as of [`pdf`].
pub fn pdf_name(
    view: &View,
    rendering: &Rendering<'_>,
    document: &[u8],
    made_at: Timestamp,
) -> Result<String, NoPdf> {
    let paper = Paper::of(view, rendering);
    let sheet = serde_json::to_string(&paper).map_err(NoPdf::because)?;
    let logo = rendering.logo.map_or(&[][..], |logo| logo.png);
    let parts = [LAYOUT.as_bytes(), sheet.as_bytes(), logo, document];
    // Of each part, so that none can begin where another one ends.
    let parts: Vec<_> = parts.into_iter().map(sha256_hex).chain([made_at.to_string()]).collect();
    Ok(sha256_hex(parts.join("\n").as_bytes()))
}

pub(super) fn pages(
    view: &View,
    rendering: &Rendering<'_>,
    document: &[u8],
) -> Result<PagedDocument, NoPdf> {
    let press = PRESS.as_ref().map_err(NoPdf::because)?;
    let paper = Paper::of(view, rendering);
    let sheet = serde_json::to_string(&paper).map_err(NoPdf::because)?;
    let sheet = Bytes::from_string(press.printable(&sheet));
    let document = Bytes::new(document.to_vec());
    let qr = Bytes::from_string(paper.foot.qr.as_ref().map_or_else(String::new, Qr::svg));
    let logo = Bytes::new(rendering.logo.map_or(&[][..], |logo| logo.png).to_vec());
    let job = Job {
        press,
        files: [
            (press.sheet, sheet),
            (press.document, document),
            (press.qr, qr),
            (press.logo, logo),
        ],
    };
    typst::compile::<PagedDocument>(&job).output.map_err(NoPdf::said)
}

fn moment(at: Timestamp) -> Option<Datetime> {
    let at = at.to_zoned(TimeZone::UTC);
    let part = |number: i8| u8::try_from(number).ok();
    Datetime::from_ymd_hms(
        at.year().into(),
        part(at.month())?,
        part(at.day())?,
        part(at.hour())?,
        part(at.minute())?,
        part(at.second())?,
    )
}

/// The parts that all PDFs share.
struct Press {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    layout: Source,
    sheet: FileId,
    document: FileId,
    qr: FileId,
    logo: FileId,
}

static PRESS: LazyLock<Result<Press, PathError>> = LazyLock::new(|| {
    let file = |path| {
        let path = RootedPath::new(VirtualRoot::Project, VirtualPath::new(path)?);
        Ok(FileId::new(path))
    };
    let fonts: Vec<Font> =
        FONTS.into_iter().flat_map(|font| Font::iter(Bytes::new(font))).collect();
    Ok(Press {
        library: LazyHash::new(Library::default()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
        layout: Source::new(file("/document.typ")?, LAYOUT.to_owned()),
        sheet: file("/sheet.json")?,
        document: file("/document.xml")?,
        qr: file("/qr.svg")?,
        logo: file("/logo.png")?,
    })
});

impl Press {
    /// Replaces characters that no font contains by U+FFFD, because a PDF/A-3 must not show missing glyphs (ISO
    /// 19005-3, 6.2.11.8). The attached document keeps them.
    fn printable(&self, text: &str) -> String {
        text.chars()
            .map(|it| if self.prints(it) { it } else { char::REPLACEMENT_CHARACTER })
            .collect()
    }

    fn prints(&self, it: char) -> bool {
        let invisible = matches!(
            it,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{feff}'
        );
        let mut fonts = self.fonts.iter();
        matches!(it, ' '..='~')
            || invisible
            || fonts.any(|font| font.info().coverage.contains(it.into()))
    }
}

/// One PDF: everything that its layout can access.
struct Job<'a> {
    press: &'a Press,
    files: [(FileId, Bytes); 4],
}

impl World for Job<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.press.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.press.book
    }

    fn main(&self) -> FileId {
        self.press.layout.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main() { Ok(self.press.layout.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let file = self.files.iter().find(|(file, _)| *file == id);
        file.map(|(_, bytes)| bytes.clone()).ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.press.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

/// The texts of each page, from top to bottom and from left to right.
#[cfg(test)]
pub(super) fn texts(view: &View, rendering: &Rendering<'_>, document: &[u8]) -> Vec<Vec<String>> {
    use typst::layout::{Abs, Frame, FrameItem, Point};

    fn collect(frame: &Frame, origin: Point, found: &mut Vec<(Abs, Abs, String)>) {
        for (at, item) in frame.items() {
            let at = origin + *at;
            match item {
                FrameItem::Group(group) => collect(&group.frame, at, found),
                FrameItem::Text(text) => found.push((at.y, at.x, text.text.to_string())),
                _ => {}
            }
        }
    }

    let pages = pages(view, rendering, document).unwrap();
    let texts = pages.pages().iter().map(|page| {
        let mut found = Vec::new();
        collect(&page.frame, Point::zero(), &mut found);
        found.sort_by_key(|(y, x, _)| (*y, *x));
        found.into_iter().map(|(_, _, text)| text).collect()
    });
    texts.collect()
}

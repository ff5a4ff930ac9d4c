//! Embeds the document in a report (TDT-012). It stays unchanged, except that attachments are removed.

use crate::xml::{
    Name, Node, Writer,
    names::{cbc, credit_note, invoice},
};

/// The form in which the document is embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As an element.
    Element,
    /// As text inside an otherwise empty element.
    Text,
}

/// The content for a document that cannot be embedded.
const UNREADABLE: &str = "<!-- What was received cannot be read as XML. -->";

/// Writes `pxs:SourceDocument`; without a document, it contains only the comment.
pub(super) fn write(out: &mut Writer, document: Option<Node<'_>>, form: Form) {
    out.group("pxs:SourceDocument", &[], |out| {
        out.group("cec:ExtensionContent", &[], |out| {
            match (document, form) {
                (Some(document), Form::Element) => {
                    without_attached(document).into_iter().for_each(|piece| out.markup(piece));
                }
                (Some(document), Form::Text) => text(out, document),
                (None, _) => around(out, invoice::INVOICE, |out| out.markup(UNREADABLE)),
            }
            out.markup("\n");
        });
    });
}

/// The markup of the document without `cbc:EmbeddedDocumentBinaryObject`. The document declares all its prefixes, and
/// the report declares no default namespace around it. So the embedded markup keeps its meaning.
fn without_attached(document: Node<'_>) -> Vec<&str> {
    let (tree, whole) = (document.tree(), document.extent());
    let (mut pieces, mut at) = (Vec::new(), whole.start);
    let attached = |node: &Node<'_>| node.name() == cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT;
    for object in document.descendants().filter(attached) {
        let cut = object.extent();
        // A nested one was removed with its parent.
        if cut.start >= at {
            pieces.push(tree.text_of(at..cut.start));
            at = cut.end;
        }
    }
    pieces.push(tree.text_of(at..whole.end));
    pieces
}

/// Writes the markup as text, in one or more CDATA sections, because `]]>` ends a section.
fn text(out: &mut Writer, document: Node<'_>) {
    let name = match document.local_name() {
        "CreditNote" => credit_note::CREDIT_NOTE,
        _ => invoice::INVOICE,
    };
    around(out, name, |out| {
        let markup = without_attached(document).concat();
        out.markup("<![CDATA[");
        out.markup(&markup.replace("]]>", "]]]]><![CDATA[>"));
        out.markup("]]>");
    });
}

/// Writes the invoice or credit note element that ibr-tdd-57 demands, with any content.
fn around(out: &mut Writer, name: Name, inside: impl FnOnce(&mut Writer)) {
    let (name, namespace) = (name.local(), name.namespace());
    out.markup(&format!("<ubl:{name} xmlns:ubl=\"{namespace}\">"));
    inside(out);
    out.markup(&format!("</ubl:{name}>"));
}

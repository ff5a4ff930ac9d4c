//! The document that a report embeds (TDT-012): as it was written, but for what is attached to it.

use super::out::Out;
use crate::xml::{
    Name, Node,
    names::{cbc, credit_note, invoice},
};

/// How the document stands in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As the element that it is.
    Element,
    /// As text of an element that is otherwise empty.
    Text,
}

/// Stands where nothing can be embedded.
const UNREADABLE: &str = "<!-- What was received cannot be read as XML. -->";

/// Writes `pxs:SourceDocument`; without a document, an element that holds none.
pub(super) fn write(out: &mut Out, document: Option<Node<'_>>, form: Form) {
    out.group("pxs:SourceDocument", "", |out| {
        out.group("cec:ExtensionContent", "", |out| {
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

/// The markup of the document without any `cbc:EmbeddedDocumentBinaryObject`. It declares every prefix
/// that it uses and stands where no default namespace is, so that it means what it meant alone.
fn without_attached(document: Node<'_>) -> Vec<&str> {
    let (tree, whole) = (document.tree(), document.extent());
    let (mut pieces, mut at) = (Vec::new(), whole.start);
    let attached = |node: &Node<'_>| node.name() == cbc::EMBEDDED_DOCUMENT_BINARY_OBJECT;
    for object in document.descendants().filter(attached) {
        let cut = object.extent();
        // One inside another went with it.
        if cut.start >= at {
            pieces.push(tree.text_of(at..cut.start));
            at = cut.end;
        }
    }
    pieces.push(tree.text_of(at..whole.end));
    pieces
}

/// The markup as text, in one CDATA section or several: `]]>` ends one.
fn text(out: &mut Out, document: Node<'_>) {
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

/// The element of an invoice or credit note that ibr-tdd-57 wants, whatever is in it.
fn around(out: &mut Out, name: Name, inside: impl FnOnce(&mut Out)) {
    let (name, namespace) = (name.local(), name.namespace());
    out.markup(&format!("<ubl:{name} xmlns:ubl=\"{namespace}\">"));
    inside(out);
    out.markup(&format!("</ubl:{name}>"));
}

//! The subset of Markdown in descriptions of the OpenAPI document: paragraphs, lists, `code` and **strong**. Other
//! markup is shown unchanged.

/// A paragraph, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) is_list: bool,
    /// The paragraph as the only entry, or the entries of the list.
    pub(super) entries: Vec<Vec<Piece>>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Plain text.
    Plain(String),
    /// Code.
    Code(String),
    /// Emphasized text.
    Strong(String),
}

/// The blocks of a text.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).map(block).collect()
}

fn block(text: &str) -> Block {
    match text.strip_prefix("- ") {
        None => Block { is_list: false, entries: vec![pieces(text)] },
        // An entry may continue on the next line.
        Some(list) => Block { is_list: true, entries: list.split("\n- ").map(pieces).collect() },
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let parts = text.split('`').enumerate().flat_map(|(place, part)| match place % 2 {
        1 => vec![Piece::Code(part.to_owned())],
        _ => strong(part),
    });
    parts.collect()
}

fn strong(text: &str) -> Vec<Piece> {
    let parts = text.split("**").enumerate().filter(|(_, part)| !part.is_empty());
    let parts = parts.map(|(place, part)| match place % 2 {
        1 => Piece::Strong(part.to_owned()),
        _ => Piece::Plain(part.to_owned()),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lists_code_and_what_is_strong_are_distinguished() {
        let plain = |text: &str| Piece::Plain(text.to_owned());
        let code = |text: &str| Piece::Code(text.to_owned());
        assert_eq!(blocks(" \n\n"), []);
        let found = blocks("**Modes.** See `a**<b>`.\n\n- one\n- `two`\n  more");
        let modes = Piece::Strong("Modes.".to_owned());
        assert_eq!(
            found,
            [
                Block {
                    is_list: false,
                    entries: vec![vec![modes, plain(" See "), code("a**<b>"), plain(".")]],
                },
                Block {
                    is_list: true,
                    entries: vec![vec![plain("one")], vec![code("two"), plain("\n  more")]],
                },
            ]
        );
    }
}

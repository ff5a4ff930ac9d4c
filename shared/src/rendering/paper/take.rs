//! Takes rows out of a view.

use super::super::{Block, Row, Value, View};

impl View {
    /// Every qualifier becomes a row of its own after the row that it qualifies. A qualifier without a term gets the
    /// term of that row.
    pub(super) fn split(mut self) -> Self {
        let View { document, references, seller, buyer, others, totals, payment, .. } = &mut self;
        for block in [document, references, seller, buyer, others, totals, payment] {
            block.split();
        }
        let View { lines, allowances, breakdown, attachments, .. } = &mut self;
        for block in [lines, allowances, breakdown, attachments].into_iter().flatten() {
            block.split();
        }
        self
    }
}

impl Block {
    fn split(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        for mut row in rows {
            let term = row.term;
            let qualifiers = std::mem::take(&mut row.qualifiers);
            self.rows.push(row);
            self.rows.extend(qualifiers.into_iter().map(|(own, value)| Row {
                term: if own.is_empty() { term } else { own },
                value: Value::Code(value),
                qualifiers: Vec::new(),
            }));
        }
        self.blocks.iter_mut().for_each(Block::split);
    }

    /// Takes the first value of a term.
    pub(super) fn take(&mut self, term: &str) -> Option<Row> {
        let at = self.rows.iter().position(|row| row.term == term)?;
        Some(self.rows.remove(at))
    }

    /// Takes all values of a term.
    pub(super) fn take_all(&mut self, term: &str) -> Vec<Row> {
        self.rows.extract_if(.., |row| row.term == term).collect()
    }

    /// The text of the first value of a term, if it is text or a code.
    pub(super) fn text(&self, term: &str) -> Option<&str> {
        self.row(term).and_then(Row::text)
    }

    /// The nested blocks of a group.
    pub(super) fn groups<'a>(&'a mut self, group: &'a str) -> impl Iterator<Item = &'a mut Block> {
        self.blocks.iter_mut().filter(move |block| block.group == group)
    }
}

impl Row {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Code(text) => Some(text),
            _ => None,
        }
    }
}

//! Takes rows out of a view.

use super::super::{Block, Row, Value, View};

impl View {
    /// Every qualifier becomes a row of its own after the row that it qualifies. A qualifier without a term gets the
    /// term of that row. The scheme of an identifier also stays with its identifier.
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
            let rows = row.qualifiers.iter().map(|(own, value)| Row {
                term: if own.is_empty() { row.term } else { own },
                value: Value::Code(value.clone()),
                qualifiers: Vec::new(),
            });
            let rows: Vec<_> = rows.collect();
            row.qualifiers.retain(|(own, _)| is_scheme(own, row.term));
            self.rows.push(row);
            self.rows.extend(rows);
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

/// Whether a qualifier is the scheme of a term: a sub-term such as IBT-029-1, or one without a term.
fn is_scheme(own: &str, term: &str) -> bool {
    own.strip_prefix(term).map_or(own.is_empty(), |rest| rest.starts_with('-'))
}

impl Row {
    pub(in crate::rendering) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Code(text) => Some(text),
            _ => None,
        }
    }
}

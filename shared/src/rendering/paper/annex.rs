//! The annex: every business term that the body does not show, with its name and id.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    super::{Block, Row, View},
    text::{Field, Label, Written},
    writer::Writer,
};

/// The data of the e-invoice that the body does not show.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Annex {
    pub(in crate::rendering) title: Label,
    pub(in crate::rendering) sections: Vec<Section>,
    /// The words before the numbers of lines, and for a value of every line.
    pub(in crate::rendering) line: Label,
    pub(in crate::rendering) every: Label,
    pub(in crate::rendering) unplaced: Option<Unplaced>,
}

/// Terms that belong together.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Section {
    pub(in crate::rendering) title: Label,
    pub(in crate::rendering) entries: Vec<Entry>,
}

/// A term with its values.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Entry {
    pub(in crate::rendering) term: &'static str,
    pub(in crate::rendering) name: Label,
    pub(in crate::rendering) values: Vec<Said>,
}

/// A value, and the lines for which it is said.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Said {
    /// The numbers of lines; empty outside lines.
    pub(in crate::rendering) lines: Written,
    /// Whether all lines have this value.
    pub(in crate::rendering) is_every: bool,
    pub(in crate::rendering) value: Written,
    /// The schemes of an identifier.
    pub(in crate::rendering) schemes: Written,
    /// The meaning of a code.
    pub(in crate::rendering) meaning: Label,
}

/// Values that belong to no business term.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Unplaced {
    pub(in crate::rendering) title: Label,
    pub(in crate::rendering) text: Label,
    /// The path and the value of each.
    pub(in crate::rendering) values: Vec<[Written; 2]>,
}

impl Writer {
    /// All that is left of a view.
    pub(super) fn annex(&self, view: &View, lines: &[String]) -> Annex {
        let mut sections = Vec::new();
        for (title, block) in [
            ("paper-annex-document", &view.document),
            ("paper-annex-references", &view.references),
            ("paper-seller", &view.seller),
            ("paper-buyer", &view.buyer),
            ("paper-annex-others", &view.others),
        ] {
            self.sections(self.words(title), block, &mut sections);
        }
        self.line_sections(&view.lines, lines, &mut sections);
        for block in view.allowances.iter().chain(&view.breakdown) {
            self.sections(self.term(block.group), block, &mut sections);
        }
        self.sections(self.term("IBG-22"), &view.totals, &mut sections);
        self.sections(self.words("paper-payment"), &view.payment, &mut sections);
        for block in &view.attachments {
            self.sections(self.term(block.group), block, &mut sections);
        }
        let values = view.unplaced.iter();
        let values: Vec<_> = values
            .map(|it| [&it.path, &it.value].map(|text| Written::whole(text.clone())))
            .collect();
        let unplaced = (!values.is_empty()).then(|| Unplaced {
            title: self.words("paper-unplaced"),
            text: self.words("paper-unplaced-text"),
            values,
        });
        let [title, line, every] = ["paper-annex", "paper-annex-line", "paper-annex-every"]
            .map(|message| self.words(message));
        Annex { title, sections, line, every, unplaced }
    }

    /// A block and the blocks within it, if they have rows.
    fn sections(&self, title: Label, block: &Block, sections: &mut Vec<Section>) {
        let mut entries: Vec<Entry> = Vec::new();
        let mut rows = block.rows.iter().peekable();
        while let Some(row) = rows.next() {
            let said = self.said(row);
            // A scheme without a term stands beside its identifier. It is a row of its own if the body has the latter.
            rows.next_if(|next| {
                let scheme = row.qualifiers.iter().find(|(own, _)| own.is_empty());
                let scheme = scheme.map(|(_, scheme)| scheme.as_str());
                scheme.is_some() && next.term == row.term && next.text() == scheme
            });
            match entries.iter_mut().find(|entry| entry.term == row.term) {
                Some(entry) => entry.values.push(said),
                None => entries.push(Entry {
                    term: row.term,
                    name: self.term(row.term),
                    values: vec![said],
                }),
            }
        }
        if !entries.is_empty() {
            sections.push(Section { title, entries });
        }
        for inner in &block.blocks {
            self.sections(self.term(inner.group), inner, sections);
        }
    }

    fn said(&self, row: &Row) -> Said {
        let Field { value, .. } = self.field(row);
        let (lines, is_every) = (Written::default(), false);
        let schemes = row.qualifiers.iter().map(|(_, scheme)| scheme.as_str());
        let schemes = Written::whole(schemes.collect::<Vec<_>>().join(", "));
        Said { lines, is_every, value, schemes, meaning: self.meaning(row) }
    }

    /// The lines by terms: a value that several lines have is said once, with the numbers of these lines.
    fn line_sections(&self, lines: &[Block], numbers: &[String], sections: &mut Vec<Section>) {
        // The terms of each group, in the order of their first line.
        let mut groups: Vec<(&'static str, Vec<Values<'_>>)> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            collect(at, line, &mut groups);
        }
        for (group, values) in groups {
            let entries = values.into_iter().map(|values| {
                let said = values.rows.into_values().map(|(row, at)| {
                    let is_every = lines.len() > 1 && at.iter().copied().eq(0..lines.len());
                    Said {
                        lines: Written::whole(if is_every || lines.len() == 1 {
                            String::new()
                        } else {
                            runs(&at, numbers)
                        }),
                        is_every,
                        ..self.said(row)
                    }
                });
                Entry { term: values.term, name: self.term(values.term), values: said.collect() }
            });
            let title =
                if group == "IBG-25" { self.words("paper-annex-lines") } else { self.term(group) };
            sections.push(Section { title, entries: entries.collect() });
        }
    }
}

/// The values of a term in lines.
struct Values<'a> {
    term: &'static str,
    /// Each value, keyed by the order in which it came, with its lines.
    rows: BTreeMap<usize, (&'a Row, Vec<usize>)>,
    /// The order of each value.
    order: BTreeMap<String, usize>,
}

/// Sorts the rows of a line, and of the blocks within it, by their groups and terms.
fn collect<'a>(at: usize, block: &'a Block, groups: &mut Vec<(&'static str, Vec<Values<'a>>)>) {
    for row in &block.rows {
        let terms = entry(groups, |(group, _)| *group == block.group, || (block.group, Vec::new()));
        let values = entry(
            &mut terms.1,
            |values| values.term == row.term,
            || Values { term: row.term, rows: BTreeMap::new(), order: BTreeMap::new() },
        );
        let next = values.order.len();
        let order = format!("{:?}", (&row.value, &row.qualifiers));
        let order = *values.order.entry(order).or_insert(next);
        let (_, lines) = values.rows.entry(order).or_insert_with(|| (row, Vec::new()));
        lines.push(at);
    }
    for inner in &block.blocks {
        collect(at, inner, groups);
    }
}

/// The item that fits, or a new one at the end.
fn entry<T>(items: &mut Vec<T>, fits: impl Fn(&T) -> bool, new: impl Fn() -> T) -> &mut T {
    let at = items.iter().position(fits).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    });
    &mut items[at]
}

/// The numbers of lines at ascending places, with runs: `1–3, 7`. A line that has a value twice is there twice.
fn runs(places: &[usize], numbers: &[String]) -> String {
    let number = |at: &usize| numbers.get(*at).map_or("", String::as_str);
    let runs = places.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] => format!("{}–{}", number(first), number(last)),
        [only] => number(only).to_owned(),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn the_numbers_of_lines_are_told_by_runs() {
        let numbers: Vec<_> = (1..=9).map(|it| it.to_string()).collect();
        assert_eq!(runs(&[0, 1, 2, 4, 6, 7], &numbers), "1–3, 5, 7–8");
        assert_eq!(runs(&[3, 3], &numbers), "4, 4");
        assert_eq!(runs(&[], &numbers), "");
        assert_eq!(runs(&[0, 1], &["A".to_owned(), "C".to_owned()]), "A–C");
    }
}

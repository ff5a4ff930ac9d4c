//! The columns that the header of a table names.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
};

use csv::StringRecord;

use crate::{
    document::Operation,
    error::Finding,
    import_tables::{MAX_COLUMNS, MAX_FINDINGS, columns::Column, is_of_type, one},
};

/// The columns by their names, and the position of the number column; or all errors.
pub(super) fn columns(
    operation: Operation,
    names: &StringRecord,
) -> Result<(Vec<Column>, usize), Vec<Finding>> {
    // Checked first: the following steps take time for each column.
    if names.len() > MAX_COLUMNS {
        let message = format!(
            "the table has {} columns, but an import has at most {MAX_COLUMNS}: remove the empty columns",
            names.len()
        );
        return Err(one("AP-IMPORT-columns", message));
    }
    let (mut columns, mut found) = (Vec::<Column>::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        let column = match Column::read(operation, name) {
            Ok(column) => column,
            Err(_) if name.is_empty() => {
                found.push(wrong(format!("column {} has no name", place + 1)));
                continue;
            }
            Err(_) if names.len() == 1 && name.contains([';', '\t']) => {
                found.push(wrong("the columns are not separated by commas".to_owned()));
                continue;
            }
            Err(message) => {
                // A name may be a whole file, so it is cut.
                found.push(wrong(message.chars().take(300).collect()));
                continue;
            }
        };
        columns.push(column);
    }
    let firsts = first_same(columns.iter().map(|column| (column.of_line, &column.steps)));
    for (column, first) in columns.iter().zip(firsts) {
        if let Some(first) = first.and_then(|first| columns.get(first)) {
            let message = format!("{:?} and {:?} are the same column", column.name, first.name);
            found.push(wrong(message));
        }
    }
    let name = operation.number_field();
    let number = columns.iter().position(|column| column.name == name);
    if found.is_empty() && number.is_none() {
        found.push(wrong(format!(
            "there is no column {name}, which decides which rows are one document"
        )));
    }
    found.truncate(MAX_FINDINGS);
    match number {
        Some(number) if found.is_empty() => Ok((columns, number)),
        _ => Err(found),
    }
}

/// For each key, the position of the first equal key, if there is an earlier one. Hashing avoids comparing every
/// pair.
fn first_same<K: Eq + Hash>(keys: impl IntoIterator<Item = K>) -> Vec<Option<usize>> {
    let mut places = HashMap::new();
    let keys = keys.into_iter().enumerate();
    keys.map(|(place, key)| match places.entry(key) {
        Entry::Occupied(first) => Some(*first.get()),
        Entry::Vacant(new) => {
            new.insert(place);
            None
        }
    })
    .collect()
}

/// The error for columns of another kind of document. It replaces the errors of the single columns.
pub(super) fn of_another_kind(
    operation: Operation,
    names: &StringRecord,
    found: Vec<Finding>,
) -> Vec<Finding> {
    let has = |kind: Operation| names.iter().any(|name| name == kind.number_field());
    let many = |kind: Operation| columns(kind, names).map_or_else(|found| found.len(), |_| 0);
    let others = Operation::ALL.into_iter().filter(|other| *other != operation && has(*other));
    let others: Vec<_> = others.map(|other| (many(other), other)).collect();
    let fewest = others.iter().map(|(many, _)| *many).min();
    // Columns without the number field of the named kind are of another kind, even if that kind does not fit
    // completely.
    if names.len() > MAX_COLUMNS || fewest.is_none_or(|few| few > 0 && has(operation)) {
        return found;
    }
    let fitting = others.into_iter().filter(|(many, _)| Some(*many) == fewest);
    let fitting: Vec<_> = fitting.map(|(_, other)| other).collect();
    is_of_type("the columns are", operation, &fitting)
}

fn wrong(message: String) -> Finding {
    Finding::error("", "AP-IMPORT-column", message)
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, hash::Hasher};

    use super::*;

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// A key that counts its comparisons.
    struct Counted(usize);

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted {}

    impl Hash for Counted {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[test]
    fn twice_as_many_columns_take_twice_the_work() {
        for many in [1_000, 2_000, 64_000] {
            COMPARED.set(0);
            // The second half repeats the columns of the first half.
            let firsts = first_same((0..many).map(|key| Counted(key % (many / 2))));
            let again = firsts.iter().filter(|first| first.is_some()).count();
            assert_eq!((again, firsts[many - 1]), (many / 2, Some(many / 2 - 1)));
            assert!(COMPARED.get() <= 2 * many, "{} for {many}", COMPARED.get());
        }
    }
}

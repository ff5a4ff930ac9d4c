//! Lines for people.

/// Lines whose columns stand under each other, two spaces apart.
pub(super) fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}

/// A line of columns.
#[cfg(feature = "service")]
pub(super) fn line<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other_in_any_script() {
        let lines = [line(["key_1", "شركة", "active"]), line(["key_22", "a", "revoked"])];
        assert_eq!(aligned(&lines), "key_1   شركة  active\nkey_22  a     revoked\n");
        assert_eq!(aligned(&[]), "");
    }
}

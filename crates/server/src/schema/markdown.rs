//! The table of frame sections in `docs/protocol.md`.

use crate::session::SectionKind;

/// One row for each kind of section.
pub fn sections() -> String {
    let row = |kind: SectionKind| {
        let field = |(name, floats): &(&str, usize)| match floats {
            1 => format!("`{name}`"),
            count => format!("`{name}` x {count}"),
        };
        let fields: Vec<_> = kind.fields().iter().map(field).collect();
        let (id, name, floats) = (kind as u32, kind.name(), kind.floats());
        format!("| {id} | {name} | {floats} | {} | {} |\n", fields.join(", "), kind.description())
    };
    let rows: String = SectionKind::ALL.into_iter().map(row).collect();
    format!("| kind | name | floats per item | fields | contents of an item |\n|---|---|---|---|---|\n{rows}")
}

//! Format 2: the table of interventions always exists. Release 0.1 created it with the first intervention.

use super::{Change, Migration};

pub(super) const MIGRATION: Migration = Migration {
    format: 2,
    changes: &[Change::Table {
        name: "interventions",
        columns: "number INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL, one INTEGER, other INTEGER,
                  genome BLOB, origin TEXT, seal INTEGER NOT NULL",
    }],
};

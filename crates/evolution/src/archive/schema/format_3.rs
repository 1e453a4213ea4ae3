//! Format 3: contests. The side of an individual, and its meetings with opponents with the results.

use super::{Change, Migration};

pub(super) const MIGRATION: Migration = Migration {
    format: 3,
    changes: &[
        Change::Column { table: "individuals", name: "side", kind: "INTEGER", default: "NULL" },
        Change::Table {
            name: "meetings",
            columns: "individual INTEGER NOT NULL, place INTEGER NOT NULL, opponent INTEGER NOT NULL,
                      fitness REAL NOT NULL, opponent_fitness REAL NOT NULL, result TEXT NOT NULL,
                      PRIMARY KEY (individual, place)",
        },
    ],
};

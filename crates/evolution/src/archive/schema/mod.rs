//! Formats of the tables of an archive, and the migrations between them.
//!
//! The column `run.format` holds the format of a file. [`format_1`] has the tables of format 1; every later format
//! has one file with its migration. A new archive is created in format 1 and migrated at once, so that each table is
//! described once.
//!
//! A file is migrated in place only when its run is resumed. For reading, temporary tables and views give an older
//! file the layout of the newest format: SQLite looks a name up in the temporary schema first, and a read-only
//! connection may have one. The file itself does not change.
//!
//! Rules for migrations:
//!
//! - A migration adds tables or columns. It does not change what older rows contain, because their links are hashes
//!   of it. A new column becomes part of a row's link only where its value is not the default.
//! - `run.format`, `run.program` and SQLite's application id stay where they are: every release reads them first.

mod format_1;
mod format_2;
mod format_3;

use rusqlite::Connection;

/// Newest format, which this program writes.
pub(super) const FORMAT: i64 = 3;

/// Format of release 0.1, the oldest one.
pub(super) const OLDEST_FORMAT: i64 = 1;

/// Migrations in order of their formats, from 2 to [`FORMAT`].
const MIGRATIONS: &[Migration] = &[format_2::MIGRATION, format_3::MIGRATION];

/// Changes that lead from the previous format to `format`.
#[derive(Debug)]
struct Migration {
    format: i64,
    changes: &'static [Change],
}

/// One addition to the tables.
#[derive(Debug)]
enum Change {
    /// A new table, unless the file has it.
    Table { name: &'static str, columns: &'static str },
    /// A new column at the end of a table, with the value (an SQL literal) that older rows have.
    Column { table: &'static str, name: &'static str, kind: &'static str, default: &'static str },
}

/// Creates the tables of the oldest format in an empty database.
pub(super) fn create_oldest(database: &Connection) -> rusqlite::Result<()> {
    database.execute_batch(format_1::TABLES)
}

/// Migrates the file from a format to the newest one. The caller provides the transaction.
pub(super) fn migrate(database: &Connection, from: i64) -> rusqlite::Result<()> {
    migrate_by(MIGRATIONS, database, from)
}

/// Gives a connection to an older file the newest layout by temporary tables and views, without changing the file.
pub(super) fn emulate_newest(database: &Connection, from: i64) -> rusqlite::Result<()> {
    emulate_by(MIGRATIONS, database, from)
}

fn migrate_by(migrations: &[Migration], database: &Connection, from: i64) -> rusqlite::Result<()> {
    for migration in migrations.iter().filter(|migration| migration.format > from) {
        migration.changes.iter().try_for_each(|change| change.apply(database))?;
        database.execute("UPDATE run SET format = ?1", [migration.format])?;
    }
    Ok(())
}

fn emulate_by(migrations: &[Migration], database: &Connection, from: i64) -> rusqlite::Result<()> {
    let mut missing = migrations.iter().filter(|migration| migration.format > from).peekable();
    if missing.peek().is_some() {
        database.pragma_update(None, "temp_store", "MEMORY")?;
    }
    missing.flat_map(|migration| migration.changes).try_for_each(|change| change.emulate(database))
}

impl Change {
    fn apply(&self, database: &Connection) -> rusqlite::Result<()> {
        database.execute_batch(&match self {
            Self::Table { name, columns } => format!("CREATE TABLE IF NOT EXISTS main.{name} ({columns})"),
            Self::Column { table, name, kind, default } => {
                format!("ALTER TABLE main.{table} ADD COLUMN {name} {kind} DEFAULT {default}")
            }
        })
    }

    fn emulate(&self, database: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Table { name, columns } => {
                let query = "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = ?1";
                let exists = database.query_row(query, [name], |row| row.get::<_, i64>(0))? > 0;
                if exists { Ok(()) } else { database.execute_batch(&format!("CREATE TEMP TABLE {name} ({columns})")) }
            }
            Self::Column { table, name, default, .. } => {
                // A view that an earlier change made is extended: its statement becomes a subquery.
                let prefix = format!("CREATE VIEW {table} AS ");
                let query = "SELECT sql FROM temp.sqlite_master WHERE type = 'view' AND name = ?1";
                let mut statement = database.prepare(query)?;
                let view: Option<String> = statement.query_map([table], |row| row.get(0))?.next().transpose()?;
                let rows = match view.as_deref().and_then(|view| view.strip_prefix(&prefix)) {
                    Some(select) => format!("({select})"),
                    None => format!("main.{table}"),
                };
                database.execute_batch(&format!(
                    "DROP VIEW IF EXISTS temp.{table};
                     CREATE TEMP VIEW {table} AS SELECT *, {default} AS {name} FROM {rows}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: &[Migration] = &[
        format_2::MIGRATION,
        Migration {
            format: 3,
            changes: &[Change::Column { table: "founders", name: "age", kind: "INTEGER", default: "7" }],
        },
        Migration {
            format: 4,
            changes: &[Change::Column { table: "founders", name: "place", kind: "TEXT", default: "NULL" }],
        },
    ];

    fn oldest() -> Connection {
        let database = Connection::open_in_memory().unwrap();
        create_oldest(&database).unwrap();
        database.execute("INSERT INTO run VALUES (1, '', '', '', 0, 0, '')", []).unwrap();
        database.execute("INSERT INTO founders VALUES (0, x'01', 'somewhere')", []).unwrap();
        database
    }

    fn columns(database: &Connection, table: &str) -> Vec<String> {
        let statement = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        statement.column_names().map(str::to_string).collect()
    }

    #[test]
    fn migrations_lead_to_the_newest_format_one_by_one() {
        let formats: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.format).collect();
        assert_eq!(formats, (OLDEST_FORMAT + 1..=FORMAT).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_reads_the_same_whether_it_is_migrated_or_emulated() {
        let (migrated, emulated) = (oldest(), oldest());
        migrate_by(LATER, &migrated, 1).unwrap();
        emulate_by(LATER, &emulated, 1).unwrap();
        for table in ["run", "founders", "individuals", "parents", "interventions"] {
            assert_eq!(columns(&migrated, table), columns(&emulated, table), "{table}");
        }
        let founder = |database: &Connection| {
            let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?));
            database.query_row("SELECT age, place FROM founders WHERE number = 0", [], read).unwrap()
        };
        assert_eq!(founder(&migrated), (7, None));
        assert_eq!(founder(&emulated), (7, None));
        let format = |database: &Connection| -> i64 {
            database.query_row("SELECT format FROM run", [], |row| row.get(0)).unwrap()
        };
        assert_eq!((format(&migrated), format(&emulated)), (4, 1));
        assert_eq!(columns(&emulated, "main.founders"), ["number", "genome", "origin"], "the file itself");
    }

    #[test]
    fn a_table_that_the_file_has_is_not_hidden() {
        let database = oldest();
        database
            .execute_batch("CREATE TABLE interventions (number INTEGER); INSERT INTO interventions VALUES (5)")
            .unwrap();
        emulate_newest(&database, 1).unwrap();
        let number: i64 = database.query_row("SELECT number FROM interventions", [], |row| row.get(0)).unwrap();
        assert_eq!(number, 5);
    }
}

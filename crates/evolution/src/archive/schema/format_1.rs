//! Tables of format 1, written by release 0.1. They must not be edited: later formats add to them by migrations.

pub(super) const TABLES: &str = "
CREATE TABLE run (format INTEGER NOT NULL, program TEXT NOT NULL, generator TEXT NOT NULL, config TEXT NOT NULL,
  seal INTEGER NOT NULL, evaluations INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE founders (number INTEGER PRIMARY KEY, genome BLOB NOT NULL, origin TEXT NOT NULL);
CREATE TABLE individuals (
  id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, operator TEXT NOT NULL, seed INTEGER NOT NULL,
  genome BLOB NOT NULL, opponent INTEGER, outcome TEXT NOT NULL, reason TEXT NOT NULL, fitness REAL NOT NULL,
  parameters TEXT NOT NULL, measures TEXT NOT NULL, descriptors TEXT NOT NULL, steps INTEGER NOT NULL,
  seconds REAL NOT NULL, evaluation INTEGER NOT NULL, link INTEGER NOT NULL
);
CREATE TABLE parents (
  child INTEGER NOT NULL, place INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (child, place)
) WITHOUT ROWID;
CREATE INDEX children ON parents (parent);
CREATE INDEX by_fitness ON individuals (fitness);
";

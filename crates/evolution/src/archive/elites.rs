//! The map of a run: the best of each kind, on a grid of any descriptors, whatever algorithm bred them.

use std::collections::BTreeMap;

use burgess_creature::evaluation::Descriptors;

use super::{Archive, ArchiveError};
use crate::algorithm::{Dimension, MapElitesSettings};
use crate::config::AlgorithmConfig;
use crate::individual::Id;

/// Cells of a descriptor that the run itself has no grid for.
const USUAL_CELLS: usize = 12;

/// Who lives in a cell, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Elite {
    /// Its place along each dimension.
    pub cell: Vec<usize>,
    /// Its number.
    pub id: Id,
    /// At the task as it is at the end.
    pub fitness: f64,
}

impl Archive {
    /// The grid of the run's algorithm, if it has one, or the usual one.
    pub fn dimensions(&self) -> Result<Vec<Dimension>, ArchiveError> {
        Ok(match self.config()?.algorithm {
            AlgorithmConfig::MapElites(settings) => settings.dimensions,
            _ => MapElitesSettings::default().dimensions,
        })
    }

    /// A dimension of a descriptor: that of the run's grid, or one from its lowest to its highest value. None if there is no such
    /// descriptor.
    pub fn dimension(&self, descriptor: &str) -> Result<Option<Dimension>, ArchiveError> {
        if !Descriptors::NAMES.contains(&descriptor) {
            return Ok(None);
        }
        if let Some(own) = self.dimensions()?.into_iter().find(|own| own.descriptor == descriptor) {
            return Ok(Some(own));
        }
        let query = "SELECT min(json_extract(descriptors, ?1)), max(json_extract(descriptors, ?1)) FROM individuals
                     WHERE outcome = 'scored'";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, Option<f64>>(0)?, row.get::<_, Option<f64>>(1)?));
        let found = self.database.query_row(query, [format!("$.{descriptor}")], read);
        let (low, high) = found.map_err(|source| self.failed(source))?;
        let low = low.unwrap_or(0.0);
        let high = high.filter(|high| *high > low).unwrap_or(low + 1.0);
        Ok(Some(Dimension { descriptor: descriptor.to_string(), low, high, cells: USUAL_CELLS }))
    }

    /// The fittest of each cell, the elder of equals; those who count are those of [`fittest`](Self::fittest).
    pub fn elites(&self, dimensions: &[Dimension]) -> Result<Vec<Elite>, ArchiveError> {
        let mut cells: BTreeMap<Vec<usize>, (Id, f64)> = BTreeMap::new();
        let query = format!("SELECT id, fitness, descriptors FROM individuals WHERE {} ORDER BY id", self.counted()?);
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.database.prepare(&query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (id, fitness) = (row.get::<_, i64>(0)? as Id, row.get::<_, f64>(1)?);
                let values: BTreeMap<String, f64> = serde_json::from_str(row.get_ref(2)?.as_str()?).unwrap_or_default();
                let cell = dimensions.iter().map(|dimension| dimension.cell(&values)).collect();
                let elite = cells.entry(cell).or_insert((id, fitness));
                if fitness > elite.1 {
                    *elite = (id, fitness);
                }
            }
            Ok(())
        };
        read().map_err(|source| self.failed(source))?;
        Ok(cells.into_iter().map(|(cell, (id, fitness))| Elite { cell, id, fitness }).collect())
    }
}

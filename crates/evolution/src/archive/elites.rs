//! The map of a run: the best individual of each cell of a grid of descriptors, for runs of any algorithm.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use burgess_creature::evaluation::Descriptors;

use super::individuals::counted_of;
use super::{Archive, ArchiveError};
use crate::algorithm::{Dimension, MapElitesSettings};
use crate::individual::Id;

/// Number of cells for a descriptor that is not part of the run's own grid.
const DEFAULT_CELLS: usize = 12;

/// The best individual of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Elite {
    /// Index of the cell along each dimension.
    pub cell: Vec<usize>,
    /// Id of the individual.
    pub id: Id,
    /// Fitness at the final task of the run.
    pub fitness: f64,
}

impl Archive {
    /// Returns the grid of the latest stage whose algorithm has one, or the default grid.
    pub fn dimensions(&self) -> Result<Vec<Dimension>, ArchiveError> {
        let config = self.config()?;
        let own = |index| config.stage(index).algorithm.dimensions().map(<[Dimension]>::to_vec);
        let found = (0..config.stage_count()).rev().find_map(own);
        Ok(found.unwrap_or_else(|| MapElitesSettings::default().dimensions))
    }

    /// Returns the dimension of a descriptor: the one of the run's grid, or one from the lowest to the highest value in
    /// the run. Returns `None` if there is no such descriptor.
    pub fn dimension(&self, descriptor: &str) -> Result<Option<Dimension>, ArchiveError> {
        if let Some(own) = self.dimensions()?.into_iter().find(|own| own.descriptor == descriptor) {
            return Ok(Some(own));
        }
        if !Descriptors::NAMES.contains(&descriptor) {
            return Ok(None);
        }
        let query = format!(
            "SELECT min(json_extract(descriptors, ?1)), max(json_extract(descriptors, ?1)) FROM individuals
             WHERE outcome = 'scored' AND {}",
            self.undamaged()
        );
        let read = |row: &rusqlite::Row| Ok((row.get::<_, Option<f64>>(0)?, row.get::<_, Option<f64>>(1)?));
        let found = self.database.query_row(&query, [format!("$.{descriptor}")], read);
        let (low, high) = found.map_err(|cause| self.failed(cause))?;
        let low = low.unwrap_or(0.0);
        let high = high.filter(|high| *high > low).unwrap_or(low + 1.0);
        Ok(Some(Dimension { descriptor: descriptor.to_string(), low, high, cells: DEFAULT_CELLS }))
    }

    /// Returns the fittest individual of each cell, the older of equals. Only those that [`fittest`](Self::fittest)
    /// considers count.
    pub fn elites(&self, dimensions: &[Dimension]) -> Result<Vec<Elite>, ArchiveError> {
        self.elites_where(&self.counted()?, dimensions)
    }

    /// Returns the ids of the elites among some births of one stage, the fittest first.
    pub(crate) fn elites_of(
        &self,
        births: Range<Id>,
        most: usize,
        removed: &BTreeSet<Id>,
    ) -> Result<Vec<Id>, ArchiveError> {
        let mut elites = self.elites_where(&counted_of(&births, removed), &self.dimensions()?)?;
        elites.sort_by(|a, b| b.fitness.total_cmp(&a.fitness).then(a.id.cmp(&b.id)));
        Ok(elites.into_iter().take(most).map(|elite| elite.id).collect())
    }

    fn elites_where(&self, counted: &str, dimensions: &[Dimension]) -> Result<Vec<Elite>, ArchiveError> {
        let mut cells: BTreeMap<Vec<usize>, (Id, f64)> = BTreeMap::new();
        let query = format!("SELECT id, fitness, descriptors, measures FROM individuals WHERE {counted} ORDER BY id");
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.database.prepare(&query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (id, fitness) = (row.get::<_, i64>(0)? as Id, row.get::<_, f64>(1)?);
                // Damage is found by `check`, not here.
                let named = |column| -> rusqlite::Result<BTreeMap<String, f64>> {
                    Ok(serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default())
                };
                let mut values = named(3)?;
                values.extend(named(2)?);
                let cell = dimensions.iter().map(|dimension| dimension.cell(&values)).collect();
                let elite = cells.entry(cell).or_insert((id, fitness));
                if fitness > elite.1 {
                    *elite = (id, fitness);
                }
            }
            Ok(())
        };
        read().map_err(|cause| self.failed(cause))?;
        Ok(cells.into_iter().map(|(cell, (id, fitness))| Elite { cell, id, fitness }).collect())
    }
}

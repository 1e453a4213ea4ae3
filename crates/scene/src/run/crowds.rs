//! The crowds of a running scene.

use burgess_agents::crowd::Walker;
use burgess_agents::pedestrians::Pedestrians;
use burgess_simulation::ControllerMemory;

use super::RunningScene;

impl RunningScene {
    /// Number of people who walk.
    pub fn walker_count(&self) -> usize {
        self.crowds.iter().map(|(_, crowd)| crowd.layout().walkers()).sum()
    }

    /// The crowds, in the order of the scene, each with its memory.
    pub fn crowds(&self) -> impl Iterator<Item = (&Pedestrians, &[f64])> {
        let controllers = &self.simulation.data().controllers;
        self.crowds.iter().map(|(number, crowd)| (&**crowd, controllers.high_level_memory(*number)))
    }

    /// Calls `visit` with the link and the walker of everybody who walks.
    pub fn visit_walkers(&self, mut visit: impl FnMut(usize, &Walker)) {
        for (crowd, memory) in self.crowds() {
            for (index, &link) in crowd.plan().bodies.iter().enumerate() {
                visit(link, &crowd.layout().read_walker(memory, index));
            }
        }
    }

    /// Calls `change` with the walkers of a crowd and their indices, and keeps what it changes.
    pub fn change_walkers(&mut self, crowd: usize, mut change: impl FnMut(usize, &mut Walker)) {
        let Some((number, crowd)) = self.crowds.get(crowd) else { return };
        let memory = self.simulation.data_mut().controllers.high_level_memory_mut(*number);
        for index in 0..crowd.layout().walkers() {
            let mut walker = crowd.layout().read_walker(memory, index);
            change(index, &mut walker);
            if let Some(numbers) = memory.get_mut(crowd.layout().walker(index)) {
                numbers.copy_from_slice(&walker.to_numbers());
            }
        }
    }

    /// Fits the memory of the controllers of another scene to this one. The scene may differ from it by people who
    /// joined a crowd; they have their start.
    pub fn fit_crowds(&self, before: &Self, memory: &mut ControllerMemory) {
        let (own, old) = (&self.simulation.data().controllers, &before.simulation.data().controllers);
        if own.high_level_count() != old.high_level_count() || self.crowds.len() != before.crowds.len() {
            return;
        }
        memory.high_level.clear();
        for number in 0..own.high_level_count() {
            let old_memory = old.high_level_memory(number);
            match self.crowds.iter().zip(&before.crowds).find(|((own, _), _)| *own == number) {
                None => memory.high_level.extend_from_slice(old_memory),
                Some(((_, crowd), (_, old_crowd))) => {
                    let mut fitted = own.high_level_memory(number).to_vec();
                    crowd.layout().carry_over(&mut fitted, old_crowd.layout(), old_memory);
                    memory.high_level.extend(fitted);
                }
            }
        }
    }
}

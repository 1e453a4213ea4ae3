//! Builds a validated model from the user's specification.

use glam::DVec3;

use crate::ModelError;
use crate::model::{LinkId, Model};
use crate::spec::{JointSpec, LinkSpec};

mod checks;
mod links;

use checks::{check_link, check_properties};
use links::push_link;

/// A link with its joint and parent, as the caller described it.
#[derive(Debug, Clone)]
struct Entry {
    parent: Option<LinkId>,
    joint: JointSpec,
    link: LinkSpec,
}

/// Collects links, then checks and orders them. Keep the builder to add or remove links later.
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    /// Generation of each slot, and its link.
    slots: Vec<(u32, Option<Entry>)>,
    gravity: DVec3,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// Creates an empty builder with gravity of 9.81 m/s^2 along -z.
    pub fn new() -> Self {
        Self { slots: Vec::new(), gravity: DVec3::new(0.0, 0.0, -9.81) }
    }

    /// Sets gravity, in m/s^2.
    pub fn gravity(&mut self, gravity: DVec3) -> &mut Self {
        self.gravity = gravity;
        self
    }

    /// Adds a link attached to `parent` (`None`: the world) by a joint. It is checked when the model is built.
    pub fn add_link(&mut self, parent: Option<LinkId>, joint: JointSpec, link: LinkSpec) -> LinkId {
        let entry = Some(Entry { parent, joint, link });
        let slot = match self.slots.iter().position(|(_, entry)| entry.is_none()) {
            Some(slot) => {
                self.slots[slot].0 += 1;
                self.slots[slot].1 = entry;
                slot
            }
            None => {
                self.slots.push((0, entry));
                self.slots.len() - 1
            }
        };
        LinkId { slot: slot as u32, generation: self.slots[slot].0 }
    }

    /// Attaches a link to another parent.
    pub fn set_parent(&mut self, id: LinkId, parent: Option<LinkId>) -> Result<(), ModelError> {
        self.entry_mut(id)?.parent = parent;
        Ok(())
    }

    /// Removes a link and its subtree.
    pub fn remove(&mut self, id: LinkId) -> Result<(), ModelError> {
        self.entry_mut(id)?;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            self.slots[id.slot as usize].1 = None;
            for (slot, (generation, entry)) in self.slots.iter().enumerate() {
                if entry.as_ref().is_some_and(|e| e.parent == Some(id)) {
                    pending.push(LinkId { slot: slot as u32, generation: *generation });
                }
            }
        }
        Ok(())
    }

    /// Checks all links and builds the model. The builder can be changed and built again; ids of links stay valid.
    pub fn build(&self) -> Result<Model, ModelError> {
        let order = self.ordered()?;
        if !self.gravity.is_finite() {
            return Err(ModelError::NotFinite { link: "the world".to_string(), what: "gravity" });
        }
        let mut model = Model {
            links: Vec::with_capacity(order.len()),
            names: Vec::with_capacity(order.len()),
            masses: Vec::with_capacity(order.len()),
            axes: Vec::new(),
            properties: Vec::new(),
            positions: 0,
            block_length: 0,
            scripts: 0,
            gravity: self.gravity,
            slots: vec![None; self.slots.len()],
        };
        for id in order {
            let entry = self.entry(id).ok_or(ModelError::UnknownLink)?;
            check_link(&entry.link)?;
            check_properties(entry)?;
            model.slots[id.slot as usize] = Some((id.generation, model.links.len() as u32));
            push_link(&mut model, id, entry)?;
        }
        Ok(model)
    }

    fn entry_mut(&mut self, id: LinkId) -> Result<&mut Entry, ModelError> {
        match self.slots.get_mut(id.slot as usize) {
            Some((generation, Some(entry))) if *generation == id.generation => Ok(entry),
            _ => Err(ModelError::UnknownLink),
        }
    }

    fn entry(&self, id: LinkId) -> Option<&Entry> {
        self.slots.get(id.slot as usize).filter(|(generation, _)| *generation == id.generation)?.1.as_ref()
    }

    /// Returns all links, tree by tree in depth-first order, in the order of their slots.
    fn ordered(&self) -> Result<Vec<LinkId>, ModelError> {
        let all: Vec<(LinkId, &Entry)> = (self.slots.iter().enumerate())
            .filter_map(|(slot, (generation, entry))| {
                Some((LinkId { slot: slot as u32, generation: *generation }, entry.as_ref()?))
            })
            .collect();
        let mut children: Vec<Vec<LinkId>> = vec![Vec::new(); self.slots.len()];
        let mut roots = Vec::new();
        for (id, entry) in &all {
            match entry.parent {
                None => roots.push(*id),
                Some(parent) if self.entry(parent).is_some() => children[parent.slot as usize].push(*id),
                Some(_) => return Err(ModelError::MissingParent { link: entry.link.name.clone() }),
            }
        }
        let mut order = Vec::with_capacity(all.len());
        let mut stack: Vec<LinkId> = roots.into_iter().rev().collect();
        while let Some(id) = stack.pop() {
            order.push(id);
            stack.extend(children[id.slot as usize].iter().rev());
        }
        if order.len() < all.len() {
            let lost = all.iter().find(|(id, _)| !order.contains(id)).map(|(_, e)| e.link.name.clone());
            return Err(ModelError::Cycle { link: lost.unwrap_or_default() });
        }
        Ok(order)
    }
}

//! MuJoCo as an engine of the referee.

use std::collections::BTreeMap;
use std::path::Path;

use burgess_peers::mujoco::{Library, Moment as State, Mujoco};
use burgess_referee::{Drive, Engine, EngineError, Moment};

use crate::variant::{Contacts, Variant};

/// MuJoCo's number of the integrator that exported models name; the shim replaces it.
const IMPLICIT_FAST: i32 = 3;
/// MuJoCo's number of pyramidal friction cones.
const PYRAMIDAL: i32 = 0;

/// Impedance of stiff contacts, and the depth (m) at which it is reached.
const STIFF_IMPEDANCE: [f64; 3] = [0.99, 0.999, 1e-4];

/// A creature in MuJoCo.
#[derive(Debug)]
struct MujocoEngine {
    mujoco: Mujoco,
    names: Vec<String>,
    ids: BTreeMap<String, usize>,
    substeps: u32,
    touches: Vec<[usize; 2]>,
    is_active: bool,
}

/// Loads the MJCF of a trial.
pub fn load(
    library: &Library,
    xml: &str,
    file: &Path,
    variant: &Variant,
    step: f64,
) -> Result<Box<dyn Engine>, EngineError> {
    let failed = |error: &dyn std::fmt::Display| EngineError(error.to_string());
    let xml = if variant.free_joints { without_joint_limits(xml) } else { xml.to_string() };
    std::fs::write(file, xml).map_err(|error| failed(&error))?;
    let step = step / f64::from(variant.substeps);
    let mut mujoco = library.load(file, step, 1).map_err(|error| failed(&format!("{error:#}")))?;
    mujoco.set_options(Some(IMPLICIT_FAST), variant.pyramids.then_some(PYRAMIDAL), variant.impratio);
    if let Contacts::Stiff(steps) = variant.contacts {
        mujoco.soften([steps * step, 1.0], STIFF_IMPEDANCE);
    }
    if !variant.self_collision {
        mujoco.disable_self_collision();
    }
    let names = mujoco.bodies();
    let ids = names.iter().enumerate().map(|(id, name)| (name.clone(), id)).collect();
    let (substeps, touches) = (variant.substeps, Vec::new());
    Ok(Box::new(MujocoEngine { mujoco, names, ids, substeps, touches, is_active: true }))
}

/// Removes the ranges of all joints.
fn without_joint_limits(xml: &str) -> String {
    let line = |line: &str| -> String {
        let Some(start) = line.find(" range=\"").filter(|_| line.trim_start().starts_with("<joint")) else {
            return line.to_string();
        };
        let end = line[start + 8..].find('"').map_or(line.len(), |end| start + 8 + end + 1);
        format!("{}{}", &line[..start], &line[end..])
    };
    xml.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl Engine for MujocoEngine {
    fn advance(&mut self, moment: &mut Moment, drive: &Drive, _: f64) -> Result<(), EngineError> {
        if drive.is_active != self.is_active {
            self.mujoco.actuate(drive.is_active);
            self.is_active = drive.is_active;
        }
        let (qpos, qvel) = (std::mem::take(&mut moment.qpos), std::mem::take(&mut moment.qvel));
        self.mujoco.set(0, &State { qpos, qvel, ctrl: drive.controls.clone() }, None);
        if !drive.pushes.is_empty() {
            let ids = &self.ids;
            let push = |push: &burgess_referee::Push| {
                let id = ids.get(&push.body).copied()?;
                Some((id, push.force.to_array(), push.moment.to_array(), push.point.to_array()))
            };
            self.mujoco.push(0, drive.pushes.iter().filter_map(push));
        }
        self.mujoco.step(1);
        (moment.qpos, moment.qvel) = self.mujoco.get(0);
        self.touches = self.mujoco.touches(0);
        Ok(())
    }

    fn substeps(&self) -> u32 {
        self.substeps
    }

    fn touches(&self, visit: &mut dyn FnMut(&str, &str)) {
        for [a, b] in &self.touches {
            visit(&self.names[*a], &self.names[*b]);
        }
    }
}

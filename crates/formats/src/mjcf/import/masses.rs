//! The masses of a model's bodies, and where they will act otherwise than in MuJoCo.

use std::collections::BTreeMap;

use burgess_geometry::Pose;
use glam::DMat3;

use super::compiler::Compiler;
use super::inertia::{self, Inertia, LEAST};
use super::joint::Kind;
use super::tree::Tree;
use crate::import::{ImportError, Warnings};

impl Tree<'_> {
    /// Gives every body but the world its mass.
    pub fn weigh(&mut self, compiler: &Compiler) -> Result<(), ImportError> {
        for body in &mut self.bodies[1..] {
            let from_geoms = compiler.inertia_from_geoms.unwrap_or(body.inertial.is_none());
            let own = if from_geoms {
                Inertia::combined(body.geoms.iter().filter_map(|geom| geom.mass))
            } else {
                let given = body.inertial;
                given.map(|(element, frame)| inertia::of_element(element, &frame, compiler)).transpose()?
            };
            let own = own.or_else(|| {
                (compiler.least_mass > 0.0 || compiler.least_inertia > 0.0).then_some(Inertia {
                    mass: 0.0,
                    // Where MuJoCo has it, of all places.
                    center_of_mass: body.pose.translation,
                    inertia: DMat3::ZERO,
                })
            });
            let element = body.inertial.filter(|_| !from_geoms).map_or(body.element, |(element, _)| element);
            let own = own.map(|own| inertia::adjusted(own, compiler, element)).transpose()?;
            body.inertia = own.filter(|own| own.mass > LEAST);
        }
        self.check_moving_masses()?;
        if let Some(wanted) = compiler.total_mass {
            let whole: f64 = self.bodies.iter().filter_map(|body| body.inertia).map(|own| own.mass).sum();
            let scale = wanted / whole.max(LEAST);
            for own in self.bodies.iter_mut().filter_map(|body| body.inertia.as_mut()) {
                own.mass *= scale;
                own.inertia *= scale;
            }
        }
        Ok(())
    }

    /// What moves has mass, itself or by a body that is fixed to it.
    fn check_moving_masses(&self) -> Result<(), ImportError> {
        let mut heavy = vec![false; self.bodies.len()];
        for (index, body) in self.bodies.iter().enumerate().rev() {
            let solid = body.inertia.is_some_and(|own| own.principal_axes().0.min_element() > LEAST);
            heavy[index] |= solid;
            if !body.joints.is_empty() && !heavy[index] {
                return Err(body.element.conflict(format!(
                    "the body '{}' moves, so it needs mass and inertia: give it a geom with mass or an <inertial>",
                    body.name
                )));
            }
            if body.joints.is_empty() && heavy[index] {
                heavy[body.parent] = true;
            }
        }
        Ok(())
    }

    /// Free joints are damped at the centre of mass in a scene, at the origin in MuJoCo.
    pub fn note_differences(&self, warnings: &mut Warnings) {
        for (index, body) in self.bodies.iter().enumerate() {
            if let [joint] = &body.joints[..]
                && joint.kind == Kind::Free
                && joint.damping > 0.0
                && self.fused_inertia(index).is_some_and(|own| own.center_of_mass.length() > 1e-12)
            {
                let what = "damping of free joints at the body's origin; it acts on the centre of mass";
                warnings.add(what, joint.element);
            }
        }
    }

    /// Of a body with all that is welded to it, in its own coordinates.
    fn fused_inertia(&self, index: usize) -> Option<Inertia> {
        let mut parts = Vec::new();
        let mut poses = BTreeMap::from([(index, Pose::IDENTITY)]);
        parts.extend(self.bodies[index].inertia);
        // What hangs on a body comes right after it.
        let behind = self.bodies.iter().enumerate().skip(index + 1).take_while(|(_, body)| body.parent >= index);
        for (other, body) in behind {
            if let (true, Some(&parent)) = (body.joints.is_empty(), poses.get(&body.parent)) {
                let pose = parent.compose(&body.pose);
                poses.insert(other, pose);
                parts.extend(body.inertia.map(|own| own.transformed(&pose)));
            }
        }
        Inertia::combined(parts.into_iter())
    }
}

//! Computes the masses of a model's bodies, and warns about differences from MuJoCo.

use std::collections::BTreeMap;

use burgess_geometry::Pose;
use glam::DMat3;

use super::compiler::Compiler;
use super::inertia::{self, Inertia, MIN_VALUE};
use super::joint::Kind;
use super::tree::Tree;
use crate::import::{ImportError, Warnings};

impl Tree<'_> {
    /// Computes the inertia of every body except the world.
    pub fn compute_masses(&mut self, compiler: &Compiler) -> Result<(), ImportError> {
        for body in &mut self.bodies[1..] {
            let from_geoms = compiler.inertia_from_geoms.unwrap_or(body.inertial.is_none());
            let own = if from_geoms {
                Inertia::combined(body.geoms.iter().filter_map(|geom| geom.mass))
            } else {
                let given = body.inertial;
                given.map(|(element, frame)| inertia::of_element(element, &frame, compiler)).transpose()?
            };
            let own = own.or_else(|| {
                (compiler.min_mass > 0.0 || compiler.min_inertia > 0.0).then_some(Inertia {
                    mass: 0.0,
                    // As in MuJoCo.
                    center_of_mass: body.pose.translation,
                    inertia: DMat3::ZERO,
                })
            });
            let element = body.inertial.filter(|_| !from_geoms).map_or(body.element, |(element, _)| element);
            let own = own.map(|own| inertia::adjusted(own, compiler, element)).transpose()?;
            body.inertia = own.filter(|own| own.mass > MIN_VALUE);
        }
        self.check_moving_masses()?;
        if let Some(wanted) = compiler.total_mass {
            let whole: f64 = self.bodies.iter().filter_map(|body| body.inertia).map(|own| own.mass).sum();
            let scale = wanted / whole.max(MIN_VALUE);
            for own in self.bodies.iter_mut().filter_map(|body| body.inertia.as_mut()) {
                own.mass *= scale;
                own.inertia *= scale;
            }
        }
        Ok(())
    }

    /// Checks that each moving body has mass, its own or that of a body fixed to it.
    fn check_moving_masses(&self) -> Result<(), ImportError> {
        let mut has_mass = vec![false; self.bodies.len()];
        for (index, body) in self.bodies.iter().enumerate().rev() {
            let solid = body.inertia.is_some_and(|own| own.principal_axes().0.min_element() > MIN_VALUE);
            has_mass[index] |= solid;
            if !body.joints.is_empty() && !has_mass[index] {
                return Err(body.element.conflict(format!(
                    "the moving body '{}' has no mass or inertia; add a geom with mass or an <inertial>",
                    body.name
                )));
            }
            if body.joints.is_empty() && has_mass[index] {
                has_mass[body.parent] = true;
            }
        }
        Ok(())
    }

    /// Warns about damping of free joints, which acts at the centre of mass in a scene and at the origin in MuJoCo.
    pub fn warn_about_differences(&self, warnings: &mut Warnings) {
        for (index, body) in self.bodies.iter().enumerate() {
            if let [joint] = &body.joints[..]
                && joint.kind == Kind::Free
                && joint.damping > 0.0
                && self.fused_inertia(index).is_some_and(|own| own.center_of_mass.length() > 1e-12)
            {
                let what = "damping of free joints at the body's origin; it is applied at the centre of mass";
                warnings.add(what, joint.element);
            }
        }
    }

    /// Returns the inertia of a body and all bodies fixed to it, in its own coordinates.
    fn fused_inertia(&self, index: usize) -> Option<Inertia> {
        let mut parts = Vec::new();
        let mut poses = BTreeMap::from([(index, Pose::IDENTITY)]);
        parts.extend(self.bodies[index].inertia);
        // Descendants of a body come directly after it.
        let descendants = self.bodies.iter().enumerate().skip(index + 1).take_while(|(_, body)| body.parent >= index);
        for (other, body) in descendants {
            if let (true, Some(&parent)) = (body.joints.is_empty(), poses.get(&body.parent)) {
                let pose = parent.compose(&body.pose);
                poses.insert(other, pose);
                parts.extend(body.inertia.map(|own| own.transformed(&pose)));
            }
        }
        Inertia::combined(parts.into_iter())
    }
}

//! Random forests, their states and the forces on them.

use burgess_dynamics::{
    Axis, AxisKind, AxisProperties, JointSpec, LinkSpec, Model, ModelBuilder, State, Workspace, update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Body, External, Kind};

/// Kinds of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    Weld,
    Revolute,
    Prismatic,
    Universal,
    Spherical,
    Free,
    /// Two to six mixed axes.
    Stack(usize),
}

/// All kinds except `Free`, which is for roots.
pub const SORTS: [JointKind; 10] = [
    JointKind::Weld,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Universal,
    JointKind::Spherical,
    JointKind::Stack(2),
    JointKind::Stack(3),
    JointKind::Stack(4),
    JointKind::Stack(5),
    JointKind::Stack(6),
];

/// A model in a state, with all forces on it.
pub struct Case {
    pub model: Model,
    pub bodies: Vec<Body>,
    pub state: State,
    pub efforts: Vec<f64>,
    pub externals: Vec<External>,
}

impl Case {
    /// Returns a workspace in the state of the case, with its external forces.
    pub fn workspace(&self) -> Workspace {
        let mut workspace = Workspace::new(&self.model);
        update_kinematics(&self.model, &self.state, &mut workspace);
        for e in &self.externals {
            workspace.apply_force(self.link(e.body), e.force, e.moment, e.point);
        }
        workspace
    }

    /// Returns the index of a body in the model.
    pub fn link(&self, body: usize) -> usize {
        self.model.index(self.bodies[body].id).unwrap()
    }

    /// Returns whether a body belongs to the subtree of another body.
    pub fn hangs_on(&self, mut body: usize, on: usize) -> bool {
        while body != on {
            match self.bodies[body].parent {
                Some(parent) => body = parent,
                None => return false,
            }
        }
        true
    }
}

pub struct Random(pub Pcg64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.real(-size, size), self.real(-size, size), self.real(-size, size))
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = glam::DVec4::from((self.vector(1.0), self.real(-1.0, 1.0)));
            if (0.1..1.0).contains(&q.length()) {
                return DQuat::from_vec4(q.normalize());
            }
        }
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.rotation(), self.vector(0.5))
    }

    /// Returns a physical inertia: that of a box of any proportions, rotated.
    fn inertia(&mut self, mass: f64) -> DMat3 {
        let half = DVec3::new(self.real(0.02, 0.5), self.real(0.02, 0.5), self.real(0.02, 0.5));
        let s = half * half * (mass / 3.0);
        let turn = DMat3::from_quat(self.rotation());
        let m = turn * DMat3::from_diagonal(DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y)) * turn.transpose();
        // Rounding leaves it not quite symmetric.
        (m + m.transpose()) * 0.5
    }

    fn stack(&mut self, axes: usize, allow: &[AxisKind]) -> Vec<Axis> {
        let mut slides = 0;
        (0..axes)
            .map(|_| {
                let mut kind = allow[self.below(allow.len())];
                // More than three slides have no independent directions.
                slides += usize::from(kind == AxisKind::Slide);
                if slides > 3 {
                    kind = AxisKind::Hinge;
                }
                Axis { kind, direction: self.direction(), anchor: self.vector(0.3), properties: Default::default() }
            })
            .collect()
    }

    fn kind(&mut self, sort: JointKind) -> Kind {
        let (hinge, slide) = (AxisKind::Hinge, AxisKind::Slide);
        match sort {
            JointKind::Weld => Kind::Weld,
            JointKind::Revolute => Kind::Stack(self.stack(1, &[hinge])),
            JointKind::Prismatic => Kind::Stack(self.stack(1, &[slide])),
            JointKind::Universal => {
                let mut axes = self.stack(2, &[hinge]);
                axes[1].direction = axes[0].direction.any_orthonormal_vector();
                axes.iter_mut().for_each(|axis| axis.anchor = DVec3::ZERO);
                Kind::Stack(axes)
            }
            JointKind::Spherical => Kind::Spherical,
            JointKind::Free => Kind::Free,
            JointKind::Stack(axes) => Kind::Stack(self.stack(axes, &[hinge, slide])),
        }
    }

    /// Returns a forest with these joints. The parent of each is drawn from those before it; `Free` begins a new tree,
    /// and so does one in `roots` others.
    pub fn case(&mut self, sorts: &[JointKind], roots: usize) -> Case {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.vector(10.0));
        let mut bodies: Vec<Body> = Vec::new();
        for (index, &sort) in sorts.iter().enumerate() {
            let root = index == 0 || sort == JointKind::Free || self.below(roots) == 0;
            // Both chains and wide trees.
            let parent = if self.below(2) == 0 { index.wrapping_sub(1) } else { self.below(index.max(1)) };
            let parent = (!root).then_some(parent);
            let kind = self.kind(sort);
            let mass = self.real(0.1, 3.0);
            let (center, inertia) = (self.vector(0.4), self.inertia(mass));
            let (joint, dofs) = match &kind {
                Kind::Weld => (JointSpec::weld(), 0),
                Kind::Spherical => (JointSpec::spherical(), 3),
                Kind::Free => (JointSpec::free(), 6),
                Kind::Stack(axes) => (JointSpec::stack(axes.clone()), axes.len()),
            };
            // With many axes some are nearly dependent: the drives' inertias keep the problem well conditioned.
            let geared = dofs >= 4 && sort != JointKind::Free || self.below(3) == 0;
            let armature: Vec<f64> = (0..dofs).map(|_| if geared { self.real(0.01, 0.2) } else { 0.0 }).collect();
            let (parent_frame, child_frame) =
                if sort == JointKind::Free { (Pose::IDENTITY, Pose::IDENTITY) } else { (self.pose(), self.pose()) };
            let mut joint = joint.in_parent(parent_frame).in_child(child_frame);
            for (slot, armature) in joint.properties_mut().into_iter().zip(&armature) {
                *slot = AxisProperties { armature: *armature, ..AxisProperties::default() };
            }
            let link = LinkSpec::new(&format!("link {index}"), mass, center, inertia);
            let id = builder.add_link(parent.map(|parent| bodies[parent].id), joint, link);
            bodies.push(Body { parent, kind, parent_frame, child_frame, mass, center, inertia, armature, id });
        }
        let model = builder.build().unwrap();
        let state = self.state(&model, &bodies);
        let efforts = (0..model.dofs()).map(|_| self.real(-5.0, 5.0)).collect();
        let externals = (0..self.below(4))
            .map(|_| External {
                body: self.below(bodies.len()),
                force: self.vector(10.0),
                moment: self.vector(3.0),
                point: self.vector(2.0),
            })
            .collect();
        Case { model, bodies, state, efforts, externals }
    }

    /// Returns up to 30 links of any kind; the first one floats or not.
    pub fn forest(&mut self, links: usize) -> Case {
        let mut sorts: Vec<JointKind> = (0..links).map(|_| SORTS[self.below(SORTS.len())]).collect();
        for sort in sorts.iter_mut() {
            if self.below(12) == 0 {
                *sort = JointKind::Free;
            }
        }
        if self.below(2) == 0 {
            sorts[0] = JointKind::Free;
        }
        self.case(&sorts, 12)
    }

    fn state(&mut self, model: &Model, bodies: &[Body]) -> State {
        let mut state = State::new(model);
        state.q.iter_mut().for_each(|q| *q = self.real(-1.5, 1.5));
        state.v.iter_mut().for_each(|v| *v = self.real(-3.0, 3.0));
        for body in bodies {
            let link = &model.links()[model.index(body.id).unwrap()];
            let at = match body.kind {
                Kind::Spherical => link.q,
                Kind::Free => link.q + 3,
                _ => continue,
            };
            state.q[at..at + 4].copy_from_slice(&self.rotation().to_array());
        }
        state
    }
}

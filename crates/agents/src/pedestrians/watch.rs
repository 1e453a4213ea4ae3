//! One step of the networks and nets of all walkers.

use std::cell::RefCell;

use glam::DVec2;

use super::layout::Layout;
use super::plan::{Plan, WALKER_VARIABLES};
use crate::crowd::{Activity, Crowd, Influence, Near, Walker};
use crate::net::{Output, Pose2, Surroundings};
use crate::network::{Action, Network};

/// Scratch memory.
#[derive(Debug, Default)]
pub(super) struct WatchScratch {
    stack: Vec<f64>,
    inputs: Vec<Output>,
    /// Places of the walkers near one.
    pub others: Vec<Pose2>,
    /// The memory as it was at the beginning of the step.
    before: Vec<f64>,
}

impl WatchScratch {
    /// Makes a step (s) of all networks, and lets the changes take effect.
    pub fn run_networks(&mut self, plan: &Plan, layout: &Layout, memory: &mut [f64], clock: f64, time: f64) {
        if plan.networks.is_empty() {
            return;
        }
        self.before.clear();
        self.before.extend_from_slice(memory);
        for (index, network) in plan.networks.iter().enumerate() {
            let instances = if network.of_walkers { layout.walkers() } else { 1 };
            for walker in 0..instances {
                self.run_instance(plan, layout, memory, (index, network, walker), clock, time);
            }
        }
    }

    fn run_instance(
        &mut self,
        plan: &Plan,
        layout: &Layout,
        memory: &mut [f64],
        (index, network, walker): (usize, &Network, usize),
        clock: f64,
        time: f64,
    ) {
        let own = network.of_walkers.then(|| layout.read_walker(&self.before, walker));
        let pauses = |walker: &Walker| {
            let has_ended = matches!(walker.activity, Activity::Arrived | Activity::NoWay);
            !has_ended && plan.pauses.get(walker.goal).copied().unwrap_or(false)
        };
        if own.as_ref().is_some_and(pauses) {
            return;
        }
        let signals = &self.before[layout.signals()];
        let outputs = &self.before[layout.net(walker)];
        let variable =
            |variable: usize, in_state: f64| variable_value(variable, in_state, clock, own.as_ref(), signals, outputs);
        let range = layout.instance(index, walker);
        let mut instance = [0.0; 3];
        instance.copy_from_slice(&memory[range.clone()]);
        let net = layout.net(walker);
        let weights = net.start + 2 * plan.net.nodes().len();
        network.step(&mut instance, time, variable, &mut self.stack, |action, value| match action {
            Action::Bind(link) => memory[weights + link] = plan.net.links()[*link].weight,
            Action::Unbind(link) => memory[weights + link] = 0.0,
            Action::Weigh(link, _) => memory[weights + link] = value,
            Action::Signal(signal, _) => memory[layout.signals().start + signal] = value,
            Action::Send(goal) => {
                let mut sent = layout.read_walker(memory, walker);
                sent.send_to(*goal);
                memory[layout.walker(walker)].copy_from_slice(&sent.to_numbers());
            }
            Action::Spawn(other) => Network::spawn(&mut memory[layout.instance(*other, walker)]),
            Action::Wait(_) => {}
        });
        memory[range].copy_from_slice(&instance);
    }

    /// Makes a step of the net of every walker.
    pub fn run_nets(&mut self, plan: &Plan, layout: &Layout, memory: &mut [f64], objects: &[DVec2], crowd: &mut Crowd) {
        if plan.net.nodes().is_empty() {
            return;
        }
        crowd.sort();
        for walker in 0..layout.walkers() {
            let gait = crowd.walkers[walker].gait;
            let pose = Pose2 { position: gait.root(), heading: gait.heading() };
            list_poses(&mut self.others, pose.position, crowd.around(walker));
            let surroundings = Surroundings { objects, others: &self.others };
            plan.net.step(&mut memory[layout.net(walker)], &pose, &surroundings, &mut self.inputs);
        }
    }
}

/// Lists the places and headings of others. Who stands looks along the x axis.
fn list_poses(poses: &mut Vec<Pose2>, root: DVec2, others: &[Near]) {
    poses.clear();
    poses.extend(others.iter().map(|near| {
        let heading = libm::atan2(near.velocity.y, near.velocity.x);
        Pose2 { position: root + near.offset, heading }
    }));
}

/// The value of a variable: those of walkers, then signals, then distance and angle of every node.
fn variable_value(
    variable: usize,
    in_state: f64,
    clock: f64,
    walker: Option<&Walker>,
    signals: &[f64],
    outputs: &[f64],
) -> f64 {
    let is = |activity: Activity| f64::from(walker.is_some_and(|walker| walker.activity == activity));
    match variable {
        0 => in_state,
        1 => clock,
        2 => is(Activity::Arrived),
        3 => is(Activity::Blocked),
        4 => is(Activity::AtGate),
        5 => is(Activity::NoWay),
        6 => walker.map_or(0.0, |walker| walker.waited),
        7 => walker.map_or(0.0, |walker| walker.stuck),
        8 => walker.map_or(0.0, |walker| walker.gait.velocity().length()),
        _ => {
            let index = variable - WALKER_VARIABLES.len();
            let output = || outputs.get(index - signals.len()).copied().unwrap_or(0.0);
            signals.get(index).copied().unwrap_or_else(output)
        }
    }
}

/// The energy that nets add to the decisions of walkers.
pub(super) struct NetInfluence<'a> {
    pub plan: &'a Plan,
    pub layout: &'a Layout,
    pub memory: &'a [f64],
    pub objects: &'a [DVec2],
    /// Scratch memory.
    pub others: RefCell<Vec<Pose2>>,
}

impl Influence for NetInfluence<'_> {
    fn energy(&self, walker: usize, root: DVec2, others: &[Near], place: DVec2, heading: f64) -> f64 {
        if self.plan.net.nodes().is_empty() {
            return 0.0;
        }
        let mut poses = self.others.borrow_mut();
        list_poses(&mut poses, root, others);
        let surroundings = Surroundings { objects: self.objects, others: &poses };
        self.plan.net.energy(&self.memory[self.layout.net(walker)], &Pose2 { position: place, heading }, &surroundings)
    }
}

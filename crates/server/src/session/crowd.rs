//! Crowds as graphs (`docs/protocol.md`): gates and signals, transition networks, and the behaviour net that people
//! share. The values of the frame section `crowd` are in the order of the contents.

use burgess_agents::net::LinkKind;
use burgess_agents::network::{Action, Network};
use burgess_agents::pedestrians::Pedestrians;
use burgess_scene::spec::{ControllerSpec, CrowdSpec};
use serde::Serialize;

use super::current_world::CurrentWorld;

/// A crowd. Its values in the section `crowd` are: 1 or 0 for each gate (open or closed), the signals, then the number
/// of the state of each network of the scene (-1: it does not run). Then, for each person: the states of the networks
/// of people, the weights of the links, and distance (m) and angle (rad) of each node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CrowdEntry {
    /// Indices of the people's bodies in a frame.
    pub people: Vec<Option<usize>>,
    /// Gates.
    pub gates: Vec<GateEntry>,
    /// Names of the signals.
    pub signals: Vec<String>,
    /// Transition networks.
    pub networks: Vec<NetworkEntry>,
    /// Nodes of the behaviour net.
    pub nodes: Vec<NetNodeEntry>,
    /// Links of the behaviour net.
    pub links: Vec<NetLinkEntry>,
}

/// A gate of a crowd.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GateEntry {
    /// Name of the gate.
    pub name: String,
    /// Lowest corner, in m.
    pub min: [f64; 2],
    /// Highest corner, in m.
    pub max: [f64; 2],
    /// Whether it is a door: people look for another way while it is closed.
    pub door: bool,
}

/// A transition network.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetworkEntry {
    /// Name of the network.
    pub name: String,
    /// Whether each person runs it; otherwise the scene runs it once.
    pub of_people: bool,
    /// States. It starts in the first.
    pub states: Vec<StateEntry>,
}

/// A state of a transition network.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateEntry {
    /// Name of the state.
    pub name: String,
    /// What happens when it is entered.
    pub actions: Vec<String>,
    /// Ways to other states, the first that is open is taken.
    pub transitions: Vec<TransitionEntry>,
}

/// A way from a state to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TransitionEntry {
    /// Index of the state that it leads to.
    pub to: usize,
    /// The formula that opens it.
    pub guard: String,
}

/// A node of a behaviour net.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetNodeEntry {
    /// Name of the node.
    pub name: String,
    /// `perceptual`, `control` or `motor`.
    pub kind: &'static str,
    /// Type of the node in scene files.
    pub function: &'static str,
}

/// A link of a behaviour net.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NetLinkEntry {
    /// Name of the link; empty if it has none.
    pub name: String,
    /// Index of the node that emits.
    pub from: usize,
    /// Index of the node that loads.
    pub to: usize,
    /// Whether it inhibits.
    pub inhibits: bool,
}

/// The crowds of a world.
pub fn crowds_of(current: &CurrentWorld) -> Vec<CrowdEntry> {
    let specs = current.scene.controllers.iter().filter_map(|controller| match controller {
        ControllerSpec::Crowd(crowd) => Some(&**crowd),
        _ => None,
    });
    specs.zip(current.running.crowds()).map(|(spec, (crowd, _))| entry(current, spec, crowd)).collect()
}

fn entry(current: &CurrentWorld, spec: &CrowdSpec, crowd: &Pedestrians) -> CrowdEntry {
    let plan = crowd.plan();
    let shown = |link: &usize| current.shown.iter().position(|shown| shown.link == Some(*link));
    let gate = |gate: &burgess_scene::spec::GateSpec| GateEntry {
        name: gate.name.clone(),
        min: gate.min.to_array(),
        max: gate.max.to_array(),
        door: gate.detour,
    };
    let nodes = plan.net.nodes().iter().zip(&spec.nodes).map(|(node, spec)| NetNodeEntry {
        name: node.name.clone(),
        kind: node.kind.name(),
        function: spec.kind.type_name(),
    });
    let links = plan.net.links().iter().zip(&spec.links).map(|(link, spec)| NetLinkEntry {
        name: spec.name.clone(),
        from: link.from,
        to: link.to,
        inhibits: link.kind == LinkKind::Inhibit,
    });
    CrowdEntry {
        people: plan.bodies.iter().map(shown).collect(),
        gates: spec.gates.iter().map(gate).collect(),
        signals: spec.signals.clone(),
        networks: plan.networks.iter().map(|network| network_entry(spec, crowd, network)).collect(),
        nodes: nodes.collect(),
        links: links.collect(),
    }
}

fn network_entry(spec: &CrowdSpec, crowd: &Pedestrians, network: &Network) -> NetworkEntry {
    let link = |index: &usize| spec.links.get(*index).map_or("", |link| &link.name);
    let action = |action: &Action| match action {
        Action::Bind(index) => format!("bind {}", link(index)),
        Action::Unbind(index) => format!("unbind {}", link(index)),
        Action::Weigh(index, weight) => format!("weigh {} by {}", link(index), weight.text()),
        Action::Signal(index, value) => {
            format!("{} = {}", spec.signals.get(*index).map_or("", String::as_str), value.text())
        }
        Action::Send(goal) => format!("go to {}", spec.goals.get(*goal).map_or("", |goal| &goal.name)),
        Action::Spawn(other) => format!("start {}", crowd.plan().networks.get(*other).map_or("", |own| &own.name)),
        Action::Wait(seconds) => format!("wait {} s", seconds.text()),
    };
    let states = network.states.iter().map(|state| StateEntry {
        name: state.name.clone(),
        actions: state.actions.iter().map(action).collect(),
        transitions: state
            .transitions
            .iter()
            .map(|transition| TransitionEntry { to: transition.to, guard: transition.guard.text().to_string() })
            .collect(),
    });
    NetworkEntry { name: network.name.clone(), of_people: network.of_walkers, states: states.collect() }
}

/// Appends the values of all crowds.
pub fn crowd_values(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    let time = current.running.simulation.state().time;
    for (crowd, memory) in current.running.crowds() {
        let (plan, layout) = (crowd.plan(), crowd.layout());
        numbers.extend(crowd.gates_open(memory, time).map(|open| f32::from(u8::from(open))));
        let mut push = |range: std::ops::Range<usize>| {
            numbers.extend(memory.get(range).unwrap_or_default().iter().map(|&value| value as f32));
        };
        push(layout.signals());
        let push_states = |of_people: bool, person: usize, push: &mut dyn FnMut(std::ops::Range<usize>)| {
            for (index, network) in plan.networks.iter().enumerate() {
                if network.of_walkers == of_people {
                    let start = layout.instance(index, person).start;
                    push(start..start + 1);
                }
            }
        };
        push_states(false, 0, &mut push);
        for person in 0..layout.walkers() {
            push_states(true, person, &mut push);
            let net = layout.net(person);
            let weights = net.start + 2 * plan.net.nodes().len();
            push(weights..net.end);
            push(net.start..weights);
        }
    }
}

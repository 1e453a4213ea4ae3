//! Edits of a simulation that keep its world: holds, pushes, overrides of controls, keyframes.

use burgess_scene::RunOptions;
use glam::DVec3;

use super::current_world::{CurrentWorld, Shown};
use super::edit::Edit;
use super::grab::{GrabSpring, Hold, MAX_GRABS};
use super::live::LivePlayer;
use super::user_body::UserBody;

impl LivePlayer {
    /// A body of a frame and its link, if forces move it.
    fn movable(&self, body: usize) -> Result<(&Shown, usize), String> {
        let count = self.current.shown.len();
        let shown =
            self.current.shown.get(body).ok_or_else(|| format!("there is no body {body}: there are {count}"))?;
        let name = &self.current.scene.bodies[shown.body].name;
        let world = self.current.running.simulation.world();
        let moves = |link: &usize| !world.trees()[world.tree_of_link(*link)].is_fixed;
        let link = shown.link.filter(moves).ok_or_else(|| format!("'{name}' is fixed and cannot be moved"))?;
        Ok((shown, link))
    }

    /// Attaches a spring to a point of a body, which replaces what the viewer held before.
    pub(super) fn grab(&mut self, viewer: u32, body: usize, point: DVec3, to: DVec3) -> Result<(), String> {
        let (shown, link) = self.movable(body)?;
        let point = shown.frame.transform_point(point);
        let spring = GrabSpring::new(viewer, link, point, to, &mut self.current.running.simulation);
        self.hold(Hold::Spring(spring))
    }

    /// Applies a torque to a body, which replaces what the viewer held before.
    pub(super) fn twist(&mut self, viewer: u32, body: usize, torque: DVec3) -> Result<(), String> {
        let (_, link) = self.movable(body)?;
        self.hold(Hold::Torque { viewer, link, torque })
    }

    fn hold(&mut self, hold: Hold) -> Result<(), String> {
        let mut holds = self.grab_controller.holds();
        holds.retain(|other| other.viewer() != hold.viewer());
        if holds.len() >= MAX_GRABS {
            return Err(format!("{MAX_GRABS} viewers hold a body, the maximum"));
        }
        holds.push(hold);
        if let Some(link) = hold.link() {
            self.wake(link);
        }
        self.grab_controller.set(&holds);
        Ok(())
    }

    /// Moves the target point of a viewer, or releases its body.
    pub(super) fn move_grab(&mut self, viewer: u32, to: Option<DVec3>) -> Result<(), String> {
        let mut holds = self.grab_controller.holds();
        let place = holds.iter().position(|hold| hold.viewer() == viewer);
        let place = place.ok_or_else(|| "this viewer holds no body".to_string())?;
        let link = holds[place].link();
        match (to, &mut holds[place]) {
            (Some(to), Hold::Spring(spring)) => spring.to = to,
            (Some(_), Hold::Torque { .. }) => return Err("this viewer twists a body, which has no target".to_string()),
            (Some(_), Hold::Body(_)) => return Err("this viewer holds no body".to_string()),
            (None, _) => {
                holds.remove(place);
            }
        }
        if let Some(link) = link {
            self.wake(link);
        }
        self.grab_controller.set(&holds);
        Ok(())
    }

    /// Puts the body of a user into the world, or moves it. Bodies that sleep where it goes wake up.
    pub(super) fn stand(&mut self, viewer: u32, foot: DVec3, height: f64, radius: f64) -> Result<(), String> {
        let simulation = &mut self.current.running.simulation;
        let (time, step) = (simulation.state().time, simulation.step_length());
        let holds = self.grab_controller.holds();
        let before = holds.iter().find_map(|hold| match hold {
            Hold::Body(body) if body.viewer == viewer => Some(*body),
            _ => None,
        });
        let before = before.filter(|body| (body.height, body.radius) == (height, radius));
        let body = match before {
            Some(body) => body.moved(foot, time, step),
            None => UserBody::new(viewer, foot, [height, radius], time, step),
        };
        let data = simulation.data_mut();
        data.update_kinematics();
        let bounds = body.bounds();
        for (index, collider) in data.world.colliders().iter().enumerate() {
            let Some(link) = collider.link else { continue };
            if collider.shape.aabb(&data.world.collider_pose(&data.workspace, index)).overlaps(&bounds) {
                data.rest.wake(data.world.tree_of_link(link));
            }
        }
        self.hold(Hold::Body(body))
    }

    /// The push that gives the body that a viewer holds a velocity (m/s) more; or a sentence that says why there is none.
    pub(super) fn throw_of(&self, viewer: u32, velocity: DVec3) -> Result<Edit, String> {
        let link = self.grab_controller.holds().iter().find(|hold| hold.viewer() == viewer).and_then(Hold::link);
        let link = link.ok_or("this viewer holds no body")?;
        let body = self.current.shown.iter().position(|shown| shown.link == Some(link));
        self.push_of(body.ok_or("the held body is not shown")?, velocity)
    }

    /// The push that gives a body a velocity (m/s) more.
    pub(super) fn push_of(&self, body: usize, velocity: DVec3) -> Result<Edit, String> {
        let (shown, _) = self.movable(body)?;
        let mass = self.current.running.bodies[shown.body].mass.map_or(1.0, |mass| mass.mass);
        Ok(Edit::Push { body, impulse: (mass * velocity).to_array(), angular_impulse: [0.0; 3] })
    }

    fn wake(&mut self, link: usize) {
        let data = self.current.running.simulation.data_mut();
        let tree = data.world.tree_of_link(link);
        data.rest.wake(tree);
    }

    /// Applies an impulse and an angular impulse at the centre of mass of a body.
    pub(super) fn push(&mut self, body: usize, impulse: DVec3, angular_impulse: DVec3) -> Result<(), String> {
        let (shown, link) = self.movable(body)?;
        let mass = self.current.running.bodies[shown.body].mass;
        let simulation = &mut self.current.running.simulation;
        simulation.data_mut().update_kinematics();
        let data = simulation.data();
        let pose = data.workspace.pose(data.world.model(), link);
        let centre = pose.transform_point(mass.map_or(DVec3::ZERO, |mass| mass.center_of_mass));
        simulation.push(link, impulse, angular_impulse, centre);
        Ok(())
    }

    /// Overrides the control of an actuator, or ends the override: then the control is that of the start until a
    /// controller sets it.
    pub(super) fn control(&mut self, actuator: usize, control: Option<f64>) -> Result<(), String> {
        let running = &mut self.current.running;
        let count = running.actuators.len();
        if actuator >= count {
            return Err(format!("there is no actuator {actuator}: there are {count}"));
        }
        self.overrides.resize(count, None);
        self.overrides[actuator] = control.map(|control| running.actuators.clamped(actuator, control));
        let value = self.overrides[actuator].unwrap_or(running.actuators.start()[actuator]);
        running.set_control(actuator, value);
        running.simulation.data_mut().controllers.overrides.clone_from(&self.overrides);
        Ok(())
    }

    /// Sets positions, velocities and controls to those of a keyframe. Time and controllers continue.
    pub(super) fn go_to_keyframe(&mut self, name: &str) -> Result<(), String> {
        let mut scene = self.current.scene.clone();
        scene.start_from(name).map_err(|error| error.to_string())?;
        scene.simulation.allow_overlap = true;
        let options = RunOptions { keyframe: None, ..self.current.options.clone() };
        let there = CurrentWorld::build(&self.original, scene, options, &self.grab_controller)?;
        let start = there.running.simulation.snapshot();
        let mut now = self.current.running.simulation.snapshot();
        let time = now.state.time;
        now.state = start.state;
        now.state.time = time;
        (now.pairs, now.row_impulses) = (start.pairs, start.row_impulses);
        (now.row_velocities, now.row_rests) = (start.row_velocities, start.row_rests);
        (now.last_part, now.memory_age) = (start.last_part, start.memory_age);
        (now.controls, now.rest, now.modules) = (start.controls, start.rest, start.modules);
        self.current.running.simulation.restore(&now).map_err(|error| error.to_string())?;
        self.current.is_fresh = false;
        for (actuator, control) in self.overrides.clone().into_iter().enumerate() {
            if let Some(control) = control {
                self.current.running.set_control(actuator, control);
            }
        }
        Ok(())
    }
}

//! MuJoCo, called through the shim `peers/mujoco_shim.cpp`.
//!
//! Calling a C library requires unsafe code.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use serde::Deserialize;

type Load = unsafe extern "C" fn(*const c_char, f64, usize, *mut c_char, c_int) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Sizes = unsafe extern "C" fn(*mut c_void, *mut usize);
type Set = unsafe extern "C" fn(*mut c_void, usize, *const f64, *const f64, *const f64, *const f64);
type Step = unsafe extern "C" fn(*mut c_void, usize);
type Get = unsafe extern "C" fn(*mut c_void, usize, *mut f64, *mut f64);
type Contacts = unsafe extern "C" fn(*mut c_void, usize) -> usize;
type SetOptions = unsafe extern "C" fn(*mut c_void, c_int, c_int, f64);
type Soften = unsafe extern "C" fn(*mut c_void, *const f64, *const f64);
type Switch = unsafe extern "C" fn(*mut c_void, c_int);
type Count = unsafe extern "C" fn(*mut c_void) -> usize;
type Name = unsafe extern "C" fn(*mut c_void, usize) -> *const c_char;
type BeginPushes = unsafe extern "C" fn(*mut c_void, usize);
type Push = unsafe extern "C" fn(*mut c_void, usize, usize, *const f64, *const f64, *const f64);
type Touches = unsafe extern "C" fn(*mut c_void, usize, *mut usize, usize) -> usize;

/// A state in MuJoCo's coordinates.
#[derive(Debug, Clone, Deserialize)]
pub struct Moment {
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
    /// Controls in actuator order.
    pub ctrl: Vec<f64>,
}

/// Largest number of contacts of which the bodies are read.
const MAX_TOUCHES: usize = 256;

crate::shim! {
    load: Load = c"mujoco_load",
    free: Free = c"mujoco_free",
    sizes: Sizes = c"mujoco_sizes",
    set: Set = c"mujoco_set",
    step: Step = c"mujoco_step",
    get: Get = c"mujoco_get",
    contacts: Contacts = c"mujoco_contacts",
    options: SetOptions = c"mujoco_options",
    soften: Soften = c"mujoco_soften",
    self_collision: Switch = c"mujoco_self_collision",
    actuate: Switch = c"mujoco_actuate",
    bodies: Count = c"mujoco_bodies",
    body_name: Name = c"mujoco_body_name",
    begin_pushes: BeginPushes = c"mujoco_begin_pushes",
    push: Push = c"mujoco_push",
    touches: Touches = c"mujoco_touches",
}

impl Library {
    /// Loads a model with a number of copies of its data. The time step is in s; other settings are those of the file.
    pub fn load(&self, file: &Path, step: f64, copies: usize) -> Result<Mujoco> {
        let path = CString::new(file.to_str().context("the path is not UTF-8")?)?;
        let mut error = [0 as c_char; 500];
        // Safety: the path and the error buffer are valid during the call, and the length of the buffer is correct.
        let model =
            unsafe { (self.functions.load)(path.as_ptr(), step, copies, error.as_mut_ptr(), error.len() as c_int) };
        if model.is_null() {
            // Safety: the buffer is zero-terminated by MuJoCo, and initially.
            let why = unsafe { CStr::from_ptr(error.as_ptr()) };
            bail!("MuJoCo cannot load {}: {}", file.display(), why.to_string_lossy());
        }
        let mut sizes = [0; 3];
        // Safety: the model is alive, and the output has space for three numbers.
        unsafe { (self.functions.sizes)(model, sizes.as_mut_ptr()) };
        Ok(Mujoco { functions: self.functions.clone(), model, copies, sizes })
    }
}

/// A model in MuJoCo with copies of its data.
pub struct Mujoco {
    functions: Arc<Functions>,
    model: *mut c_void,
    copies: usize,
    /// Lengths of positions, velocities and controls.
    sizes: [usize; 3],
}

impl Drop for Mujoco {
    fn drop(&mut self) {
        // Safety: created by the shim, freed once.
        unsafe { (self.functions.free)(self.model) }
    }
}

// Safety: the shim has no global state besides a constant warning handler, and the model is used by one thread at a
// time.
unsafe impl Send for Mujoco {}

impl std::fmt::Debug for Mujoco {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Mujoco").field("copies", &self.copies).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

impl Mujoco {
    /// Sets MuJoCo's numbers of the integrator and the friction cone, and `impratio`; `None` keeps a setting.
    pub fn set_options(&mut self, integrator: Option<i32>, cone: Option<i32>, impratio: Option<f64>) {
        let (integrator, cone) = (integrator.unwrap_or(-1), cone.unwrap_or(-1));
        // Safety: the model is alive.
        unsafe { (self.functions.options)(self.model, integrator, cone, impratio.unwrap_or(0.0)) }
    }

    /// Sets the softness of all contacts.
    pub fn soften(&mut self, solref: [f64; 2], solimp: [f64; 3]) {
        // Safety: the model is alive, and the arrays have the lengths that the shim reads.
        unsafe { (self.functions.soften)(self.model, solref.as_ptr(), solimp.as_ptr()) }
    }

    /// Lets moving bodies collide only with fixed ones.
    pub fn disable_self_collision(&mut self) {
        // Safety: the model is alive.
        unsafe { (self.functions.self_collision)(self.model, 0) }
    }

    /// Sets whether actuators act.
    pub fn actuate(&mut self, on: bool) {
        // Safety: the model is alive.
        unsafe { (self.functions.actuate)(self.model, c_int::from(on)) }
    }

    /// Returns the names of all bodies by their numbers.
    pub fn bodies(&self) -> Vec<String> {
        // Safety: the model is alive, and names are zero-terminated texts that live as long as it.
        let name = |body| unsafe { CStr::from_ptr((self.functions.body_name)(self.model, body)) };
        let count = unsafe { (self.functions.bodies)(self.model) };
        (0..count).map(|body| name(body).to_string_lossy().into_owned()).collect()
    }

    /// Replaces the external forces of a copy in its present state: body, force, moment and point.
    pub fn push(&mut self, copy: usize, pushes: impl Iterator<Item = (usize, [f64; 3], [f64; 3], [f64; 3])>) {
        assert!(copy < self.copies);
        // Safety: the copy exists, as asserted.
        let count = unsafe { (self.functions.bodies)(self.model) };
        unsafe { (self.functions.begin_pushes)(self.model, copy) }
        for (body, force, moment, point) in pushes {
            assert!(body < count);
            let [force, moment, point] = [&force, &moment, &point].map(|vector| vector.as_ptr());
            // Safety: the copy and the body exist, as asserted, and the vectors have three numbers.
            unsafe { (self.functions.push)(self.model, copy, body, force, moment, point) }
        }
    }

    /// Returns the bodies of each contact of a copy's last step that transmitted a force.
    pub fn touches(&self, copy: usize) -> Vec<[usize; 2]> {
        assert!(copy < self.copies);
        let mut bodies = [0; 2 * MAX_TOUCHES];
        // Safety: the copy exists, as asserted, and the output has space for two numbers of each contact.
        let count = unsafe { (self.functions.touches)(self.model, copy, bodies.as_mut_ptr(), MAX_TOUCHES) };
        bodies[..2 * count].chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Sets the state of a copy. The solver is warm-started from the given accelerations, or from those of its last
    /// step.
    pub fn set(&mut self, copy: usize, moment: &Moment, warm_start: Option<&[f64]>) {
        assert!(copy < self.copies);
        assert_eq!([moment.qpos.len(), moment.qvel.len(), moment.ctrl.len()], self.sizes);
        assert!(warm_start.is_none_or(|accelerations| accelerations.len() == self.sizes[1]));
        let [qpos, qvel, ctrl] = [&moment.qpos, &moment.qvel, &moment.ctrl].map(|numbers| numbers.as_ptr());
        let warm_start = warm_start.map_or(ptr::null(), <[f64]>::as_ptr);
        // Safety: the copy exists and the slices have the lengths of the model, as asserted.
        unsafe { (self.functions.set)(self.model, copy, qpos, qvel, ctrl, warm_start) }
    }

    /// Performs a step of each of the first `count` copies. Timed.
    pub fn step(&mut self, count: usize) {
        assert!(count <= self.copies);
        // Safety: there are at least `count` copies, as asserted.
        unsafe { (self.functions.step)(self.model, count) }
    }

    /// Returns positions and velocities of a copy.
    pub fn get(&self, copy: usize) -> (Vec<f64>, Vec<f64>) {
        assert!(copy < self.copies);
        let (mut qpos, mut qvel) = (vec![0.0; self.sizes[0]], vec![0.0; self.sizes[1]]);
        // Safety: the copy exists, as asserted, and the outputs have the lengths of the model.
        unsafe { (self.functions.get)(self.model, copy, qpos.as_mut_ptr(), qvel.as_mut_ptr()) }
        (qpos, qvel)
    }

    /// Returns the number of contacts of a copy's last step.
    pub fn contacts(&self, copy: usize) -> usize {
        assert!(copy < self.copies);
        // Safety: the copy exists, as asserted.
        unsafe { (self.functions.contacts)(self.model, copy) }
    }
}

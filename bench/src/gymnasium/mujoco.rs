//! MuJoCo, called through the shim `peers/mujoco_shim.cpp`.
//!
//! Calling a C library requires unsafe code.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::corpus::Moment;

type Load = unsafe extern "C" fn(*const c_char, f64, usize, *mut c_char, c_int) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Sizes = unsafe extern "C" fn(*mut c_void, *mut usize);
type Set = unsafe extern "C" fn(*mut c_void, usize, *const f64, *const f64, *const f64, *const f64);
type Step = unsafe extern "C" fn(*mut c_void, usize);
type Get = unsafe extern "C" fn(*mut c_void, usize, *mut f64, *mut f64);
type Contacts = unsafe extern "C" fn(*mut c_void, usize) -> usize;

crate::shim! {
    load: Load = c"mujoco_load",
    free: Free = c"mujoco_free",
    sizes: Sizes = c"mujoco_sizes",
    set: Set = c"mujoco_set",
    step: Step = c"mujoco_step",
    get: Get = c"mujoco_get",
    contacts: Contacts = c"mujoco_contacts",
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

impl Mujoco {
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

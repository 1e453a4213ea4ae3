//! MuJoCo, through the small shim `peers/mujoco_shim.cpp`.
//!
//! Unsafe code, as a C library cannot be called without it.
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

/// The shim, loaded.
pub struct Library {
    functions: Arc<Functions>,
}

struct Functions {
    load: Load,
    free: Free,
    sizes: Sizes,
    set: Set,
    step: Step,
    get: Get,
    contacts: Contacts,
    // Keeps the code behind the pointers above mapped.
    _library: libloading::Library,
}

impl Library {
    /// Loads the shim that `bench/run` compiled.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let path = path.context("the shim was not built (bench/run builds it)")?;
        // Safety: the shim is our own file, its functions have the types above, and loading it runs no code of ours.
        let functions = unsafe {
            let library = libloading::Library::new(path).with_context(|| path.display().to_string())?;
            Functions {
                load: *library.get::<Load>(c"mujoco_load")?,
                free: *library.get::<Free>(c"mujoco_free")?,
                sizes: *library.get::<Sizes>(c"mujoco_sizes")?,
                set: *library.get::<Set>(c"mujoco_set")?,
                step: *library.get::<Step>(c"mujoco_step")?,
                get: *library.get::<Get>(c"mujoco_get")?,
                contacts: *library.get::<Contacts>(c"mujoco_contacts")?,
                _library: library,
            }
        };
        Ok(Self { functions: Arc::new(functions) })
    }

    /// Loads a model with so many copies of its data. The step is in s; all else is as the file says.
    pub fn load(&self, file: &Path, step: f64, copies: usize) -> Result<Mujoco> {
        let path = CString::new(file.to_str().context("a path that is no text")?)?;
        let mut error = [0 as c_char; 500];
        // Safety: the path and the room for an error are valid during the call, and the room is as large as said.
        let model =
            unsafe { (self.functions.load)(path.as_ptr(), step, copies, error.as_mut_ptr(), error.len() as c_int) };
        if model.is_null() {
            // Safety: MuJoCo ends what it writes there with a zero, and so does the array if it writes nothing.
            let why = unsafe { CStr::from_ptr(error.as_ptr()) };
            bail!("MuJoCo refuses {}: {}", file.display(), why.to_string_lossy());
        }
        let mut sizes = [0; 3];
        // Safety: a live model, and room for three numbers.
        unsafe { (self.functions.sizes)(model, sizes.as_mut_ptr()) };
        Ok(Mujoco { functions: self.functions.clone(), model, copies, sizes })
    }
}

/// A model inside MuJoCo, with copies of its data.
pub struct Mujoco {
    functions: Arc<Functions>,
    model: *mut c_void,
    copies: usize,
    /// Numbers of a position, of a velocity, and of the controls.
    sizes: [usize; 3],
}

impl Drop for Mujoco {
    fn drop(&mut self) {
        // Safety: made by the shim, freed once.
        unsafe { (self.functions.free)(self.model) }
    }
}

impl Mujoco {
    /// Brings a copy to a state. Its solver begins from what it is given, or from what its last step left.
    pub fn set(&mut self, copy: usize, moment: &Moment, warm_start: Option<&[f64]>) {
        assert!(copy < self.copies);
        assert_eq!([moment.qpos.len(), moment.qvel.len(), moment.ctrl.len()], self.sizes);
        assert!(warm_start.is_none_or(|accelerations| accelerations.len() == self.sizes[1]));
        let [qpos, qvel, ctrl] = [&moment.qpos, &moment.qvel, &moment.ctrl].map(|numbers| numbers.as_ptr());
        let warm_start = warm_start.map_or(ptr::null(), <[f64]>::as_ptr);
        // Safety: a copy that is there, and as many numbers as the model has, as asserted.
        unsafe { (self.functions.set)(self.model, copy, qpos, qvel, ctrl, warm_start) }
    }

    /// A step of each of the first `count` copies. Timed.
    pub fn step(&mut self, count: usize) {
        assert!(count <= self.copies);
        // Safety: so many copies are there, as asserted.
        unsafe { (self.functions.step)(self.model, count) }
    }

    /// Positions and velocities of a copy.
    pub fn get(&self, copy: usize) -> (Vec<f64>, Vec<f64>) {
        assert!(copy < self.copies);
        let (mut qpos, mut qvel) = (vec![0.0; self.sizes[0]], vec![0.0; self.sizes[1]]);
        // Safety: a copy that is there, as asserted, and room for its numbers.
        unsafe { (self.functions.get)(self.model, copy, qpos.as_mut_ptr(), qvel.as_mut_ptr()) }
        (qpos, qvel)
    }

    /// Contacts of a copy's last step.
    pub fn contacts(&self, copy: usize) -> usize {
        assert!(copy < self.copies);
        // Safety: a copy that is there, as asserted.
        unsafe { (self.functions.contacts)(self.model, copy) }
    }
}

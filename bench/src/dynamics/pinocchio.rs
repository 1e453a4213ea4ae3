//! Pinocchio: the articulated-body algorithm in C++, called through the shim `peers/pinocchio_shim.cpp`.
//!
//! Calling a C library requires unsafe code.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use anyhow::{Result, bail};
use glam::{DMat3, DVec3};

use super::states::States;
use super::tree::{Joint, Link, Tree};

/// A link in the format of the shim.
type Numbers = [f64; 24];

type Humanoid = unsafe extern "C" fn() -> *mut c_void;
type New = unsafe extern "C" fn(*const f64, usize) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type LinkCount = unsafe extern "C" fn(*const c_void) -> usize;
type Links = unsafe extern "C" fn(*const c_void, *mut f64);
type Load = unsafe extern "C" fn(*mut c_void, *const f64, *const f64, *const f64, usize);
type Run = unsafe extern "C" fn(*mut c_void, c_int, usize, *mut f64);
type BackwardError = unsafe extern "C" fn(*mut c_void, usize, *const f64) -> f64;

burgess_bench::shim! {
    humanoid: Humanoid = c"pinocchio_humanoid",
    new: New = c"pinocchio_tree",
    free: Free = c"pinocchio_free",
    link_count: LinkCount = c"pinocchio_link_count",
    links: Links = c"pinocchio_links",
    load: Load = c"pinocchio_load",
    run: Run = c"pinocchio_run",
    backward_error: BackwardError = c"pinocchio_backward_error",
}

impl Library {
    /// Creates Pinocchio's sample humanoid.
    pub fn humanoid(&self) -> Result<Pinocchio> {
        // Safety: no arguments.
        let tree = unsafe { (self.functions.humanoid)() };
        self.taken(tree)
    }

    /// Creates a tree.
    pub fn model(&self, tree: &Tree) -> Result<Pinocchio> {
        let numbers: Vec<Numbers> = tree.0.iter().map(to_numbers).collect();
        // Safety: there are 24 numbers for each link, valid during the call.
        let tree = unsafe { (self.functions.new)(numbers.as_ptr().cast(), numbers.len()) };
        self.taken(tree)
    }

    fn taken(&self, tree: *mut c_void) -> Result<Pinocchio> {
        if tree.is_null() {
            bail!("Pinocchio rejects the tree");
        }
        Ok(Pinocchio { functions: self.functions.clone(), tree, count: 0, sizes: (0, 0) })
    }
}

/// A tree in Pinocchio with states.
pub struct Pinocchio {
    functions: Arc<Functions>,
    tree: *mut c_void,
    /// Number of loaded states.
    count: usize,
    /// Numbers of positions and degrees of freedom of the loaded states.
    sizes: (usize, usize),
}

impl Drop for Pinocchio {
    fn drop(&mut self) {
        // Safety: created by the shim, freed once.
        unsafe { (self.functions.free)(self.tree) }
    }
}

impl Pinocchio {
    /// Returns the tree as numbers.
    pub fn tree(&self) -> Result<Tree> {
        // Safety: the tree is alive, and the shim writes 24 numbers for each link.
        let numbers = unsafe {
            let mut numbers: Vec<Numbers> = vec![[0.0; 24]; (self.functions.link_count)(self.tree)];
            (self.functions.links)(self.tree, numbers.as_mut_ptr().cast());
            numbers
        };
        Ok(Tree(numbers.iter().map(from_numbers).collect::<Result<_>>()?))
    }

    /// Loads the states of the next run. Not timed.
    pub fn load(&mut self, tree: &Tree, states: &States) {
        self.sizes = tree.sizes();
        self.count = states.v.len() / self.sizes.1;
        assert_eq!(states.q.len(), self.count * self.sizes.0);
        assert_eq!((states.v.len(), states.tau.len()), (self.count * self.sizes.1, self.count * self.sizes.1));
        // Safety: the slices have the asserted number of elements for each of `count` states.
        unsafe {
            let [q, v, tau] = [&states.q, &states.v, &states.tau].map(|numbers| numbers.as_ptr());
            (self.functions.load)(self.tree, q, v, tau, self.count);
        }
    }

    /// Evaluates `work` states by repeating the loaded ones. Timed.
    pub fn run(&mut self, world: bool, work: usize, accelerations: &mut [f64]) {
        assert_eq!(accelerations.len(), self.count * self.sizes.1);
        // Safety: the output has space for the accelerations of every loaded state, as asserted.
        unsafe { (self.functions.run)(self.tree, c_int::from(world), work, accelerations.as_mut_ptr()) }
    }

    /// Returns the residual of `M a + b = tau` for accelerations of a loaded state, relative to the size of the terms.
    pub fn backward_error(&mut self, state: usize, accelerations: &[f64]) -> f64 {
        assert!(state < self.count && accelerations.len() == self.sizes.1);
        // Safety: the state is loaded and has the asserted number of accelerations.
        unsafe { (self.functions.backward_error)(self.tree, state, accelerations.as_ptr()) }
    }
}

fn to_numbers(link: &Link) -> Numbers {
    let mut numbers = [0.0; 24];
    numbers[0] = link.parent.map_or(-1.0, |parent| parent as f64);
    numbers[1] = match link.joint {
        Joint::Free => 0.0,
        Joint::Hinge(axis) => (axis + 1) as f64,
    };
    numbers[2..11].copy_from_slice(&link.rotation.transpose().to_cols_array());
    numbers[11..14].copy_from_slice(&link.translation.to_array());
    numbers[14] = link.mass;
    numbers[15..18].copy_from_slice(&link.center_of_mass.to_array());
    let DMat3 { x_axis, y_axis, z_axis } = link.inertia;
    numbers[18..].copy_from_slice(&[x_axis.x, y_axis.y, z_axis.z, x_axis.y, x_axis.z, y_axis.z]);
    numbers
}

fn from_numbers(numbers: &Numbers) -> Result<Link> {
    let joint = match numbers[1] as i32 {
        0 => Joint::Free,
        axis @ 1..=3 => Joint::Hinge(axis as usize - 1),
        _ => bail!("the model of Pinocchio has a joint of an unknown type"),
    };
    let [xx, yy, zz, xy, xz, yz] = core::array::from_fn(|k| numbers[18 + k]);
    Ok(Link {
        parent: (numbers[0] >= 0.0).then_some(numbers[0] as usize),
        joint,
        rotation: DMat3::from_cols_slice(&numbers[2..11]).transpose(),
        translation: DVec3::from_slice(&numbers[11..]),
        mass: numbers[14],
        center_of_mass: DVec3::from_slice(&numbers[15..]),
        inertia: DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
    })
}

//! Coal, formerly HPP-FCL: GJK in C++ with its cached guess, called through the shim `peers/coal_shim.cpp`.
//!
//! Calling a C library requires unsafe code.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::Arc;

use anyhow::Result;
use burgess_geometry::Pose;
use glam::DVec3;

use super::{Answer, Body, ClosestPoints};

type New = unsafe extern "C" fn(*const f64, usize, *const f64, usize) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Load = unsafe extern "C" fn(*mut c_void, *const f64, usize);
type Run = unsafe extern "C" fn(*mut c_void, *mut f64) -> f64;

burgess_bench::shim! {
    new: New = c"coal_pair_new",
    free: Free = c"coal_pair_free",
    load: Load = c"coal_pair_load",
    run: Run = c"coal_pair_run",
}

impl Library {
    /// Creates the query for two bodies.
    pub fn boxed(&self, a: &Body, b: &Body) -> Result<Box<dyn ClosestPoints>> {
        let ((a, count_a), (b, count_b)) = (numbers(a), numbers(b));
        // Safety: the pointers are valid for the given counts during the call.
        let pair = unsafe { (self.functions.new)(a.as_ptr(), count_a, b.as_ptr(), count_b) };
        if pair.is_null() {
            anyhow::bail!("Coal rejects the shapes");
        }
        Ok(Box::new(Coal { functions: self.functions.clone(), pair, count: 0, answers: Vec::new() }))
    }
}

/// One pair of bodies in Coal.
struct Coal {
    functions: Arc<Functions>,
    pair: *mut c_void,
    count: usize,
    answers: Vec<[f64; 7]>,
}

impl Drop for Coal {
    fn drop(&mut self) {
        // Safety: created by `new`, freed once.
        unsafe { (self.functions.free)(self.pair) }
    }
}

impl ClosestPoints for Coal {
    fn load(&mut self, poses: &[[Pose; 2]]) {
        let flat: Vec<[f64; 7]> = poses.iter().flatten().map(pose).collect();
        self.count = poses.len();
        self.answers.resize(self.count, [0.0; 7]);
        // Safety: `flat` has fourteen numbers for each of the `count` queries.
        unsafe { (self.functions.load)(self.pair, flat.as_ptr().cast(), self.count) }
    }

    fn run(&mut self) {
        // Safety: `answers` has seven numbers for each loaded query.
        let sum = unsafe { (self.functions.run)(self.pair, self.answers.as_mut_ptr().cast()) };
        std::hint::black_box(sum);
    }

    fn answers(&self, answers: &mut Vec<Answer>) {
        answers.extend(self.answers.iter().map(|answer| {
            // Coal returns no points for penetrating bodies.
            let points = [DVec3::new(answer[1], answer[2], answer[3]), DVec3::new(answer[4], answer[5], answer[6])];
            (answer[0] > 0.0 && !points[0].is_nan()).then_some(points)
        }));
    }
}

/// Returns the numbers of a body and the number of points, which is zero for a box.
fn numbers(body: &Body) -> (Vec<f64>, usize) {
    match body {
        Body::Hull(points) => (points.iter().flat_map(|p| p.to_array()).collect(), points.len()),
        Body::Cuboid(half_extents) => (half_extents.to_array().to_vec(), 0),
    }
}

fn pose(pose: &Pose) -> [f64; 7] {
    let (t, q) = (pose.translation, pose.rotation);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}

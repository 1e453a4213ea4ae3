//! Reduces a failing scene while it fails in the same way: halves of the bodies are removed, then quarters, down to
//! single bodies, then constraints and special properties of bodies.

use std::collections::BTreeSet;

use burgess_scene::spec::SceneSpec;

/// Maximum number of simulations.
const RUNS: usize = 250;

/// Reduces a scene. `fails` returns the time at which a scene fails in the same way within a time limit (s).
pub fn shrink(scene: SceneSpec, time: f64, fails: impl Fn(&SceneSpec, f64) -> Option<f64>) -> SceneSpec {
    let mut best = SceneSpec { duration: time, ..scene };
    let mut runs = 0;
    let mut attempt = |best: &mut SceneSpec, smaller: SceneSpec| {
        runs += 1;
        if runs > RUNS || smaller == *best {
            return false;
        }
        // Slightly longer, because smaller scenes may fail later.
        let found = fails(&smaller, best.duration * 1.2);
        if let Some(time) = found {
            *best = SceneSpec { duration: time, ..smaller };
        }
        found.is_some()
    };
    loop {
        let before = best.bodies.len();
        let mut piece = best.bodies.len().div_ceil(2);
        while piece > 0 {
            let mut end = best.bodies.len();
            while end > 0 {
                let start = end.saturating_sub(piece);
                let gone = best.bodies[start..end].iter().map(|body| body.name.clone()).collect();
                let smaller = without(&best, gone);
                attempt(&mut best, smaller);
                end = start.min(best.bodies.len());
            }
            piece /= 2;
        }
        for tie in (0..best.constraints.len()).rev() {
            let mut smaller = best.clone();
            smaller.constraints.remove(tie);
            attempt(&mut best, smaller);
        }
        if best.bodies.len() == before {
            return best;
        }
    }
}

/// Returns a scene without some bodies, their descendants and all references to them.
fn without(scene: &SceneSpec, mut gone: BTreeSet<String>) -> SceneSpec {
    loop {
        let hanging = scene.bodies.iter().filter(|body| {
            body.joint.as_ref().and_then(|joint| joint.parent.as_ref()).is_some_and(|parent| gone.contains(parent))
        });
        let more: Vec<String> = hanging.map(|body| body.name.clone()).filter(|name| !gone.contains(name)).collect();
        if more.is_empty() {
            break;
        }
        gone.extend(more);
    }
    let named = |body: &Option<String>| body.as_ref().is_some_and(|name| gone.contains(name));
    let mut smaller = scene.clone();
    smaller.bodies.retain(|body| !gone.contains(&body.name));
    smaller.constraints.retain(|tie| !named(&tie.a.body) && !named(&tie.b.body));
    smaller.exclusions.retain(|pair| pair.iter().all(|name| !gone.contains(name)));
    smaller
}

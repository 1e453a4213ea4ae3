//! Answers questions about models with Burgess, for `bench/compare_models`. Reads questions and writes answers, one
//! JSON object per line.
//!
//! All states are in MuJoCo's coordinates. If a model cannot be loaded, the answer is the error.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use burgess_bench::gymnasium::burgess::Burgess;
use burgess_bench::gymnasium::corpus::Moment;
use burgess_dynamics::integrators::{Integrator, Rk4};
use burgess_dynamics::observables;
use burgess_dynamics::spatial::Symmetric3;
use burgess_formats::mjcf::MappedKind;
use clap::Parser;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Answer questions about models.
#[derive(Parser)]
struct Options {
    /// A file of questions
    questions: PathBuf,
}

#[derive(Deserialize)]
struct Question {
    file: PathBuf,
    /// Time step, in s.
    step: f64,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    /// Properties of the model and its accelerations, without contacts and limits.
    States(Vec<Moment>),
    /// Motion by Runge-Kutta integration, without contacts and limits.
    Flight(Course),
    /// Motion by time stepping, with contacts.
    Run(Course),
}

/// A motion under given controls.
#[derive(Deserialize)]
struct Course {
    start: Moment,
    /// Rows of controls; row i applies from step `steps[i]` on.
    controls: Vec<Vec<f64>>,
    /// First step of each row of controls.
    steps: Vec<usize>,
    /// Number of steps.
    length: usize,
    /// Number of steps between two reported positions.
    every: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    States { warnings: Vec<String>, states: Vec<StateAnswer> },
    Course { positions: Vec<Vec<f64>>, penetrations: Vec<f64> },
    Failure(String),
}

#[derive(Serialize)]
struct StateAnswer {
    mass: f64,
    center: [f64; 3],
    links: Vec<LinkAnswer>,
    axes: Vec<AxisAnswer>,
    accelerations: Vec<f64>,
}

/// A link with all links welded to it.
#[derive(Serialize)]
struct LinkAnswer {
    /// Index of its first velocity in MuJoCo's qvel.
    qvel: usize,
    mass: f64,
    /// Centre of mass in the world.
    center: [f64; 3],
    /// Inertia about the centre of mass in world coordinates: xx, yy, zz, yz, xz, xy.
    inertia: [f64; 6],
}

/// Motion of a link along an axis, at the world's origin.
#[derive(Serialize)]
struct AxisAnswer {
    qvel: usize,
    angular: [f64; 3],
    linear: [f64; 3],
}

fn main() -> Result<()> {
    let path = Options::parse().questions;
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for line in text.lines() {
        let question: Question = serde_json::from_str(line)?;
        let answer = answer(&question).unwrap_or_else(|failure| Answer::Failure(format!("{failure:#}")));
        println!("{}", serde_json::to_string(&answer)?);
    }
    Ok(())
}

fn answer(question: &Question) -> Result<Answer> {
    let mut burgess = Burgess::load(Path::new(&question.file), question.step)?;
    match &question.asked {
        Asked::States(moments) => {
            let states = moments.iter().map(|moment| state(&mut burgess, moment)).collect::<Result<_>>()?;
            Ok(Answer::States { warnings: burgess.warnings, states })
        }
        Asked::Flight(course) => flight(&mut burgess, course, question.step),
        Asked::Run(course) => run(&mut burgess, course),
    }
}

fn state(burgess: &mut Burgess, moment: &Moment) -> Result<StateAnswer> {
    let accelerations = burgess.accelerations(moment)?;
    let data = burgess.run.simulation.data_mut();
    data.update_kinematics();
    let totals = observables(data.world.model(), &data.state, &data.workspace);
    let (mass, center) = (totals.mass, totals.center_of_mass.to_array());
    Ok(StateAnswer { mass, center, links: links(burgess)?, axes: axes(burgess)?, accelerations })
}

/// Mass, first moment and inertia about the world's origin.
#[derive(Clone, Copy, Default)]
struct Sum {
    mass: f64,
    moment: DVec3,
    inertia: Symmetric3,
}

fn links(burgess: &Burgess) -> Result<Vec<LinkAnswer>> {
    let data = burgess.run.simulation.data();
    let model = data.world.model();
    let mut sums = vec![Sum::default(); model.links().len()];
    // Children come after their parents, so welded links are added to their parents.
    for (index, link) in model.links().iter().enumerate().rev() {
        let inertia = data.workspace.rigid_inertia(model, index);
        let anchor = data.workspace.anchor(index);
        let center = anchor + inertia.center;
        let about_center = inertia.about_point + Symmetric3::parallel_axis(inertia.center) * -inertia.mass;
        let sum = &mut sums[index];
        sum.mass += inertia.mass;
        sum.moment += inertia.mass * center;
        sum.inertia += about_center + Symmetric3::parallel_axis(center) * inertia.mass;
        let whole = *sum;
        if let (0, Some(parent)) = (link.dofs, link.parent()) {
            let sum = &mut sums[parent];
            sum.mass += whole.mass;
            sum.moment += whole.moment;
            sum.inertia += whole.inertia;
        }
    }
    let mut answers: Vec<LinkAnswer> = Vec::new();
    for joint in burgess.map.joints() {
        if matches!(joint.kind, MappedKind::Axis { axis: 1.., .. }) {
            continue;
        }
        let Sum { mass, moment, inertia } = sums[burgess.link(&joint.body)?];
        let center = moment / mass;
        let inertia = inertia + Symmetric3::parallel_axis(center) * -mass;
        let (diagonal, off_diagonal) = (inertia.diagonal, inertia.off_diagonal);
        answers.push(LinkAnswer {
            qvel: joint.qvel,
            mass,
            center: center.to_array(),
            inertia: [diagonal.x, diagonal.y, diagonal.z, off_diagonal.x, off_diagonal.y, off_diagonal.z],
        });
    }
    Ok(answers)
}

fn axes(burgess: &Burgess) -> Result<Vec<AxisAnswer>> {
    let data = burgess.run.simulation.data();
    let model = data.world.model();
    let mut answers = Vec::new();
    for joint in burgess.map.joints() {
        let MappedKind::Axis { axis, .. } = joint.kind else { continue };
        let index = burgess.link(&joint.body)?;
        let wanted = model.links()[index].v + axis;
        data.workspace.for_each_column(model, index, DVec3::ZERO, |dof, motion| {
            if dof == wanted {
                let (angular, linear) = (motion.angular.to_array(), motion.linear.to_array());
                answers.push(AxisAnswer { qvel: joint.qvel, angular, linear });
            }
        });
    }
    Ok(answers)
}

/// Returns the controls from this step on, if they changed_controls.
fn changed_controls(course: &Course, step: usize) -> Option<&[f64]> {
    let row = course.steps.iter().position(|&begin| begin == step)?;
    Some(&course.controls[row])
}

fn flight(burgess: &mut Burgess, course: &Course, step: f64) -> Result<Answer> {
    burgess.set(&course.start)?;
    let mut integrator = Rk4::new(burgess.run.simulation.world().model());
    let mut positions = Vec::new();
    for index in 0..course.length {
        if let Some(controls) = changed_controls(course, index) {
            burgess.run.set_controls(controls);
        }
        let (model, state, mut acting, workspace) = burgess.run.simulation.data_mut().for_motion();
        integrator.step(model, state, &mut acting, workspace, step)?;
        if (index + 1) % course.every == 0 {
            positions.push(burgess.moment()?.0);
        }
    }
    Ok(Answer::Course { positions, penetrations: Vec::new() })
}

fn run(burgess: &mut Burgess, course: &Course) -> Result<Answer> {
    burgess.set(&course.start)?;
    let (mut positions, mut penetrations) = (Vec::new(), Vec::new());
    for index in 0..course.length {
        if let Some(controls) = changed_controls(course, index) {
            burgess.run.set_controls(controls);
        }
        burgess.step().with_context(|| format!("step {index}"))?;
        penetrations.push(burgess.run.simulation.statistics().penetration);
        if (index + 1) % course.every == 0 {
            positions.push(burgess.moment()?.0);
        }
    }
    Ok(Answer::Course { positions, penetrations })
}

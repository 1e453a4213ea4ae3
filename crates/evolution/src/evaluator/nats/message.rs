//! What is sent: jobs to workers and on to their child processes, results back. A job's genome is stored as in an archive and its
//! task is TOML, so that what arrives is checked like any file; the result carries a hash of the job, so that it is never taken for
//! the result of another.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use burgess_creature::store;
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

use crate::digest::chained;
use crate::evaluator::Job;
use crate::individual::Id;
use crate::result::Evaluated;

/// Longer frames are refused: two genomes and a task have less.
const MAX_FRAME: u32 = 4 << 20;

#[derive(Serialize, Deserialize)]
struct JobMessage {
    id: Id,
    seed: u64,
    task: String,
    genome: Vec<u8>,
    opponent: Option<Vec<u8>>,
}

/// A result with the job that it is of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    /// Hash of the job's bytes.
    pub job: u64,
    pub result: Evaluated,
}

/// What a child process says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// It has started: hash of its physics.
    Ready { release: String, physics: u64 },
    /// It is at work on a creature, and has computed for so many milliseconds.
    Alive { milliseconds: u64 },
    /// That is what came of it.
    Done(Evaluated),
}

/// A job that has been sent before may share its task with the next.
#[derive(Debug, Default)]
pub(super) struct JobReader {
    last: Option<(String, Arc<Task>)>,
}

impl JobReader {
    pub fn read(&mut self, bytes: &[u8]) -> Result<Job, String> {
        let message: JobMessage = postcard::from_bytes(bytes).map_err(|error| format!("no job: {error}"))?;
        let JobMessage { id, seed, task: text, genome, opponent } = message;
        let genome_of = |bytes: &[u8]| store::retrieve(bytes).map_err(|error| format!("no genome: {error}"));
        let task = match &self.last {
            Some((last, task)) if *last == text => Arc::clone(task),
            _ => {
                let task = Arc::new(Task::from_toml(&text, "task").map_err(|error| error.to_string())?);
                self.last = Some((text, Arc::clone(&task)));
                task
            }
        };
        let opponent = opponent.map(|bytes| genome_of(&bytes)).transpose()?;
        Ok(Job { id, genome: genome_of(&genome)?, opponent, task, seed })
    }
}

/// A job's bytes. The task's text is made once for all jobs that share it.
#[derive(Debug, Default)]
pub(super) struct JobWriter {
    last: Option<(Arc<Task>, String)>,
}

impl JobWriter {
    pub fn write(&mut self, job: &Job) -> Vec<u8> {
        let task = match &self.last {
            Some((task, text)) if Arc::ptr_eq(task, &job.task) => text.clone(),
            _ => {
                // Its parameters are set, and where they go later is not for workers to judge.
                let text = Task { syllabus: Default::default(), ..(*job.task).clone() }.to_toml();
                self.last = Some((Arc::clone(&job.task), text.clone()));
                text
            }
        };
        to_bytes(&JobMessage {
            id: job.id,
            seed: job.seed,
            task,
            genome: store::store(&job.genome),
            opponent: job.opponent.as_ref().map(store::store),
        })
    }
}

/// How long a processor may compute at a job before it counts as hung: 1 ms for each step that the task allows is ten times what the slowest
/// bodies need, and a minute for the rest.
pub(super) fn allowance(job: &[u8]) -> Duration {
    let steps = JobReader::default().read(job).map_or(0, |job| job.task.limits.steps);
    Duration::from_secs(60) + Duration::from_millis(steps)
}

/// Tells the jobs of one number in different runs from each other.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    chained(0, bytes)
}

pub(super) fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain data in memory can always be written.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Bytes with their number in front.
pub(super) fn write_frame(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&frame_head(bytes))?;
    to.write_all(bytes)?;
    to.flush()
}

pub(super) fn frame_head(bytes: &[u8]) -> [u8; 4] {
    (bytes.len() as u32).to_le_bytes()
}

/// None at the end.
pub(super) fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    match from.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut bytes = vec![0; frame_length(head)?];
    from.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

pub(super) fn frame_length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(head);
    if length > MAX_FRAME {
        return Err(io::Error::other(format!("a message of {length} bytes, at most {MAX_FRAME} are expected")));
    }
    Ok(length as usize)
}

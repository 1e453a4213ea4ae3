//! Messages: jobs to workers and their child processes, and results back. A job's genome is encoded as in an archive
//! and its task is TOML, so that both are checked like files. A result carries a hash of its job, so that it cannot
//! be taken for the result of another job.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use burgess_creature::evaluation::Side;
use burgess_creature::store;
use burgess_creature::task::Task;
use serde::{Deserialize, Serialize};

use crate::digest::chained;
use crate::evaluator::Job;
use crate::individual::Id;
use crate::result::EvaluationResult;

/// Largest length of a frame, in bytes. A task and the genomes of a creature and its opponents are shorter.
const MAX_FRAME: u32 = 4 << 20;

#[derive(Serialize, Deserialize)]
struct JobMessage {
    id: Id,
    seed: u64,
    task: String,
    genome: Vec<u8>,
    side: Side,
    opponents: Vec<Vec<u8>>,
}

/// A result and the hash of its job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    /// Hash of the job's bytes.
    pub job: u64,
    pub result: EvaluationResult,
}

/// Messages of a child process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// The process has started; with its version.
    Ready { release: String, physics: u64 },
    /// The process is evaluating, and has used this much processor time, in ms.
    Alive { milliseconds: u64 },
    /// The result of the job.
    Done(EvaluationResult),
}

/// Decodes jobs. Consecutive jobs with the same text share the task.
#[derive(Debug, Default)]
pub(super) struct JobReader {
    last: Option<(String, Arc<Task>)>,
}

impl JobReader {
    pub fn read(&mut self, bytes: &[u8]) -> Result<Job, String> {
        let message: JobMessage = postcard::from_bytes(bytes).map_err(|error| format!("no job: {error}"))?;
        let JobMessage { id, seed, task: text, genome, side, opponents } = message;
        let genome_of = |bytes: &[u8]| store::retrieve(bytes).map_err(|error| format!("no genome: {error}"));
        let task = match &self.last {
            Some((last, task)) if *last == text => Arc::clone(task),
            _ => {
                let task = Arc::new(Task::from_toml(&text, "task").map_err(|error| error.to_string())?);
                self.last = Some((text, Arc::clone(&task)));
                task
            }
        };
        let opponents = opponents.iter().map(|bytes| genome_of(bytes)).collect::<Result<_, _>>()?;
        Ok(Job { id, genome: genome_of(&genome)?, side, opponents, task, seed })
    }
}

/// Encodes jobs. The text of a task is made once for all jobs that share it.
#[derive(Debug, Default)]
pub(super) struct JobWriter {
    last: Option<(Arc<Task>, String)>,
}

impl JobWriter {
    pub fn write(&mut self, job: &Job) -> Vec<u8> {
        let task = match &self.last {
            Some((task, text)) if Arc::ptr_eq(task, &job.task) => text.clone(),
            _ => {
                // The parameters are set; workers do not need the syllabus.
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
            side: job.side,
            opponents: job.opponents.iter().map(store::store).collect(),
        })
    }
}

/// Processor time after which a job counts as hung: 1 ms for each step that the task allows against each opponent, which
/// is ten times what the slowest bodies need, and a minute for the rest.
pub(super) fn allowance(job: &[u8]) -> Duration {
    let allowed = |job: Job| job.task.limits.steps.saturating_mul(job.opponents.len().max(1) as u64);
    let steps = JobReader::default().read(job).map_or(0, allowed);
    Duration::from_secs(60) + Duration::from_millis(steps)
}

/// Hash that distinguishes jobs with the same id in different runs.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    chained(0, bytes)
}

pub(super) fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain data in memory can always be serialized.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Writes bytes with their length in front.
pub(super) fn write_frame(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&frame_head(bytes))?;
    to.write_all(bytes)?;
    to.flush()
}

pub(super) fn frame_head(bytes: &[u8]) -> [u8; 4] {
    (bytes.len() as u32).to_le_bytes()
}

/// Reads a frame. Returns `None` at the end of the input.
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

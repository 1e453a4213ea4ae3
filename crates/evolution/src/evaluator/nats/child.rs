//! A child process of a worker: reads jobs, evaluates one after the other, and reports every second that it is
//! running and how long it has computed (the pings of Fontijne (2000) section 4.6). It ends when its input ends or
//! its output is closed, so it never outlives its worker.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::{JobReader, Report, read_frame, to_bytes, write_frame};
use crate::Version;
use crate::evaluator::{Job, evaluate};
use crate::result::EvaluationResult;

/// Time between two pings.
const PING_INTERVAL: Duration = Duration::from_secs(1);

/// Serves as a child process until the input ends. The whole process exits when the output is closed.
pub fn serve(input: impl Read, output: impl Write + Send + 'static) -> io::Result<()> {
    serve_with(input, output, evaluate)
}

/// Serves with another evaluation function.
pub fn serve_with(
    mut input: impl Read,
    output: impl Write + Send + 'static,
    evaluate: impl Fn(&Job) -> EvaluationResult,
) -> io::Result<()> {
    let own = Version::own();
    let output = Arc::new(Mutex::new(Output { to: output, began: None }));
    lock(&output).report(&Report::Ready { release: own.release, physics: own.physics })?;
    let pinging = Arc::clone(&output);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(PING_INTERVAL);
            let mut output = lock(&pinging);
            let Some(began) = output.began else { continue };
            let milliseconds = computed().saturating_sub(began).as_millis() as u64;
            if output.report(&Report::Alive { milliseconds }).is_err() {
                std::process::exit(0);
            }
        }
    });
    let mut jobs = JobReader::default();
    while let Some(bytes) = read_frame(&mut input)? {
        lock(&output).began = Some(computed());
        let result = match jobs.read(&bytes) {
            Ok(job) => evaluate(&job),
            Err(why) => EvaluationResult::faulty(&why),
        };
        let mut output = lock(&output);
        output.began = None;
        output.report(&Report::Done(result))?;
    }
    Ok(())
}

struct Output<W> {
    to: W,
    /// Processor time at the start of the current job.
    began: Option<Duration>,
}

impl<W: Write> Output<W> {
    fn report(&mut self, report: &Report) -> io::Result<()> {
        write_frame(&mut self.to, &to_bytes(report))
    }
}

/// Ignores poisoning by a panic: a report is written completely, or the process ends.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Processor time of this process. Unlike wall-clock time it stands still while other processes run.
#[cfg(unix)]
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Fallback for other systems: time since the first call.
#[cfg(not(unix))]
fn computed() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

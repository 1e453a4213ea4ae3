//! A worker's view of a child process: starting it, sending jobs, receiving reports, and killing it if it stops
//! reporting or computes for too long.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::error::NatsError;
use super::message::{Report, allowance, frame_head, frame_length};
use crate::Version;
use crate::result::EvaluationResult;

/// Time without a report after which a child process counts as stopped. It reports every second.
const REPORT_TIMEOUT: Duration = Duration::from_secs(60);

/// Processor time below which the limit of a job is not computed.
const MIN_LIMIT: Duration = Duration::from_secs(60);

/// Command that starts a child process, which must [serve](super::serve).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildCommand {
    /// Path of the program.
    pub program: PathBuf,
    /// Arguments of the program.
    pub arguments: Vec<String>,
}

/// A running child process.
pub(super) struct Process {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
}

/// How a child process failed at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The process failed by itself; with the reason.
    Own(String),
    /// Another process killed it, or it was not given time to run.
    Killed,
}

impl Process {
    /// Starts a process and waits until it is ready.
    pub async fn start(command: &ChildCommand, version: &Version) -> Result<Self, NatsError> {
        let failed = |why: String| NatsError::Child { program: command.program.clone(), why };
        let mut prepared = Command::new(&command.program);
        prepared.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C is handled by the worker, which ends its child processes.
        #[cfg(unix)]
        prepared.process_group(0);
        let mut child = prepared.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".to_string()));
        };
        let mut process = Self { child, to, from };
        match timeout(REPORT_TIMEOUT, process.next_report()).await {
            Ok(Ok(Report::Ready { release, physics })) => {
                let found = Version { release, physics };
                if found == *version {
                    Ok(process)
                } else {
                    Err(NatsError::Version { theirs: version.to_string(), ours: found.to_string() })
                }
            }
            Ok(Ok(other)) => Err(failed(format!("it begins with {other:?}"))),
            Ok(Err(_)) => Err(match process.cause_of_end().await {
                Failure::Own(why) => failed(why),
                Failure::Killed => NatsError::Killed { program: command.program.clone() },
            }),
            Err(_) => Err(failed("it says nothing".to_string())),
        }
    }

    /// Sends a job and waits for the result. After a failure the process cannot be used again.
    pub async fn evaluate(&mut self, job: &[u8], limit: Option<Duration>) -> Result<EvaluationResult, Failure> {
        let given = async {
            self.to.write_all(&frame_head(job)).await?;
            self.to.write_all(job).await?;
            self.to.flush().await
        };
        if given.await.is_err() {
            return Err(self.cause_of_end().await);
        }
        loop {
            match timeout(REPORT_TIMEOUT, self.next_report()).await {
                Ok(Ok(Report::Done(result))) => return Ok(result),
                Ok(Ok(Report::Ready { .. })) => return Err(Failure::Own("its process began anew".to_string())),
                Ok(Ok(Report::Alive { milliseconds })) => {
                    let computed = Duration::from_millis(milliseconds);
                    let allowed = || limit.unwrap_or_else(|| allowance(job));
                    if computed > limit.unwrap_or(MIN_LIMIT) && computed > allowed() {
                        self.kill().await;
                        return Err(Failure::Own(format!("it was computed for more than {} s", allowed().as_secs())));
                    }
                }
                Ok(Err(_)) => return Err(self.cause_of_end().await),
                // A hung evaluation does not keep its process from reporting: this process was stopped, swapped out
                // or starved.
                Err(_) => {
                    self.kill().await;
                    return Err(Failure::Killed);
                }
            }
        }
    }

    async fn next_report(&mut self) -> std::io::Result<Report> {
        let mut head = [0; 4];
        self.from.read_exact(&mut head).await?;
        let mut bytes = vec![0; frame_length(head)?];
        self.from.read_exact(&mut bytes).await?;
        postcard::from_bytes(&bytes).map_err(std::io::Error::other)
    }

    async fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill().await;
    }

    /// Returns why the process stopped reporting: whether it ended by itself.
    async fn cause_of_end(&mut self) -> Failure {
        // A process that closed its pipe ends soon. One that sent an invalid report may not.
        match timeout(Duration::from_secs(5), self.child.wait()).await {
            Ok(Ok(status)) => failure(status),
            _ => {
                self.kill().await;
                Failure::Own("its process talked nonsense".to_string())
            }
        }
    }
}

/// Signals that a process causes itself: illegal instruction, trap, abort, bus error, arithmetic error, segmentation
/// fault.
#[cfg(unix)]
fn failure(status: ExitStatus) -> Failure {
    use std::os::unix::process::ExitStatusExt;
    const BUS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 7 } else { 10 };
    match status.signal() {
        Some(signal @ (4 | 5 | 6 | 8 | 11 | BUS)) => Failure::Own(format!("its process ended with signal {signal}")),
        Some(_) => Failure::Killed,
        None => exited(status),
    }
}

#[cfg(not(unix))]
fn failure(status: ExitStatus) -> Failure {
    exited(status)
}

/// The reason contains the exit code alone: the system's description differs between machines, and the reason is
/// archived.
fn exited(status: ExitStatus) -> Failure {
    Failure::Own(format!("its process ended with exit code {}", status.code().unwrap_or(-1)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn start(script: &str) -> NatsError {
        let command = ChildCommand { program: "sh".into(), arguments: vec!["-c".to_string(), script.to_string()] };
        match Process::start(&command, &Version::own()).await {
            Ok(_) => panic!("'{script}' is no child process"),
            Err(error) => error,
        }
    }

    #[tokio::test]
    async fn who_is_killed_at_the_start_is_told_from_who_fails() {
        assert!(matches!(start("kill -KILL $$").await, NatsError::Killed { .. }));
        assert!(matches!(start("exit 3").await, NatsError::Child { why, .. } if why.contains("exit code 3")));
    }
}

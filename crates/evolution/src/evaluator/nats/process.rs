//! A worker's view of a child process: started, given jobs, listened to, and ended if it falls silent or computes for too long.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::error::NatsError;
use super::message::{Report, allowance, frame_head, frame_length};
use crate::Version;
use crate::result::Evaluated;

/// A child says something every second; one that says nothing for so long does not run.
const SILENCE: Duration = Duration::from_secs(60);

/// Below it nobody asks how long a job may take.
const SHORT: Duration = Duration::from_secs(60);

/// How to start a child process; it must [serve](super::serve).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildCommand {
    /// Its file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// A child process that runs.
pub(super) struct Process {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
}

/// How a child process failed at a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// By what it did itself: in a sentence.
    Own(String),
    /// By what others did: somebody ended it, or it could not run.
    Killed,
}

impl Process {
    /// Starts one and waits until it is ready.
    pub async fn start(command: &ChildCommand, version: &Version) -> Result<Self, NatsError> {
        let failed = |why: String| NatsError::Child { program: command.program.clone(), why };
        let mut prepared = Command::new(&command.program);
        prepared.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C is for the worker, which ends its children.
        #[cfg(unix)]
        prepared.process_group(0);
        let mut child = prepared.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".to_string()));
        };
        let mut process = Self { child, to, from };
        match timeout(SILENCE, process.listen()).await {
            Ok(Ok(Report::Ready { release, physics })) => {
                let found = Version { release, physics };
                if found == *version {
                    Ok(process)
                } else {
                    Err(NatsError::Version { theirs: version.to_string(), ours: found.to_string() })
                }
            }
            Ok(Ok(other)) => Err(failed(format!("it begins with {other:?}"))),
            Ok(Err(_)) => Err(match process.why_it_ended().await {
                Failure::Own(why) => failed(why),
                Failure::Killed => NatsError::Killed { program: command.program.clone() },
            }),
            Err(_) => Err(failed("it says nothing".to_string())),
        }
    }

    /// Gives it a job and waits for the result. After a failure it is of no use any more.
    pub async fn evaluate(&mut self, job: &[u8], limit: Option<Duration>) -> Result<Evaluated, Failure> {
        let given = async {
            self.to.write_all(&frame_head(job)).await?;
            self.to.write_all(job).await?;
            self.to.flush().await
        };
        if given.await.is_err() {
            return Err(self.why_it_ended().await);
        }
        loop {
            match timeout(SILENCE, self.listen()).await {
                Ok(Ok(Report::Done(result))) => return Ok(result),
                Ok(Ok(Report::Ready { .. })) => return Err(Failure::Own("its process began anew".to_string())),
                Ok(Ok(Report::Alive { milliseconds })) => {
                    let computed = Duration::from_millis(milliseconds);
                    let allowed = || limit.unwrap_or_else(|| allowance(job));
                    if computed > limit.unwrap_or(SHORT) && computed > allowed() {
                        self.kill().await;
                        return Err(Failure::Own(format!("it was computed for more than {} s", allowed().as_secs())));
                    }
                }
                Ok(Err(_)) => return Err(self.why_it_ended().await),
                // A creature that hangs does not keep its process from talking: this one was stopped, swapped out or starved.
                Err(_) => {
                    self.kill().await;
                    return Err(Failure::Killed);
                }
            }
        }
    }

    async fn listen(&mut self) -> std::io::Result<Report> {
        let mut head = [0; 4];
        self.from.read_exact(&mut head).await?;
        let mut bytes = vec![0; frame_length(head)?];
        self.from.read_exact(&mut bytes).await?;
        postcard::from_bytes(&bytes).map_err(std::io::Error::other)
    }

    async fn kill(&mut self) {
        // It may be gone already.
        let _ = self.child.kill().await;
    }

    /// It talks no more: did it end by itself?
    async fn why_it_ended(&mut self) -> Failure {
        // A process that closed its pipe ends within a moment; one that talks nonsense does not.
        match timeout(Duration::from_secs(5), self.child.wait()).await {
            Ok(Ok(status)) => failure(status),
            _ => {
                self.kill().await;
                Failure::Own("its process talked nonsense".to_string())
            }
        }
    }
}

/// Signals that a process brings upon itself: illegal instruction, trap, abort, bus error, arithmetic, segmentation.
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

/// The number alone: what the system says of it depends on the machine, and the reason is kept with the result.
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

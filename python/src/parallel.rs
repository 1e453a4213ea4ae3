//! Work on several threads while the interpreter's lock is released.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{runtime_error, value_error};

/// Largest number of threads. More are most likely a typing error.
const MAX_THREADS: usize = 4096;
/// Time between two looks for Ctrl-C.
const SIGNAL_PERIOD: Duration = Duration::from_millis(50);

/// The number of threads to use: the argument, or one for each core.
pub fn thread_count(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        Some(count) if (1..=MAX_THREADS).contains(&count) => Ok(count),
        Some(count) => Err(value_error(format!("threads must be from 1 to {MAX_THREADS}, found {count}"))),
    }
}

/// A pool of threads; none for one thread, because the calling thread then does the work.
pub fn pool(threads: usize) -> PyResult<Option<ThreadPool>> {
    if threads == 1 {
        return Ok(None);
    }
    let name = |index| format!("burgess-{index}");
    ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().map(Some).map_err(runtime_error)
}

/// Computes `work(0)`, `work(1)` and so on, on several threads. The results are in this order. Ctrl-C ends it early.
pub fn map_indices<R: Send>(
    py: Python,
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
) -> PyResult<Vec<R>> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    let mut interrupted = Ok(());
    let (next, stop, work) = (&next, &stop, &work);
    let (stored, interruption) = (&mut results, &mut interrupted);
    py.detach(move || {
        std::thread::scope(move |scope| {
            for _ in 0..threads.min(count) {
                let sender = sender.clone();
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            return;
                        }
                        let result = catch_unwind(AssertUnwindSafe(|| work(index)));
                        if sender.send((index, result.ok())).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(SIGNAL_PERIOD) {
                    Ok((index, result)) => stored[index] = result,
                    Err(RecvTimeoutError::Timeout) => {
                        if interruption.is_ok() {
                            *interruption = Python::attach(|py| py.check_signals());
                            stop.store(interruption.is_err(), Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
    });
    interrupted?;
    let failed = || runtime_error("a thread ended unexpectedly; please report this with the arguments of the call");
    results.into_iter().map(|result| result.ok_or_else(failed)).collect()
}

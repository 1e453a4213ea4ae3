//! Measures the cost of slow and unresponsive viewers: `cargo run --example crowd -- [CLIENTS] [SECONDS] [OBJECTS]`.
//!
//! Starts a server with a session of the collision demonstration, a number of clients of which every second one reads
//! nothing and the others 2 kB per second, and one viewer that reads everything. Prints one line of JSON: CPU seconds
//! of the server's threads, resident memory before and after the clients connected, frames published and received by
//! the viewer, and the delays from the publication of a frame to its arrival. CPU and memory are read from `/proc`, so
//! they are 0 on systems other than Linux.

use std::collections::HashMap;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use burgess_server::session::{BounceSource, Frame, OpenRequest, Session, Source};
use burgess_server::{Server, ServerOptions, THREAD_NAME};
use futures_util::StreamExt;
use serde_json::json;
use tokio_tungstenite::client_async;

/// Number of bytes that a slow client reads, and the time between reads.
const SLOW_BYTES: usize = 200;
const SLOW_PERIOD: Duration = Duration::from_millis(100);

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |usual: u64| arguments.next().unwrap_or(Ok(usual));
    let (clients, seconds, objects) = (next(200)?, next(5)?, next(1000)?);

    let options = ServerOptions { listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..ServerOptions::default() };
    let server = Server::bind(options)?.run_in_background()?;
    let bounce = BounceSource { objects: Some(usize::try_from(objects)?), ..BounceSource::default() };
    let session = server.hub().sessions.open(OpenRequest::of(Source::Bounce(bounce)), &server.hub().library)?;

    let memory_before = resident_bytes();
    let end = Arc::new(AtomicBool::new(false));
    let crowd: Vec<TcpStream> = (0..clients).map(|_| join(server.address(), session.id())).collect::<Result<_, _>>()?;
    let slow = thread::spawn({
        let end = Arc::clone(&end);
        move || read_slowly(crowd, &end)
    });
    let length = Duration::from_secs(seconds);
    let cpu_before = cpu_seconds();
    let published = thread::spawn({
        let session = Arc::clone(&session);
        move || observe(&session, length)
    });
    let arrived = on_one_thread(watch(server.address(), session.id().to_string(), length))??;
    let published = published.join().map_err(|_| "the observing thread panicked")??;
    let cpu = cpu_seconds() - cpu_before;
    let memory_after = resident_bytes();
    end.store(true, Ordering::Relaxed);
    slow.join().map_err(|_| "the client thread panicked")?;

    let delay = |(step, arrival): &(u64, Instant)| {
        let published = published.get(step)?;
        Some(arrival.saturating_duration_since(*published).as_secs_f64() * 1e3)
    };
    let mut delays: Vec<f64> = arrived.iter().filter_map(delay).collect();
    delays.sort_by(f64::total_cmp);
    let quantile = |part: usize| delays.get((delays.len() * part / 100).min(delays.len().saturating_sub(1))).copied();
    let frame_bytes = session.join().map_or(0, |viewer| viewer.frames.borrow().len());
    let line = json!({
        "clients": clients,
        "seconds": seconds,
        "frame_bytes": frame_bytes,
        "server_cpu_seconds": cpu,
        "resident_bytes_before": memory_before,
        "resident_bytes_after": memory_after,
        "frames_published": published.len(),
        "frames_arrived": arrived.len(),
        "delay_median_ms": quantile(50),
        "delay_99_percent_ms": quantile(99),
    });
    println!("{line}");
    server.stop();
    Ok(())
}

/// Performs the WebSocket handshake without a library, so that nothing is read implicitly.
fn join(address: SocketAddr, session: &str) -> Result<TcpStream, Failure> {
    let mut stream = TcpStream::connect(address)?;
    socket2::SockRef::from(&stream).set_recv_buffer_size(4 << 10)?;
    let handshake = format!(
        "GET /api/sessions/{session}/socket HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(handshake.as_bytes())?;
    stream.set_nonblocking(true)?;
    Ok(stream)
}

/// Every second client reads a little from time to time; the others keep their connection open.
fn read_slowly(mut crowd: Vec<TcpStream>, end: &AtomicBool) {
    let mut buffer = [0; SLOW_BYTES];
    while !end.load(Ordering::Relaxed) {
        for stream in crowd.iter_mut().step_by(2) {
            // There may be no data, or the server may have closed the connection.
            let _ = stream.read(&mut buffer);
        }
        thread::sleep(SLOW_PERIOD);
    }
}

fn on_one_thread<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work))
}

/// The time at which each step was published.
fn observe(session: &Arc<Session>, length: Duration) -> Result<HashMap<u64, Instant>, Failure> {
    on_one_thread(async {
        let viewer = session.join().ok_or("the session is over")?;
        let (mut frames, mut seen, begin) = (viewer.frames.clone(), HashMap::new(), Instant::now());
        while begin.elapsed() < length && frames.changed().await.is_ok() {
            let now = Instant::now();
            let step = Frame::decode(&frames.borrow_and_update())?.step;
            seen.entry(step).or_insert(now);
        }
        Ok(seen)
    })?
}

/// The time at which each step arrived.
async fn watch(address: SocketAddr, session: String, length: Duration) -> Result<Vec<(u64, Instant)>, Failure> {
    let stream = tokio::net::TcpStream::connect(address).await?;
    let (mut socket, _) = client_async(format!("ws://{address}/api/sessions/{session}/socket"), stream).await?;
    let (mut arrived, begin) = (Vec::new(), Instant::now());
    while begin.elapsed() < length {
        let Some(message) = socket.next().await else { break };
        let message = message?;
        if message.is_binary() {
            let now = Instant::now();
            arrived.push((Frame::decode(&message.into_data())?.step, now));
        }
    }
    Ok(arrived)
}

/// Resident memory of this process, in bytes.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// CPU time of the threads that respond to requests, in s. The system counts in hundredths of a second.
fn cpu_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
    let ticks = stats.filter_map(|stat| {
        let (head, rest) = stat.rsplit_once(") ")?;
        let is_ours = head.split_once('(').is_some_and(|(_, name)| name == THREAD_NAME);
        let fields: Vec<&str> = rest.split(' ').collect();
        let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        is_ours.then_some(ticks)
    });
    ticks.sum::<u64>() as f64 / 100.0
}

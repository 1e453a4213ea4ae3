//! Measures the frame lock with walls that obey the protocol without drawing, and prints one JSON object: `walls WALLS
//! SECONDS PERIOD`. A wall says that it is ready as soon as a frame arrives, and draws as soon as it is committed. Then one
//! more wall is closed and opened again many times.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use burgess_server::session::{OpenRequest, Source};
use burgess_server::{Server, ServerOptions, THREAD_NAME};
use burgess_walls::CaveText;
use burgess_walls::clock::ClockOffset;
use burgess_walls::frame::WallFrame;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

/// How often a wall is closed and opened again.
const REOPENINGS: usize = 20;
/// A time that does not pass, in s.
const ENDLESS: f64 = 1e6;
/// Time for which it stays open once it is locked, and closed, in ms.
const PAUSE: u64 = 100;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a wall measured: for each frame the delay from commit to draw in s, and the time of drawing by the own clock.
#[derive(Default)]
struct Measured {
    drawn: BTreeMap<u64, (f64, f64)>,
    frames: usize,
    late: usize,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: f64| arguments.next().map_or(Ok(default), |text| text.parse::<f64>());
    let (walls, seconds, period) = (next(16.0)? as usize, next(10.0)?, next(1.0 / 60.0)?);
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = Server::bind(ServerOptions { listen, ..ServerOptions::default() })?;
    let hub = server.hub();
    hub.walls.open(CaveText::read(cave(walls + 1, period), "measured.toml")?, "measured.toml".into());
    let request = OpenRequest::of(Source::Scene { name: "billiards".to_string() });
    hub.walls.show(hub.sessions.open(request, &hub.library)?)?;
    let server = server.run_in_background()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let start = Instant::now();
    let cpu = server_seconds();
    let measured = runtime.block_on(async {
        let walls = (0..walls).map(|wall| measure(server.address(), wall, start, seconds));
        futures_util::future::try_join_all(walls).await
    })?;
    let cpu = server_seconds() - cpu;
    let reopened = runtime.block_on(async {
        let others = (0..walls).map(|wall| measure(server.address(), wall, Instant::now(), ENDLESS));
        tokio::select! {
            reopened = reopen(server.address(), walls) => reopened,
            ended = futures_util::future::try_join_all(others) => Err(format!("the walls ended: {:?}", ended.err()).into()),
        }
    })?;
    let [shown, locked] = [0, 1].map(|index| sorted(reopened.iter().map(|times| 1e3 * times[index])));
    let delays = sorted(measured.iter().flat_map(|wall| wall.drawn.values().map(|(delay, _)| 1e3 * delay)));
    let mut times: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (frame, (_, time)) in measured.iter().flat_map(|wall| &wall.drawn) {
        times.entry(*frame).or_default().push(*time);
    }
    let complete = times.values().filter(|times| times.len() == walls);
    let spread = |times: &Vec<f64>| {
        let ends = times.iter().fold((f64::MAX, f64::MIN), |(low, high), time| (low.min(*time), high.max(*time)));
        1e3 * (ends.1 - ends.0)
    };
    let spreads = sorted(complete.map(spread));
    let result = json!({
        "bench": "walls", "walls": walls, "seconds": seconds, "period_ms": 1e3 * period, "frames": spreads.len(),
        "frames_on_all_walls_per_second": spreads.len() as f64 / seconds,
        "commit_to_draw_median_ms": quantile(&delays, 0.5), "commit_to_draw_99_ms": quantile(&delays, 0.99),
        "spread_median_ms": quantile(&spreads, 0.5), "spread_99_ms": quantile(&spreads, 0.99),
        "left_the_lock": measured.iter().map(|wall| wall.late).sum::<usize>(), "server_cpu_seconds": cpu,
        "reopened": REOPENINGS, "opening_to_frame_median_ms": quantile(&shown, 0.5),
        "opening_to_frame_most_ms": quantile(&shown, 1.0), "opening_to_lock_median_ms": quantile(&locked, 0.5),
        "opening_to_lock_most_ms": quantile(&locked, 1.0),
    });
    println!("{result}");
    Ok(())
}

/// A cave of many equal walls.
fn cave(walls: usize, period: f64) -> String {
    let wall = |index: usize| {
        format!(
            "[[walls]]\nname = \"w{index}\"\nlower_left = [-1, 1, 0]\nlower_right = [1, 1, 0]\nupper_left = [-1, 1, 2]\n"
        )
    };
    let head = format!("name = \"measured\"\neye = [0, 0, 1.6]\nperiod = {period}\n");
    head + &(0..walls).map(wall).collect::<String>()
}

/// Plays the part of a wall for a time, in s.
async fn measure(address: SocketAddr, wall: usize, start: Instant, seconds: f64) -> Result<Measured, Failure> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let url = format!("ws://{address}/api/cave/walls/w{wall}/socket?version=1");
    let (mut socket, _) = client_async(url, stream).await?;
    let (mut measured, mut clock) = (Measured::default(), ClockOffset::default());
    let end = start + Duration::from_secs_f64(seconds);
    let now = || start.elapsed().as_secs_f64();
    let mut next_ping = 0.0;
    while let Ok(Some(message)) = tokio::time::timeout_at(end.into(), socket.next()).await {
        let answers: Vec<Value> = match message? {
            Message::Binary(bytes) => vec![json!({"do": "ready", "frame": WallFrame::decode(&bytes)?.number})],
            Message::Text(text) => {
                let message: Value = serde_json::from_str(&text)?;
                let number = |name: &str| message[name].as_f64().unwrap_or(0.0);
                match message["say"].as_str() {
                    Some("commit") => {
                        let frame = message["frame"].as_u64().unwrap_or(0);
                        if let Some((offset, _)) = clock.offset().filter(|_| message["locked"] == true) {
                            measured.drawn.insert(frame, (now() + offset - number("time"), now()));
                        }
                        measured.frames += 1;
                        vec![json!({"do": "shown", "frame": frame, "time": 1e3 * now()})]
                    }
                    Some("lock") if message["locked"] == false => {
                        measured.late += 1;
                        Vec::new()
                    }
                    Some("pong") => {
                        clock.add(number("sent"), number("server"), now());
                        Vec::new()
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        for answer in answers {
            socket.send(Message::text(answer.to_string())).await?;
        }
        if now() >= next_ping {
            next_ping = now() + 0.1;
            socket.send(Message::text(json!({"do": "ping", "sent": now()}).to_string())).await?;
        }
    }
    Ok(measured)
}

/// Closes and opens a wall again and again. Returns the times from each opening until it shows a frame and until it is
/// locked, in s. While the server has not noticed that the window was closed, the wall is refused and tries again.
async fn reopen(address: SocketAddr, wall: usize) -> Result<Vec<[f64; 2]>, Failure> {
    let mut times = Vec::new();
    while times.len() < REOPENINGS {
        let opened = Instant::now();
        let locked = 'attempts: loop {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let url = format!("ws://{address}/api/cave/walls/w{wall}/socket?version=1");
            let (mut socket, _) = client_async(url, stream).await?;
            let mut shown = None;
            while let Some(message) = socket.next().await {
                let answer = match message? {
                    Message::Binary(bytes) => json!({"do": "ready", "frame": WallFrame::decode(&bytes)?.number}),
                    Message::Text(text) => {
                        let message: Value = serde_json::from_str(&text)?;
                        if message["say"] == "refused" {
                            continue 'attempts;
                        }
                        if message["say"] != "commit" {
                            continue;
                        }
                        let now = opened.elapsed().as_secs_f64();
                        let first = *shown.get_or_insert(now);
                        if message["locked"] == true {
                            break 'attempts (socket, [first, now]);
                        }
                        json!({"do": "shown", "frame": message["frame"], "time": 0.0})
                    }
                    _ => continue,
                };
                socket.send(Message::text(answer.to_string())).await?;
            }
        };
        let (socket, measured) = locked;
        times.push(measured);
        tokio::time::sleep(Duration::from_millis(PAUSE)).await;
        // The connection ends without a farewell, as that of a program that was killed.
        drop(socket);
        tokio::time::sleep(Duration::from_millis(PAUSE)).await;
    }
    Ok(times)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let index = (share * sorted.len() as f64) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// Processor time of the server's threads, in s. Linux counts it in hundredths of a second.
fn server_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let ticks = tasks.filter_map(|task| {
        let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
        let (name, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let is_server = name.ends_with(THREAD_NAME);
        is_server.then(|| Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?))?
    });
    0.01 * ticks.sum::<f64>()
}

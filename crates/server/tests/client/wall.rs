//! A wall that obeys the protocol without drawing.

use std::net::SocketAddr;

use burgess_walls::frame::WallFrame;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::TIMEOUT;

/// What a wall received.
#[derive(Debug)]
pub enum Event {
    Frame(WallFrame),
    Message(Value),
}

pub struct Wall {
    socket: WebSocketStream<TcpStream>,
    prepared: Option<u64>,
    committed: u64,
    /// Frames that were shown, in order.
    pub shown: Vec<u64>,
    /// The last frame.
    pub frame: Option<WallFrame>,
    pub locked: bool,
}

impl Wall {
    /// Connects a window to a wall, with a version of the protocol.
    pub async fn connect(address: SocketAddr, name: &str, version: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        let url = format!("ws://{address}/api/cave/walls/{name}/socket?{version}");
        let (socket, _) = timeout(TIMEOUT, client_async(url, stream)).await.expect("an answer").expect("a socket");
        Self { socket, prepared: None, committed: 0, shown: Vec::new(), frame: None, locked: false }
    }

    pub async fn send(&mut self, message: Message) {
        let _ = timeout(TIMEOUT, self.socket.send(message)).await.expect("it takes messages");
    }

    pub async fn command(&mut self, command: Value) {
        self.send(Message::text(command.to_string())).await;
    }

    /// Returns what arrives next, or `None` if the server has closed the socket.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            match timeout(TIMEOUT, self.socket.next()).await.expect("a message in time")?.ok()? {
                Message::Binary(bytes) => return Some(Event::Frame(WallFrame::decode(&bytes).expect("a wall frame"))),
                Message::Text(text) => return Some(Event::Message(serde_json::from_str(&text).expect("JSON"))),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    /// Handles what arrives next as a wall does. Returns messages that are not about frames.
    pub async fn obey(&mut self) -> Option<Value> {
        match self.next().await.expect("an open socket") {
            Event::Frame(frame) => {
                self.prepared = Some(frame.number);
                self.frame = Some(frame);
                self.report().await;
                None
            }
            Event::Message(message) if message["say"] == "commit" => {
                self.committed = message["frame"].as_u64().expect("a number");
                self.locked = message["locked"] == true;
                self.shown.push(self.committed);
                self.command(json!({"do": "shown", "frame": self.committed, "time": 0.0})).await;
                self.report().await;
                None
            }
            Event::Message(message) => Some(message),
        }
    }

    /// A frame is ready when it is drawn and the committed one is shown.
    async fn report(&mut self) {
        if let Some(frame) = self.prepared.take() {
            self.command(json!({"do": "ready", "frame": frame})).await;
        }
    }

    /// Waits for a message that fulfils a condition.
    pub async fn message_where(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(message) = self.obey().await.filter(&fits) {
                return message;
            }
        }
    }

    /// Shows frames until a number is reached.
    pub async fn show_until(&mut self, frame: u64) {
        while self.shown.last().is_none_or(|last| *last < frame) {
            self.obey().await;
        }
    }

    /// The first sentence of a refusal.
    pub async fn refusal(&mut self) -> String {
        let message = self.message_where(|message| message["say"] == "refused").await;
        message["why"].as_str().expect("a sentence").to_string()
    }
}

//! A viewer: a WebSocket client of a session.

use std::net::SocketAddr;

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::PATIENCE;

/// Runs a test's client on one thread.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

pub struct Viewer {
    socket: WebSocketStream<TcpStream>,
}

/// Watches a session.
pub async fn connect(address: SocketAddr, session: &str) -> Viewer {
    try_connect(address, session).await.unwrap_or_else(|status| panic!("refused with {status}"))
}

/// Watches a session, or gives the status of the refusal.
pub async fn try_connect(address: SocketAddr, session: &str) -> Result<Viewer, u16> {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let url = format!("ws://{address}/api/sessions/{session}/socket");
    match timeout(PATIENCE, client_async(url, stream)).await.expect("an answer") {
        Ok((socket, _)) => Ok(Viewer { socket }),
        Err(Error::Http(refused)) => Err(refused.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Viewer {
    /// Sends, if the server still listens.
    pub async fn send(&mut self, message: Message) {
        let _ = timeout(PATIENCE, self.socket.send(message)).await.expect("it takes messages");
    }

    pub async fn command(&mut self, command: Value) {
        self.send(Message::text(command.to_string())).await;
    }

    /// The next message; none when the server has closed.
    pub async fn next(&mut self) -> Option<Message> {
        let message = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
        message.and_then(Result::ok).filter(|message| !message.is_close())
    }

    /// Reads what is there, without waiting.
    pub fn drain(&mut self) {
        while let Some(Some(Ok(_))) = self.socket.next().now_or_never() {}
    }

    /// The next frame; none when the server has closed.
    pub async fn frame(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Message::Binary(frame) = self.next().await? {
                return Some(frame.to_vec());
            }
        }
    }

    /// The first words that fit.
    pub async fn words_until(&mut self, fit: impl Fn(&Value) -> bool) -> Value {
        while let Some(message) = self.next().await {
            if let Message::Text(text) = message {
                let words = serde_json::from_str(&text).expect("JSON");
                if fit(&words) {
                    return words;
                }
            }
        }
        panic!("the server closed before it said that")
    }

    /// Reads until the server closes.
    pub async fn is_closed(&mut self) -> bool {
        for _ in 0..10_000 {
            if self.next().await.is_none() {
                return true;
            }
        }
        false
    }
}

//! A viewer: a WebSocket client of a session.

use std::net::SocketAddr;

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::TIMEOUT;

/// Runs a test's client on one thread.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

pub struct Viewer {
    socket: WebSocketStream<TcpStream>,
}

/// Connects to a session.
pub async fn connect(address: SocketAddr, session: &str) -> Viewer {
    try_connect(address, session).await.unwrap_or_else(|status| panic!("refused with {status}"))
}

/// Connects to a session, or returns the status of the refusal.
pub async fn try_connect(address: SocketAddr, session: &str) -> Result<Viewer, u16> {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let url = format!("ws://{address}/api/sessions/{session}/socket");
    match timeout(TIMEOUT, client_async(url, stream)).await.expect("an answer") {
        Ok((socket, _)) => Ok(Viewer { socket }),
        Err(Error::Http(refused)) => Err(refused.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

impl Viewer {
    /// Sends a message. Errors are ignored, because the server may have closed the socket.
    pub async fn send(&mut self, message: Message) {
        let _ = timeout(TIMEOUT, self.socket.send(message)).await.expect("it takes messages");
    }

    pub async fn command(&mut self, command: Value) {
        self.send(Message::text(command.to_string())).await;
    }

    /// Returns the next message, or `None` if the server has closed the socket.
    pub async fn next(&mut self) -> Option<Message> {
        let message = timeout(TIMEOUT, self.socket.next()).await.expect("a message in time");
        message.and_then(Result::ok).filter(|message| !message.is_close())
    }

    /// Reads the messages that have arrived, without waiting.
    pub fn drain(&mut self) {
        while let Some(Some(Ok(_))) = self.socket.next().now_or_never() {}
    }

    /// Returns the next frame, or `None` if the server has closed the socket.
    pub async fn frame(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Message::Binary(frame) = self.next().await? {
                return Some(frame.to_vec());
            }
        }
    }

    /// Waits for a text message that fulfils a condition.
    pub async fn message_where(&mut self, fit: impl Fn(&Value) -> bool) -> Value {
        while let Some(message) = self.next().await {
            if let Message::Text(text) = message {
                let message = serde_json::from_str(&text).expect("JSON");
                if fit(&message) {
                    return message;
                }
            }
        }
        panic!("the server closed the socket before the expected message")
    }

    /// Reads until the server closes the socket, and returns the code of the reason.
    pub async fn close_code(&mut self) -> Option<u16> {
        loop {
            match timeout(TIMEOUT, self.socket.next()).await.expect("a message in time")? {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Reads until the server closes the socket.
    pub async fn is_closed(&mut self) -> bool {
        for _ in 0..10_000 {
            if self.next().await.is_none() {
                return true;
            }
        }
        false
    }
}

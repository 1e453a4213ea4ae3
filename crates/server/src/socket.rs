//! A WebSocket of a viewer: frames and words to it, orders from it.
//!
//! The writer sends the newest frame whenever the socket can take one, so that a slow client skips frames and nobody waits for
//! it; words are kept for it up to the bound of their channel. Not more than one message is on its way at once. A client that takes nothing
//! for [`Limits::stalled`] is closed by its connection, one that is silent for [`Limits::silent`] here.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::error::ApiError;
use crate::hub::Hub;
#[cfg(doc)]
use crate::limits::Limits;

/// Refusals that wait for a client that is slow; more are left out.
const WAITING_REFUSALS: usize = 16;

/// What a viewer gets to see and hear.
#[derive(Debug)]
pub struct Feed {
    /// The newest frame, empty as long as there is none; nothing where only words are told.
    pub frames: Option<watch::Receiver<Bytes>>,
    /// Words, as JSON.
    pub says: broadcast::Receiver<Arc<str>>,
}

/// Answers one who wants a socket. `order` gets each text that comes; its sentence is told where it refuses.
pub fn open(
    upgrade: WebSocketUpgrade,
    hub: &Arc<Hub>,
    peer: SocketAddr,
    feed: Feed,
    mut order: impl FnMut(&str) -> Result<(), String> + Send + 'static,
) -> Result<Response, ApiError> {
    let place = hub.socket_place()?;
    let hub = Arc::clone(hub);
    let bytes = hub.limits.message_bytes;
    let upgrade = upgrade.max_message_size(bytes).max_frame_size(bytes).read_buffer_size(4 << 10).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _place = place;
        let (sink, stream) = socket.split();
        let (refusals, refused) = mpsc::channel(WAITING_REFUSALS);
        // Both in one task: when either ends, so does the other.
        tokio::select! {
            () = read(stream, &hub, peer, &mut order, refusals) => {}
            () = write(sink, &hub, feed, refused) => {}
        }
    }))
}

/// Hands orders on, until the client leaves, falls silent or sends what is no WebSocket.
async fn read(
    mut stream: SplitStream<WebSocket>,
    hub: &Hub,
    peer: SocketAddr,
    order: &mut impl FnMut(&str) -> Result<(), String>,
    refusals: mpsc::Sender<String>,
) {
    while let Ok(Some(message)) = timeout(hub.limits.silent, stream.next()).await {
        let done = match message {
            Ok(Message::Text(text)) => order(&text),
            Ok(Message::Binary(_)) => Err("orders are JSON in text messages; this one is binary".to_string()),
            Ok(Message::Ping(_) | Message::Pong(_)) => Ok(()),
            Ok(Message::Close(_)) => return,
            Err(error) => return hub.guard.refusals.log(Some(peer), "a message", &error.to_string()),
        };
        if let Err(why) = done {
            hub.guard.refusals.log(Some(peer), "an order", &why);
            // One that does not listen is not told.
            let _ = refusals.try_send(why);
        }
    }
}

/// Sends what is new, until the client or the session is gone.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    hub: &Hub,
    mut feed: Feed,
    mut refused: mpsc::Receiver<String>,
) {
    let mut closing = hub.closing();
    let mut ping = interval(hub.limits.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if let Some(frames) = &mut feed.frames {
        frames.mark_changed();
    }
    loop {
        let message = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => farewell(close_code::AWAY, "the server ends"),
            Some(why) = refused.recv() => text(&json!({"say": "refused", "why": why}).to_string()),
            said = feed.says.recv() => match said {
                Ok(said) => text(&said),
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => farewell(close_code::NORMAL, "it is over"),
            },
            frame = next(&mut feed.frames) => match frame {
                Some(frame) if frame.is_empty() => continue,
                Some(frame) => Message::Binary(frame),
                None => farewell(close_code::NORMAL, "it is over"),
            },
            _ = ping.tick() => Message::Ping(Bytes::new()),
        };
        let is_last = matches!(message, Message::Close(_));
        if sink.send(message).await.is_err() || is_last {
            return;
        }
    }
}

/// The newest frame, once there is one that was not sent; none when there will be no more.
async fn next(frames: &mut Option<watch::Receiver<Bytes>>) -> Option<Bytes> {
    match frames {
        Some(frames) => frames.changed().await.is_ok().then(|| frames.borrow_and_update().clone()),
        None => std::future::pending().await,
    }
}

fn text(text: &str) -> Message {
    Message::Text(Utf8Bytes::from(text))
}

fn farewell(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}

//! The WebSocket of a viewer: frames and messages to the client, commands from the client.
//!
//! The writer sends the newest frame whenever the socket accepts one, so that a slow client skips frames and does not
//! delay others. Messages are queued up to the capacity of their channel. At most one message is in flight. A client
//! that accepts no data for
//! [`Limits::stalled`] is disconnected by its connection, one that sends nothing for [`Limits::silent`] here.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite;

use crate::error::ApiError;
use crate::hub::Hub;
#[cfg(doc)]
use crate::limits::Limits;
use crate::session::SessionMessage;

/// Capacity of the queue of refusals for a slow client. Further ones are dropped.
const MAX_WAITING_REFUSALS: usize = 16;

/// Messages larger than the limit up to this factor are read, so that the client can be told why its socket closes. The
/// sockets of clients that send even more are closed while they write, and most of them do not see the reason.
const READ_FACTOR: usize = 4;

/// The data that a socket sends.
#[derive(Debug)]
pub struct Feed {
    /// The newest frame, empty as long as there is none. None if only messages are sent.
    pub frames: Option<watch::Receiver<Bytes>>,
    /// Messages, as JSON.
    pub says: broadcast::Receiver<Arc<str>>,
}

/// Accepts a WebSocket. `command` receives each text message; if it refuses one, the client receives the reason.
pub fn open(
    upgrade: WebSocketUpgrade,
    hub: &Arc<Hub>,
    peer: SocketAddr,
    feed: Feed,
    mut command: impl FnMut(&str) -> Result<(), String> + Send + 'static,
) -> Result<Response, ApiError> {
    let permit = hub.socket_permit()?;
    let hub = Arc::clone(hub);
    let bytes = READ_FACTOR * hub.limits.message_bytes;
    let upgrade = upgrade.max_message_size(bytes).max_frame_size(bytes).read_buffer_size(4 << 10).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _permit = permit;
        let (sink, stream) = socket.split();
        let (refusals, refused) = mpsc::channel(MAX_WAITING_REFUSALS);
        let (too_large, ends) = oneshot::channel();
        // Both run in one task: when either ends, so does the other.
        tokio::select! {
            () = read(stream, &hub, peer, &mut command, (refusals, too_large)) => {}
            () = write(sink, &hub, feed, (refused, ends)) => {}
        }
    }))
}

/// Passes commands on until the client disconnects, is silent for too long, or violates the protocol.
async fn read(
    mut stream: SplitStream<WebSocket>,
    hub: &Hub,
    peer: SocketAddr,
    command: &mut impl FnMut(&str) -> Result<(), String>,
    (refusals, too_large): (mpsc::Sender<String>, oneshot::Sender<()>),
) {
    while let Ok(Some(message)) = timeout(hub.limits.silent, stream.next()).await {
        let is_large = match &message {
            Ok(Message::Text(text)) => text.len() > hub.limits.message_bytes,
            Ok(Message::Binary(bytes)) => bytes.len() > hub.limits.message_bytes,
            Ok(_) => false,
            Err(error) => is_too_large(error),
        };
        if is_large {
            hub.guard.refusals.log(Some(peer), "a message", "it is too large");
            // The writer closes the socket with the reason, which ends this, too.
            return if too_large.send(()).is_ok() {
                std::future::pending().await
            };
        }
        let done = match message {
            Ok(Message::Text(text)) => command(&text),
            Ok(Message::Binary(_)) => Err("commands are text messages in JSON, found a binary one".to_string()),
            Ok(Message::Ping(_) | Message::Pong(_)) => Ok(()),
            Ok(Message::Close(_)) => return,
            Err(error) => return hub.guard.refusals.log(Some(peer), "a message", &error.to_string()),
        };
        if let Err(why) = done {
            hub.guard.refusals.log(Some(peer), "a command", &why);
            // If the client does not read, the refusal is dropped.
            let _ = refusals.try_send(why);
        }
    }
}

/// Returns whether a message could not be read because of its size.
fn is_too_large(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<tungstenite::Error>());
    source.is_some_and(|error| matches!(error, tungstenite::Error::Capacity(_)))
}

/// Sends frames and messages until the client disconnects or the session ends.
async fn write(
    mut sink: SplitSink<WebSocket, Message>,
    hub: &Hub,
    mut feed: Feed,
    (mut refused, mut too_large): (mpsc::Receiver<String>, oneshot::Receiver<()>),
) {
    let mut closing = hub.closing();
    let mut ping = interval(hub.limits.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if let Some(frames) = &mut feed.frames {
        frames.mark_changed();
    }
    loop {
        let message = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => close(close_code::AWAY, "the server stops"),
            Ok(()) = &mut too_large => close(close_code::SIZE, "the message is too large"),
            Some(why) = refused.recv() => text(&SessionMessage::Refused { why: &why }.to_json()),
            said = feed.says.recv() => match said {
                Ok(said) => text(&said),
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => close(close_code::NORMAL, "the session or run is over"),
            },
            frame = next(&mut feed.frames) => match frame {
                Some(frame) if frame.is_empty() => continue,
                Some(frame) => Message::Binary(frame),
                None => close(close_code::NORMAL, "the session or run is over"),
            },
            _ = ping.tick() => Message::Ping(Bytes::new()),
        };
        let is_last = matches!(message, Message::Close(_));
        if sink.send(message).await.is_err() || is_last {
            return;
        }
    }
}

/// Waits for a frame that was not sent yet; none if there will be no more.
async fn next(frames: &mut Option<watch::Receiver<Bytes>>) -> Option<Bytes> {
    match frames {
        Some(frames) => frames.changed().await.is_ok().then(|| frames.borrow_and_update().clone()),
        None => std::future::pending().await,
    }
}

fn text(text: &str) -> Message {
    Message::Text(Utf8Bytes::from(text))
}

fn close(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}

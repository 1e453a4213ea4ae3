//! The WebSocket of a window that shows a wall: frames and orders to the window, its reports and commands from it.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use burgess_walls::message::{Received, WallCommand, WallMessage};
use futures_util::{SinkExt, StreamExt};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::group::{Joined, show_chosen};
use crate::hub::Hub;
use crate::session::Viewer;

/// Serves a window until it closes, or refuses it with a sentence.
pub(super) async fn serve(mut socket: WebSocket, hub: Arc<Hub>, peer: SocketAddr, joined: Result<Joined, String>) {
    let joined = match joined {
        Ok(joined) => joined,
        Err(why) => {
            hub.guard.refusals.log(Some(peer), "a wall", &why);
            let refused = WallMessage::Refused { why }.to_json();
            let _ = socket.send(Message::Text(refused.into())).await;
            let reason = Utf8Bytes::from_static("the wall was refused");
            let close = CloseFrame { code: close_code::POLICY, reason };
            let _ = socket.send(Message::Close(Some(close))).await;
            return;
        }
    };
    let id = joined.id;
    exchange(socket, &hub, peer, joined).await;
    hub.walls.leave(id);
}

async fn exchange(socket: WebSocket, hub: &Arc<Hub>, peer: SocketAddr, joined: Joined) {
    let Joined { id, mut messages, session } = joined;
    let mut viewer = session.and_then(|session| session.join());
    let (mut sink, mut stream) = socket.split();
    let mut closing = hub.closing();
    let mut ping = interval(hub.limits.ping);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            sent = messages.recv() => match sent {
                Some(message) => message,
                None => return,
            },
            received = timeout(hub.limits.silent, stream.next()) => match received {
                Ok(Some(Ok(Message::Text(text)))) => match take(hub, id, &text, &mut viewer) {
                    Ok(()) => continue,
                    Err(why) => {
                        hub.guard.refusals.log(Some(peer), "a message of a wall", &why);
                        Message::Text(WallMessage::Refused { why }.to_json().into())
                    }
                },
                Ok(Some(Ok(Message::Binary(_)))) => {
                    let why = "messages are text in JSON, found a binary one".to_string();
                    Message::Text(WallMessage::Refused { why }.to_json().into())
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return,
            },
            said = says(&mut viewer) => match said {
                Some(text) => Message::Text(Utf8Bytes::from(&*text)),
                None => continue,
            },
            _ = ping.tick() => Message::Ping(Default::default()),
        };
        if sink.send(message).await.is_err() {
            return;
        }
    }
}

/// The next refusal of a command. Other messages of the session do not concern walls.
async fn says(viewer: &mut Option<Viewer>) -> Option<Arc<str>> {
    match viewer {
        Some(viewer) => match viewer.says.recv().await {
            Ok(text) => text.starts_with(r#"{"say":"refused""#).then_some(text),
            Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => None,
            Err(tokio::sync::broadcast::error::RecvError::Closed) => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

fn take(hub: &Arc<Hub>, id: u32, text: &str, viewer: &mut Option<Viewer>) -> Result<(), String> {
    match WallCommand::parse(text)? {
        Received::Wall(command) => match hub.walls.handle(id, command)? {
            Some(scene) => {
                // Building a world takes a while, and the window must answer meanwhile.
                let hub = Arc::clone(hub);
                tokio::spawn(async move {
                    if let Err(why) = show_chosen(&hub, scene).await {
                        hub.walls.refuse(why);
                    }
                });
                Ok(())
            }
            None => Ok(()),
        },
        Received::Session(text) => match viewer {
            Some(viewer) => viewer.command(text).map_err(|refused| refused.0),
            None => Err("the walls show no world".to_string()),
        },
    }
}

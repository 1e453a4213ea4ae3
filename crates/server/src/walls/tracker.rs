//! Datagrams of trackers. OpenTrack's 48 bytes are accepted from this machine. From other machines, the token must stand
//! before them.

use std::net::SocketAddr;
use std::sync::Arc;

use burgess_walls::tracking::{OPENTRACK_BYTES, Tracking};
use subtle::ConstantTimeEq;
use tokio::net::UdpSocket;

use crate::hub::Hub;

/// Receives datagrams until the server stops.
pub(crate) async fn receive_tracking(hub: Arc<Hub>, socket: UdpSocket, token: Option<String>) {
    let mut closing = hub.closing();
    let mut bytes = [0; 512];
    loop {
        let received = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            received = socket.recv_from(&mut bytes) => received,
        };
        let Ok((length, peer)) = received else { continue };
        if let Err(why) = take(&hub, &bytes[..length], peer, token.as_deref()) {
            hub.guard.refusals.log(Some(peer), "a datagram of a tracker", &why);
        }
    }
}

fn take(hub: &Hub, bytes: &[u8], peer: SocketAddr, token: Option<&str>) -> Result<(), String> {
    let split = bytes.len().checked_sub(OPENTRACK_BYTES).ok_or("it is shorter than 48 bytes")?;
    let (given, report) = bytes.split_at(split);
    let has_token = token.is_some_and(|token| bool::from(token.as_bytes().ct_eq(given)));
    let is_own = peer.ip().is_loopback() && given.is_empty();
    if !has_token && !is_own {
        return Err("it comes from another machine, or has a wrong token before its 48 bytes".to_string());
    }
    // OpenTrack reports the head only, so nothing is chosen in the menu.
    hub.walls.track(&Tracking::from_opentrack(report)?).map(|_| ())
}

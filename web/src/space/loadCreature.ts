// Fetches a built-in creature at rest: a session is opened, its first frame read, and the session ended.
import * as api from '../lib/api'
import type { Appearance } from '../lib/protocol'
import { SessionClient, type SessionListener } from '../lib/sessionClient'

export interface RestingCreature {
  appearance: Appearance
  poses: Float32Array
}

export async function loadCreature(name: string): Promise<RestingCreature> {
  const session = await api.startSession({ source: { type: 'creature', name }, paused: true })
  const ignored = () => {}
  const listener: SessionListener = {
    onFrame: ignored,
    onStatus: ignored,
    onProbe: ignored,
    onObservation: ignored,
    onError: ignored,
    onConnection: ignored,
    onLost: ignored,
  }
  const client = new SessionClient(session.id, listener)
  try {
    const first = client.next(() => true)
    client.open()
    const [appearance, frame] = await Promise.all([api.appearance(session.id), first])
    return { appearance, poses: frame.poses.slice() }
  } finally {
    client.close()
    await api.endSession(session.id)
  }
}

// Routes: the part of the address after # selects the page.

export type Route =
  | { page: 'overview' }
  | { page: 'unknown'; path: string }
  | { page: 'stage'; session: string }
  | { page: 'flow'; flow: string }
  | { page: 'run'; run: string; rest: string[] }
  | { page: 'compare'; runs: string[] }
  | { page: 'world'; path: string[]; query: string }
  | { page: 'space'; space: string }
  | { page: 'wall'; wall: string }
  | { page: 'cave' }
  | { page: 'xr'; session: string | null }

/**
 * Parses `#/stage/s1` (the viewer), `#/wall/left`, `#/cave`, `#/xr/s1` (walls and headsets), `#/run/walk-1/gallery`, `#/compare/walk-1/walk-2`, `#/space/weeks`, `#/flow/f1` and
 * `#/world/scene/stack?step=480` (a moment of a world); an empty path is the overview.
 */
export function readRoute(hash: string): Route {
  const [path, query] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const parts = path!
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  if (parts[0] === 'stage' && parts[1]) return { page: 'stage', session: parts[1] }
  if (parts[0] === 'flow' && parts[1]) return { page: 'flow', flow: parts[1] }
  if (parts[0] === 'run' && parts[1]) return { page: 'run', run: parts[1], rest: parts.slice(2) }
  if (parts[0] === 'world') return { page: 'world', path: parts.slice(1), query: query ?? '' }
  if (parts[0] === 'compare') return { page: 'compare', runs: parts.slice(1) }
  if (parts[0] === 'wall' && parts[1]) return { page: 'wall', wall: parts[1] }
  if (parts[0] === 'cave' && parts.length === 1) return { page: 'cave' }
  if (parts[0] === 'xr') return { page: 'xr', session: parts[1] ?? null }
  if (parts[0] === 'space' && parts[1]) return { page: 'space', space: parts[1] }
  return parts.length === 0 ? { page: 'overview' } : { page: 'unknown', path: parts.join('/') }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the address of a page: `link('run', 'walk-1', 'gallery')`. */
export function link(...parts: (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}

/** The page of a route; the pages of a run differ, too. */
function pageOf(route: Route): string {
  return route.page === 'run' ? `${route.page} ${route.rest[0] ?? ''}` : route.page
}

class Router {
  route = $state<Route>(readRoute(location.hash))
  /** Number of times that the current address was opened again. */
  reloads = $state(0)

  constructor() {
    history.replaceState('visited', '')
    addEventListener('hashchange', () => this.follow(readRoute(location.hash)))
  }

  /** Shows a page: a new one from its top, one that was left before where it was. */
  private follow(route: Route): void {
    const isNew = history.state === null && pageOf(route) !== pageOf(this.route)
    this.route = route
    if (history.state === null) history.replaceState('visited', '')
    if (isNew) scrollTo(0, 0)
  }

  go(...parts: (string | number)[]): void {
    const hash = link(...parts)
    if (location.hash === hash) this.reloads++
    else location.hash = hash
  }

  /** Shows another page in place of this one, so that the browser's way back does not lead here. */
  replace(...parts: (string | number)[]): void {
    location.replace(link(...parts))
  }
}

export const router = new Router()

// Whether the system asks for reduced motion. If so, creatures move only under the pointer.

const query = matchMedia('(prefers-reduced-motion: reduce)')

class ReducedMotion {
  on = $state(query.matches)
}

export const reducedMotion = new ReducedMotion()
query.addEventListener('change', (event) => (reducedMotion.on = event.matches))

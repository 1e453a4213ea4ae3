// Whether the system asks for less motion: then creatures move only when pointed at.

const asked = matchMedia('(prefers-reduced-motion: reduce)')

class Calm {
  on = $state(asked.matches)
}

export const reducedMotion = new Calm()
asked.addEventListener('change', (event) => (reducedMotion.on = event.matches))

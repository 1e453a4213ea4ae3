// The theme: light or dark, from the system's setting unless the user chose one. Sets `data-theme` of the page.

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'burgess-theme'
const darkSystem = matchMedia('(prefers-color-scheme: dark)')

class ThemeSetting {
  chosen = $state<Theme>('system')
  systemDark = $state(darkSystem.matches)
  readonly dark = $derived(this.chosen === 'system' ? this.systemDark : this.chosen === 'dark')

  set(theme: Theme): void {
    this.chosen = theme
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    this.apply()
  }

  apply(): void {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light'
  }
}

export const theme = new ThemeSetting()

export function startTheme(): void {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(KEY)
  } catch {
    // No storage: the system's setting applies.
  }
  if (stored === 'light' || stored === 'dark') theme.chosen = stored
  theme.apply()
  darkSystem.addEventListener('change', (event) => {
    theme.systemDark = event.matches
    theme.apply()
  })
}

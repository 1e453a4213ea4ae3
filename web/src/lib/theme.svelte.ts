// Light or dark: what the system says, unless the person chose.

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'burgess-theme'
const darkSystem = matchMedia('(prefers-color-scheme: dark)')

class ThemeChoice {
  chosen = $state<Theme>('system')
  systemDark = $state(darkSystem.matches)
  readonly dark = $derived(this.chosen === 'system' ? this.systemDark : this.chosen === 'dark')

  choose(theme: Theme): void {
    this.chosen = theme
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // without storage the choice lasts as long as the page
    }
    this.apply()
  }

  apply(): void {
    if (this.chosen === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = this.chosen
  }
}

export const theme = new ThemeChoice()

export function startTheme(): void {
  let kept: string | null = null
  try {
    kept = localStorage.getItem(KEY)
  } catch {
    // as above
  }
  if (kept === 'light' || kept === 'dark') theme.chosen = kept
  theme.apply()
  darkSystem.addEventListener('change', (event) => (theme.systemDark = event.matches))
}

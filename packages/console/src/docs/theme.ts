/**
 * Light or dark: by the system's setting, or as the reader chose here or in the console (the
 * storage key is the console's).
 */
const kept = 'mantine-color-scheme-value'
const dark = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

export function addThemeSwitch(): void {
  const button = document.querySelector<HTMLElement>('[data-theme]')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    const next = root.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'
    try {
      localStorage.setItem(kept, next)
    } catch {
      // Without storage, the choice applies to this page only.
    }
    root.dataset.mantineColorScheme = next
  })
  dark.addEventListener('change', () => {
    if (!['light', 'dark'].includes(localStorage.getItem(kept) ?? ''))
      root.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light'
  })
}

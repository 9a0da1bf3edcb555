/**
 * The tabs over a sample: one language is shown, and the choice applies to every page. The styles
 * select it by `data-code`.
 */
const kept = 'dragoman:code'

export function addCodeTabs(): void {
  for (const list of document.querySelectorAll<HTMLElement>('[role=tablist]')) {
    list.hidden = false
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
    for (const tab of tabs) tab.addEventListener('click', () => choose(tab.dataset.code ?? ''))
    list.addEventListener('keydown', (event) => {
      const at = tabs.indexOf(document.activeElement as HTMLElement)
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      const next = by === 0 ? undefined : tabs[(at + by + tabs.length) % tabs.length]
      if (!next) return
      event.preventDefault()
      next.focus()
      choose(next.dataset.code ?? '')
    })
    for (const panel of document.querySelectorAll<HTMLElement>('.code[data-code]')) {
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', `tab-${panel.dataset.code}`)
    }
    show(document.documentElement.dataset.code ?? 'curl')
  }
}

function choose(code: string): void {
  try {
    localStorage.setItem(kept, code)
  } catch {
    // Without storage, the choice applies to this page only.
  }
  show(code)
}

function show(wanted: string): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
  const code = tabs.some((tab) => tab.dataset.code === wanted) ? wanted : 'curl'
  document.documentElement.dataset.code = code
  for (const tab of tabs) {
    const isShown = tab.dataset.code === code
    tab.setAttribute('aria-selected', String(isShown))
    tab.tabIndex = isShown ? 0 : -1
  }
}

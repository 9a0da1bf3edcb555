/** The search box: `/` or Ctrl K opens it, arrow keys move, Enter opens a result. The index is loaded when it is first opened. */
import { element, prefix } from './elements.ts'
import { findRows, prepare, type SearchRow } from './find-rows.ts'

type Index = ReturnType<typeof prepare>

export function addSearch(): void {
  const buttons = document.querySelectorAll<HTMLElement>('[data-search]')
  let dialog: ReturnType<typeof makeDialog> | undefined
  const open = (): void => {
    dialog ??= makeDialog()
    dialog.open()
  }
  for (const button of buttons) {
    button.hidden = false
    button.addEventListener('click', open)
  }
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if ((!isSlash && !isCommand) || document.querySelector('dialog.tryit[open]')) return
    event.preventDefault()
    open()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

function makeDialog() {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-controls': 'found',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Calls, fields, errors, states, settings, guides',
  })
  const list = element('div', { id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const said = element('p', { class: 'said', role: 'status' })
  const dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, input, said, list)
  document.body.append(dialog)
  let index: Index | undefined
  let active = 0

  const options = (): HTMLAnchorElement[] => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  const mark = (at: number): void => {
    const all = options()
    active = all.length === 0 ? 0 : (at + all.length) % all.length
    for (const [n, one] of all.entries()) one.setAttribute('aria-selected', String(n === active))
    const chosen = all[active]
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id)
    else input.removeAttribute('aria-activedescendant')
    chosen?.scrollIntoView({ block: 'nearest' })
  }
  const show = (): void => {
    const found = index ? findRows(index, input.value) : []
    list.replaceChildren(...found.map(({ kind, rows }, group) => groupView(kind, rows, group, input.value)))
    const count = options().length
    input.setAttribute('aria-expanded', String(count > 0))
    list.hidden = count === 0
    said.textContent = input.value.trim() === '' ? '' : count === 0 ? 'Nothing found.' : `${count} results`
    mark(0)
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      mark(active + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') options()[active]?.click()
  })
  // A result on the same page only changes the anchor.
  list.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

  return {
    async open() {
      if (dialog.open) return
      dialog.showModal()
      input.select()
      if (index) return
      said.textContent = 'Loading…'
      try {
        const answer = await fetch(`${prefix}/docs/search.json`)
        index = prepare((await answer.json()) as SearchRow[])
        show()
      } catch {
        said.textContent = 'The search index could not be loaded. Try again.'
      }
    },
  }
}

function groupView(kind: string, rows: readonly SearchRow[], group: number, typed: string): HTMLElement {
  const head = element('p', { class: 'label', id: `kind-${group}`, role: 'presentation' }, kind)
  const items = rows.map(([, title, says, path], at) =>
    element(
      'a',
      {
        role: 'option',
        id: `found-${group}-${at}`,
        href: `${prefix}${path}`,
        tabindex: '-1',
        'aria-selected': 'false',
      },
      element('strong', {}, ...marked(title, typed)),
      element('span', {}, says),
    ),
  )
  return element('div', { role: 'group', 'aria-labelledby': `kind-${group}` }, head, ...items)
}

/** The title with the typed text highlighted. */
function marked(title: string, typed: string): (Node | string)[] {
  const word = typed.trim().toLowerCase().split(/\s+/)[0] ?? ''
  const at = word === '' ? -1 : title.toLowerCase().indexOf(word)
  if (at < 0) return [title]
  return [title.slice(0, at), element('mark', {}, title.slice(at, at + word.length)), title.slice(at + word.length)]
}

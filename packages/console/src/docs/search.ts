/**
 * The search box: `/` or Ctrl K opens it, arrow keys move, Enter opens a result; so does `?q=` in
 * the address. What it searches is loaded when it is first opened.
 */
import { element, prefix } from './elements.ts'
import { type Find, type FoundGroup, loadFind } from './find-pages.ts'
import { markedPieces, wordsOf } from './fold-text.ts'

export function addSearch(): void {
  const buttons = document.querySelectorAll<HTMLElement>('[data-search]')
  let dialog: ReturnType<typeof makeDialog> | undefined
  const open = (typed?: string): void => {
    dialog ??= makeDialog()
    dialog.open(typed)
  }
  for (const button of buttons) {
    button.hidden = false
    button.addEventListener('click', () => open())
  }
  document.addEventListener('keydown', (event) => {
    const isSlash =
      event.key === '/' &&
      !isTyping(event.target) &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if ((!isSlash && !isCommand) || document.querySelector('dialog.tryit[open]')) return
    event.preventDefault()
    open()
  })
  const asked = new URLSearchParams(location.search).get('q')
  if (asked) open(asked)
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
    placeholder: 'Guides, calls, errors, settings, states, fields',
  })
  const list = element('div', { id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const said = element('p', { class: 'said', role: 'status' })
  const dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, input, said, list)
  document.body.append(dialog)
  let find: Find | undefined
  let active = 0

  const options = (): HTMLAnchorElement[] => [
    ...list.querySelectorAll<HTMLAnchorElement>('[role=option]'),
  ]
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
    const words = wordsOf(input.value)
    list.replaceChildren(
      ...(find?.(input.value) ?? []).map((group, at) => groupView(group, at, words)),
    )
    const count = options().length
    input.setAttribute('aria-expanded', String(count > 0))
    list.hidden = count === 0
    said.textContent =
      input.value.trim() === '' ? '' : count === 0 ? 'Nothing found.' : `${count} results`
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
    async open(typed?: string) {
      if (dialog.open) return
      dialog.showModal()
      if (typed !== undefined) input.value = typed
      input.select()
      if (find) return show()
      said.textContent = 'Loading…'
      try {
        find = await loadFind(prefix)
        show()
      } catch {
        said.textContent = 'The search index could not be loaded. Try again.'
      }
    },
  }
}

function groupView(
  { kind, found }: FoundGroup,
  group: number,
  words: readonly string[],
): HTMLElement {
  const head = element('p', { class: 'label', id: `kind-${group}`, role: 'presentation' }, kind)
  const items = found.map(({ title, of, line, path }, at) =>
    element(
      'a',
      {
        role: 'option',
        id: `found-${group}-${at}`,
        href: `${prefix}${path}`,
        tabindex: '-1',
        'aria-selected': 'false',
      },
      element('strong', {}, ...marked(title, words)),
      ...(of === '' ? [] : [element('em', {}, of)]),
      element('span', {}, ...marked(line, words)),
    ),
  )
  return element('div', { role: 'group', 'aria-labelledby': `kind-${group}` }, head, ...items)
}

/** The text with the words highlighted. */
const marked = (text: string, words: readonly string[]): (Node | string)[] =>
  markedPieces(text, words).map((piece, at) => (at % 2 === 1 ? element('mark', {}, piece) : piece))

/**
 * Completes fields and values in the body of a call that is tried: a list at the caret, filled from
 * the schema of the body, used by keys or mouse. A letter or a quote opens it at a key, Ctrl Space
 * everywhere.
 */
import { element } from './elements.ts'
import { type JsonPlace, placeAt } from './json-place.ts'

type Field = {
  readonly t: string
  readonly e?: readonly unknown[]
  readonly f?: Fields
  readonly r?: 1
}
type Fields = { readonly [name: string]: Field }
type Choice = {
  readonly label: string
  readonly type: string
  readonly insert: string
  readonly back: number
}

/** Rows of the list; more are reached by typing. */
const most = 50
/** As in parts.css: the height of a line and the padding of the field. */
const [line, padding] = [20, 6]

export function addCompletion(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-fields]'))
    complete(area)
}

function complete(area: HTMLTextAreaElement): void {
  const fields = JSON.parse(area.dataset.fields ?? '{}') as Fields
  const list = element('ul', {
    class: 'choices',
    role: 'listbox',
    id: 'choices',
    'aria-label': 'Fields and values',
  })
  list.hidden = true
  area.closest('.body')?.append(list)
  area.setAttribute('aria-autocomplete', 'list')
  area.setAttribute('aria-controls', list.id)
  let [choices, place, chosen]: [Choice[], JsonPlace | undefined, number] = [[], undefined, 0]

  const close = () => {
    list.hidden = true
    area.removeAttribute('aria-activedescendant')
  }
  const mark = (at: number) => {
    chosen = (at + choices.length) % choices.length
    for (const [index, row] of [...list.children].entries()) {
      row.setAttribute('aria-selected', String(index === chosen))
      if (index === chosen) row.scrollIntoView({ block: 'nearest' })
    }
    area.setAttribute('aria-activedescendant', `choice-${chosen}`)
  }
  const open = () => {
    place = placeAt(area.value, area.selectionStart)
    choices = place ? choicesAt(fields, place, area.value) : []
    if (choices.length === 0) return close()
    list.replaceChildren(
      ...choices.map(({ label, type }, index) => {
        const row = element(
          'li',
          { role: 'option', id: `choice-${index}` },
          element('code', {}, label),
          ` ${type}`,
        )
        // The field keeps the focus.
        row.addEventListener('mousedown', (event) => {
          event.preventDefault()
          accept(index)
        })
        return row
      }),
    )
    list.hidden = false
    putBelow(list, area, place?.from ?? 0)
    mark(0)
  }
  const accept = (index: number) => {
    const choice = choices[index]
    if (!choice || !place) return
    area.setRangeText(choice.insert, place.from, place.to, 'end')
    area.selectionEnd -= choice.back
    area.selectionStart = area.selectionEnd
    close()
    area.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }))
  }
  area.addEventListener('input', (event) => {
    const { inputType, data } = event as InputEvent
    const isTyped = inputType === 'insertText' && /^["\w]$/.test(data ?? '')
    if (isTyped || (!list.hidden && inputType.startsWith('delete'))) open()
    else close()
  })
  area.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.ctrlKey) open()
    else if (list.hidden) return
    else if (event.key === 'ArrowDown') mark(chosen + 1)
    else if (event.key === 'ArrowUp') mark(chosen - 1)
    else if (event.key === 'Enter' || event.key === 'Tab') accept(chosen)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  area.addEventListener('blur', close)
  area.addEventListener('click', close)
}

/** At the start of what is replaced; the field does not wrap, so lines and columns are exact. */
function putBelow(list: HTMLElement, area: HTMLTextAreaElement, at: number): void {
  const before = area.value.slice(0, at).split('\n')
  const top = area.offsetTop + padding + before.length * line - area.scrollTop
  list.style.insetBlockStart = `${top}px`
  list.style.insetInlineStart = `min(${before.at(-1)?.length ?? 0}ch, 40%)`
}

function choicesAt(fields: Fields, place: JsonPlace, text: string): Choice[] {
  const inside = place.path.reduce<Fields>((at, key) => at[key]?.f ?? {}, fields)
  const all =
    place.kind === 'key' ? keys(inside, place, text) : values(inside[place.key ?? ''], place)
  const typed = place.typed.toLowerCase()
  const fitting = all.filter(({ label }) => label.toLowerCase().includes(typed))
  const rank = ({ label }: Choice): number => (label.toLowerCase().startsWith(typed) ? 0 : 1)
  return fitting.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
}

function keys(inside: Fields, { used, to }: JsonPlace, text: string): Choice[] {
  const hasColon = /^"?\s*:/.test(text.slice(to))
  const forms: Readonly<Record<string, string>> = { string: '""', array: '[]', object: '{}' }
  return Object.entries(inside)
    .filter(([name]) => !used.includes(name))
    .map(([name, { t, r }]) => {
      const form = forms[t] ?? ''
      const insert = hasColon ? `"${name}"` : `"${name}": ${form}`
      return {
        label: name,
        type: r ? `${t}, required` : t,
        insert,
        back: hasColon || form === '' ? 0 : 1,
      }
    })
}

const values = (field: Field | undefined, { typed }: JsonPlace): Choice[] =>
  (field?.e ?? [])
    .filter((value) => String(value) !== typed)
    .map((value) => ({ label: String(value), type: '', insert: JSON.stringify(value), back: 0 }))

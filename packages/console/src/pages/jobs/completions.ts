/**
 * How a filter that someone has begun to write can go on: fields, then operators, then values.
 * Plain words get nothing.
 */
import { filterOperators, jobFilterFields, jobStatuses } from '@dragoman/contract/wire'

type Completion = { readonly text: string; readonly label?: string }
type Providers = readonly { readonly id: string; readonly name: string }[]

const fields = [...Object.keys(jobFilterFields), 'labels']
const functions = ['contains(', 'startswith(']
const joins = ['and', 'or']
const textFields = fields.filter((name) => kindOf(name) === 'text' || name === 'labels')

export function completionsOf(text: string, providers: Providers = []): Completion[] {
  const cut = Math.max(text.lastIndexOf(' '), text.lastIndexOf('(')) + 1
  const [head, part] = [text.slice(0, cut), text.slice(cut).toLowerCase()]
  if (text.trim() === '') return []
  return nextOf(head, providers)
    .filter((one) => one.text.toLowerCase().startsWith(part) && one.text.toLowerCase() !== part)
    .map((one) => ({ ...one, text: head + one.text }))
}

function nextOf(head: string, providers: Providers): readonly Completion[] {
  const plain = (texts: readonly string[]) => texts.map((text) => ({ text }))
  if (/(?:contains|startswith)\($/i.test(head)) return plain(textFields)
  const words = head.split(/[\s(]/).filter((word) => word !== '')
  const [field = '', last = ''] = [words.at(-2), words.at(-1)]
  if (last === '' || [...joins, 'not'].includes(last.toLowerCase()))
    return plain([...fields, ...functions])
  if (kindOf(last) !== undefined || last === 'labels') return plain(operatorsOf(last))
  if (
    (filterOperators as readonly string[]).includes(last.toLowerCase()) ||
    last.toLowerCase() === 'in'
  )
    return valuesOf(field, providers)
  return /['\d)]$|^(?:true|false)$/.test(last) ? plain(joins) : []
}

function kindOf(name: string): (typeof jobFilterFields)[keyof typeof jobFilterFields] | undefined {
  return (jobFilterFields as Readonly<Record<string, 'choice' | 'text' | 'flag' | 'time'>>)[name]
}

const operatorsOf = (field: string): readonly string[] =>
  kindOf(field) === 'time'
    ? filterOperators
    : kindOf(field) === 'flag' || field === 'labels'
      ? ['eq', 'ne']
      : ['eq', 'ne', 'in (']

function valuesOf(field: string, providers: Providers): readonly Completion[] {
  if (field === 'providerId')
    return providers.map(({ id, name }) => ({ text: `'${id}'`, label: name }))
  const kind = kindOf(field)
  if (kind === 'choice') return jobStatuses.map((status) => ({ text: `'${status}'` }))
  return kind === 'flag' ? [{ text: 'true' }, { text: 'false' }] : []
}

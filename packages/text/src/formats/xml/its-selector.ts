/**
 * The selectors of ITS rules: paths of element names such as `//para`, `/doc/head//title`,
 * `//p[@class='x']`, with an attribute at the end (`//img/@alt`) or without, several with `|`
 * between them. Names are compared without their prefix. Each element advances a selector by a
 * constant number of operations.
 */
import { FormatError } from '../format-error.ts'
import { attributesOf, splitName } from './xml-tags.ts'

type Step = {
  readonly deep: boolean
  readonly local: string
  readonly wants: readonly (readonly [string, string?])[]
}
export type Selector = {
  readonly steps: readonly Step[]
  /**
   * Selects these attributes of the elements, or also of all elements inside (`//@alt`), instead of
   * the elements.
   */
  readonly attribute?: { readonly local: string; readonly deep: boolean }
}

/**
 * How far a selector has come at an element: a bit for each step that ends there, and for each that
 * ended above.
 */
export type Progress = { readonly now: number; readonly ever: number }
export const nowhere: Progress = { now: 0, ever: 0 }
const mostSteps = 30

const step =
  /(\/{1,2})(?:[\w.-]{1,128}:)?([\w.-]{1,128}|\*)((?:\[@[\w:.-]{1,128}(?:\s?=\s?(?:'[^']{0,256}'|"[^"]{0,256}"))?\]){0,8})/y
const predicate = /\[@([\w:.-]{1,128})(?:\s?=\s?(?:'([^']{0,256})'|"([^"]{0,256})"))?\]/g

export function readSelectors(text: string): Selector[] {
  return text.split('|').map((one) => {
    const whole = one.trim()
    const { path, attribute } = cutAttribute(whole)
    const steps: Step[] = []
    if (attribute?.deep && path === '') return { steps, attribute }
    step.lastIndex = 0
    for (let found = step.exec(path); found; found = step.exec(path)) {
      const wants = [...(found[3] ?? '').matchAll(predicate)].map(
        ([, name = '', single, double]): readonly [string, string?] => {
          const value = single ?? double
          return value === undefined ? [name] : [name, value]
        },
      )
      steps.push({ deep: found[1] === '//', local: found[2] ?? '', wants })
      if (step.lastIndex === path.length && steps.length <= mostSteps)
        return attribute ? { steps, attribute } : { steps }
    }
    throw new FormatError(
      'OPTIONS',
      `The ITS selector "${whole.slice(0, 200)}" cannot be followed here; paths such as //para, //img/@alt or /doc/head//p[@class='x'] can.`,
    )
  })
}

function cutAttribute(selector: string): {
  path: string
  attribute?: NonNullable<Selector['attribute']>
} {
  const mark = selector.lastIndexOf('/@')
  const local = /^(?:[\w.-]{1,128}:)?([\w.-]{1,128}|\*)$/.exec(selector.slice(mark + 2))?.[1]
  if (mark < 0 || local === undefined) return { path: selector }
  const deep = selector[mark - 1] === '/'
  return { path: selector.slice(0, deep ? mark - 1 : mark), attribute: { local, deep } }
}

/** At an element, from how far it had come at the one around it (absent at the root). */
export function follow(
  { steps }: Selector,
  above: Progress | undefined,
  local: string,
  tag: string,
): Progress {
  let now = 0
  steps.forEach((one, at) => {
    if (one.local !== '*' && one.local !== local) return
    const before = above ?? nowhere
    const begins = at === 0 && (one.deep || above === undefined)
    const goesOn = at > 0 && (((one.deep ? before.ever : before.now) >> (at - 1)) & 1) === 1
    if ((begins || goesOn) && hasAll(tag, one.wants)) now |= 1 << at
  })
  return { now, ever: (above?.ever ?? 0) | now }
}

/** Whether it selects this element, or some attribute of it. */
export function hasArrived({ steps, attribute }: Selector, { now, ever }: Progress): boolean {
  if (steps.length === 0) return true
  return (((attribute?.deep ? ever : now) >> (steps.length - 1)) & 1) === 1
}

/** Whether it selects attributes of this name; the element must have been arrived at. */
export const isMeant = ({ attribute }: Selector, name: string): boolean =>
  attribute !== undefined && (attribute.local === '*' || isNamed(name, attribute.local))

export const isNamed = (name: string, wanted: string): boolean =>
  name === wanted || splitName(name).local === wanted

function hasAll(tag: string, wants: Step['wants']): boolean {
  if (wants.length === 0) return true
  const attributes = attributesOf(tag)
  return wants.every(([name, value]) =>
    attributes.some(
      (one) => isNamed(one.name, name) && (value === undefined || one.value === value),
    ),
  )
}

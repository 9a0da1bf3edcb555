/**
 * The selectors of ITS rules: paths of element names such as `//para`, `/doc/head//title`, `//p[@class='x']`, several with
 * `|` between them. Names are compared without their prefix. They are followed element by element, in steady time.
 */
import { FormatError } from './format-error.ts'
import { attributesOf, splitName } from './xml-tags.ts'

type Step = { readonly deep: boolean; readonly local: string; readonly wants: readonly (readonly [string, string?])[] }
export type Selector = readonly Step[]

/** How far a selector has come at an element: a bit for each step that ends there, and for each that ended above. */
export type Progress = { readonly now: number; readonly ever: number }
const nowhere: Progress = { now: 0, ever: 0 }
const mostSteps = 30

const step =
  /(\/{1,2})(?:[\w.-]{1,128}:)?([\w.-]{1,128}|\*)((?:\[@[\w:.-]{1,128}(?:\s?=\s?(?:'[^']{0,256}'|"[^"]{0,256}"))?\]){0,8})/y
const predicate = /\[@([\w:.-]{1,128})(?:\s?=\s?(?:'([^']{0,256})'|"([^"]{0,256})"))?\]/g

export function readSelectors(text: string): Selector[] {
  return text.split('|').map((one) => {
    const path = one.trim()
    const steps: Step[] = []
    step.lastIndex = 0
    for (let found = step.exec(path); found; found = step.exec(path)) {
      const wants = [...(found[3] ?? '').matchAll(predicate)].map(
        ([, name = '', single, double]): readonly [string, string?] => {
          const value = single ?? double
          return value === undefined ? [name] : [name, value]
        },
      )
      steps.push({ deep: found[1] === '//', local: found[2] ?? '', wants })
      if (step.lastIndex === path.length && steps.length <= mostSteps) return steps
    }
    throw new FormatError(
      'OPTIONS',
      `The ITS selector "${path.slice(0, 200)}" cannot be followed here; paths such as //para or /doc/head//p[@class='x'] can.`,
    )
  })
}

/** At an element, from how far it had come at the one around it (absent at the root). */
export function follow(selector: Selector, above: Progress | undefined, local: string, tag: string): Progress {
  let now = 0
  selector.forEach((one, at) => {
    if (one.local !== '*' && one.local !== local) return
    const before = above ?? nowhere
    const begins = at === 0 && (one.deep || above === undefined)
    const goesOn = at > 0 && (((one.deep ? before.ever : before.now) >> (at - 1)) & 1) === 1
    if ((begins || goesOn) && hasAll(tag, one.wants)) now |= 1 << at
  })
  return { now, ever: (above?.ever ?? 0) | now }
}

export const hasArrived = (selector: Selector, { now }: Progress): boolean => ((now >> (selector.length - 1)) & 1) === 1

function hasAll(tag: string, wants: Step['wants']): boolean {
  if (wants.length === 0) return true
  const attributes = attributesOf(tag)
  return wants.every(([name, value]) =>
    attributes.some(
      (one) =>
        (one.name === name || splitName(one.name).local === name) && (value === undefined || one.value === value),
    ),
  )
}

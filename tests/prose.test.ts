/** The rules of style find what reviewers have corrected, and leave plain sentences alone. */
import { expect, it } from 'vitest'

const rules = String(new URL('../scripts/prose-rules.mjs', import.meta.url))
const { proseRules } = (await import(rules)) as {
  proseRules: readonly (readonly [RegExp, string])[]
}

const wrong = (line: string): string[] =>
  proseRules.flatMap(([pattern]) => pattern.exec(line)?.[0].trim() ?? [])

it.each([
  "The console is the hub's face for people.",
  'It stands on the same calls.',
  'Who forgot the password gets a new link.',
  'Send it to requests/add and its sisters.',
  'Keep them until you are content.',
  'It is stopping, or too many people follow it.',
  'The body is of no type; send application/json.',
  'The status tells of the job.',
  'The hub mends the tag.',
  'The rule stands in the table.',
  'Please simply utilise it, e.g. in order to test.',
])('finds %s', (line) => {
  expect(wrong(line)).not.toEqual([])
})

it.each([
  "The console is the hub's web interface.",
  'It uses the same API calls.',
  'An admin can issue a new link to anyone who forgot their password.',
  'Who may change a job?',
  'Each number stands for a tag.',
  'Amend the commit and recommend it to others.',
])('takes %s', (line) => {
  expect(wrong(line)).toEqual([])
})

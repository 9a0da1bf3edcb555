/** The settings of a connector, checked before they are kept. */
import type { Settings } from './ports.ts'
import { refusal } from './refusal.ts'

export const usualSettings = (source: string, languages: readonly string[]): Settings => ({
  provider: '',
  source,
  languages: Object.fromEntries(languages.map((code) => [code, code])),
  onPublish: false,
  publish: false,
  pollSeconds: 300,
})

const mostNames = 1_000
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 500
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= mostNames &&
  Object.keys(value).every((name) => isText(name) && name !== '__proto__')
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= mostNames && value.every(isText)

const rules: {
  readonly [K in keyof Required<Settings>]: readonly [(value: unknown) => boolean, string]
} = {
  provider: [(value) => value === '' || isText(value), 'the name or id of a provider of the hub'],
  source: [isText, 'a language of this system'],
  languages: [
    (value) => isMap(value) && Object.values(value).every(isText),
    "an object that maps this system's languages to those of the hub",
  ],
  fields: [
    (value) => isMap(value) && Object.values(value).every(isList),
    'an object that lists the paths of each collection',
  ],
  blocks: [
    (value) => isMap(value) && Object.values(value).every(isList),
    'an object that lists the paths of each block',
  ],
  onPublish: [(value) => typeof value === 'boolean', 'true or false'],
  publish: [(value) => typeof value === 'boolean', 'true or false'],
  pollSeconds: [
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 86_400,
    'a whole number from 1 to 86,400',
  ],
}

/** What is given replaces what is kept; names that are not settings are ignored. */
export function readSettings(given: unknown, before: Settings): Settings {
  if (!isMap(given)) throw refusal(400, 'The settings are an object.')
  const changed: Record<string, unknown> = {}
  for (const [name, [isRight, says]] of Object.entries(rules)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value === null) continue
    if (!isRight(value)) throw refusal(400, `The setting ${name} is ${says}.`)
    changed[name] = value
  }
  const settings = { ...before, ...changed }
  if (!Object.hasOwn(settings.languages, settings.source))
    throw refusal(400, `The source language ${settings.source} is not one of the languages.`)
  return settings
}

/** The languages into which an entry is translated. */
export const targetsOf = ({ languages, source }: Settings): string[] =>
  Object.keys(languages).filter((language) => language !== source)

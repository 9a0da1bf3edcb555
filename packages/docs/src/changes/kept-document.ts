/**
 * The OpenAPI document of the last release as it is kept in the repository: what the comparison
 * reads and nothing else, a line for each path and each schema.
 */
import { readFileSync } from 'node:fs'
import { type Answer, codesOf, type Document } from '../document.ts'

const folder = new URL('../../last-release/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

export type LastRelease = { readonly version: string; readonly document: Document }

export function readLastRelease(): LastRelease {
  const { version, ...document } = JSON.parse(read('openapi.json')) as Document & {
    version: string
  }
  return { version, document }
}

/** The changes since then that break a client and are wanted, with their reason. */
export const readDeliberate = (): readonly {
  readonly why: string
  readonly changes: readonly string[]
}[] => JSON.parse(read('deliberate.json'))

/** Drops words and what repeats itself: the content of a failure, which is always an Error. */
const words = ['description', 'summary', 'tags', 'servers', 'headers', 'info', 'securitySchemes']
const errorForm = '{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}'

export function keptPage(document: Document, version: string): string {
  const { paths, components } = strip(document) as Document
  const lines = (of: object): string =>
    Object.entries(of)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  return `{
  "version": ${JSON.stringify(version)},
  "paths": {
${lines(paths)}
  },
  "components": {
    "schemas": {
${lines(components.schemas)}
    }
  }
}
`
}

function strip(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => strip(one))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => areNames || !words.includes(name))
  return Object.fromEntries(
    kept.map(([name, inside]) => [
      name,
      !areNames && name === 'responses'
        ? mapAnswers(inside)
        : strip(inside, !areNames && ['properties', 'schemas'].includes(name)),
    ]),
  )
}

const mapAnswers = (answers: Record<string, Answer>): object =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const codes = Number(status) < 400 ? [] : codesOf(answer)
      const isUsual = Number(status) >= 400 && JSON.stringify(answer.content) === errorForm
      const content = isUsual || !answer.content ? {} : { content: strip(answer.content) }
      return [status, { description: codes.map((code) => `\`${code}\``).join(' '), ...content }]
    }),
  )

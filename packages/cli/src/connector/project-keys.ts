/** The keys of dragoman.yml, as a table; its reader and its JSON schema are derived from it. */
import { formatIds } from '@dragoman/contract/wire'

type Key = { readonly kind: 'text' | 'list' | 'files' | 'table'; readonly says: string }

export const projectKeys = {
  hub: { kind: 'text', says: 'The URL of the hub.' },
  clientId: {
    kind: 'text',
    says: 'The client id. The secret does not belong in this file: use dragoman login.',
  },
  name: { kind: 'text', says: 'The name of the job.' },
  source: { kind: 'text', says: 'The language of the files.' },
  targets: { kind: 'list', says: 'The languages to translate to.' },
  provider: {
    kind: 'text',
    says: 'The provider, by name or id; optional if the site has only one.',
  },
  files: {
    kind: 'files',
    says: 'Files, folders and globs to translate, each with its own output if it needs one.',
  },
  ignore: { kind: 'list', says: 'Globs that are never pushed.' },
  labels: { kind: 'list', says: 'Labels of the job.' },
  output: {
    kind: 'text',
    says: 'Where pull writes: {lang} {android} {path} {rest} {dir} {name} {ext} are replaced.',
  },
  languages: {
    kind: 'table',
    says: 'Codes of this project that have another name in the hub: { de: de-DE }.',
  },
  format: { kind: 'text', says: 'The format of every file; detected by default.' },
} as const satisfies Record<string, Key>

type ProjectKey = keyof typeof projectKeys
export const keysOf = (kind: Key['kind']): ProjectKey[] =>
  (Object.keys(projectKeys) as ProjectKey[]).filter((key) => projectKeys[key].kind === kind)

const text = { type: 'string', minLength: 1 } as const
const shapes = {
  text,
  list: { anyOf: [text, { type: 'array', items: text }] },
  table: { type: 'object', additionalProperties: text },
  files: {
    anyOf: [
      text,
      {
        type: 'array',
        items: {
          anyOf: [
            text,
            {
              type: 'object',
              required: ['source'],
              additionalProperties: false,
              properties: { source: text, output: text, format: { enum: [...formatIds] } },
            },
          ],
        },
      },
    ],
  },
} as const

/** For editors: `dragoman init --schema`. */
export const projectSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'dragoman.yml',
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(projectKeys).map(([key, { kind, says }]) => [
      key,
      { description: says, ...(key === 'format' ? { enum: [...formatIds] } : shapes[kind]) },
    ]),
  ),
})

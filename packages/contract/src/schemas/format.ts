/** A row of the table of formats, as the API returns it. */
import type { Static } from 'typebox'
import Type from './type.ts'

export const Format = Type.Object(
  {
    id: Type.String({ description: 'What `format` of a request names.' }),
    name: Type.String(),
    extensions: Type.Array(Type.String(), {
      description: 'File name extensions, without the dot.',
    }),
    mediaTypes: Type.Array(Type.String()),
    translated: Type.Boolean({
      description: 'false: it is recognised, and `advice` says what to do with it.',
    }),
    text: Type.String({ description: 'What is translated.' }),
    kept: Type.String({ description: 'What stays as it is.' }),
    maxBytes: Type.Integer({ description: 'The maximum size of one file, in bytes.' }),
    advice: Type.Optional(Type.String()),
  },
  { title: 'Format' },
)
export type Format = Static<typeof Format>

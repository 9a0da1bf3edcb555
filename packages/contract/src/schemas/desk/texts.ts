/**
 * Texts of the desk (contract, section 13): lists of strings and numbered tags, never strings with
 * markup in them.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { choice, text } from '../parts.ts'
import Type from '../type.ts'

export const TagUse = Type.Object(
  { tag: Type.Integer({ minimum: 1, description: 'The number of a tag of this segment.' }) },
  { title: 'TagUse', additionalProperties: false },
)

export const TextParts = Type.Array(Type.Union([text(limits.inlineBytes), TagUse]), {
  title: 'TextParts',
  maxItems: limits.textParts,
  description: 'The text in pieces: a string, or a tag by its number.',
})
export type TextParts = Static<typeof TextParts>

/** A text in either form. A string has its codes as they are in the file. */
export const GivenText = (maxBytes: number) => Type.Union([TextParts, text(maxBytes)])
export type GivenText = TextParts | string

export const tagKinds = ['OPEN', 'CLOSE', 'SINGLE', 'PLACEHOLDER'] as const
export const TextTag = Type.Object(
  {
    tag: Type.Integer({ minimum: 1, description: 'Its number in this segment.' }),
    kind: choice(tagKinds, { title: 'TagKind' }),
    pair: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The number of the other tag of the pair.' }),
    ),
    shows: Type.String({ description: 'Its text in the file, such as `<b>`.' }),
  },
  { title: 'TextTag' },
)
export type TextTag = Static<typeof TextTag>

export const lengthUnits = ['CHARACTERS', 'BYTES'] as const
export const MaxLength = Type.Object(
  {
    count: Type.Integer({ minimum: 1 }),
    unit: choice(lengthUnits, {
      title: 'LengthUnit',
      description: 'CHARACTERS are code points, BYTES those of UTF-8.',
    }),
  },
  { title: 'MaxLength' },
)
export type MaxLength = Static<typeof MaxLength>

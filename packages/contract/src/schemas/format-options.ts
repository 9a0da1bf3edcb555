/** What counts as text in the files of a job, where the format leaves a choice. Each group is for the formats named in it. */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { choice, name } from './parts.ts'
import Type from './type.ts'

const strict = { additionalProperties: false } as const
const names = (description: string) =>
  Type.Optional(Type.Array(name(limits.optionNameBytes), { maxItems: limits.optionNames, description }))
const group = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Optional(Type.Object(properties, { ...strict, description }))

const keys = {
  keys: names('Only values under these keys, at any depth, are text.'),
  skipKeys: names('Values under these keys, at any depth, are no text.'),
}

export const FormatOptions = Type.Object(
  {
    html: group({ attributes: names('Attributes that are text, besides the usual ones.') }, 'HTML'),
    json: group(keys, 'JSON'),
    yaml: group(keys, 'YAML'),
    markdown: group(
      { frontMatter: names('Keys of the front matter whose values are text, in place of the usual ones.') },
      'Markdown',
    ),
    csv: group(
      {
        columns: names('Names of the columns that are text; without a header their numbers, from 1.'),
        header: Type.Optional(
          Type.Boolean({ description: 'Whether the first row names the columns; true if not said.' }),
        ),
        delimiter: Type.Optional(choice([',', ';', '\t', '|'], { description: 'Found by itself if not said.' })),
        escape: Type.Optional(choice(['double', 'backslash'], { description: 'How a quote is written in quotes.' })),
      },
      'CSV and TSV',
    ),
    xml: group(
      {
        elements: names('Only the text of these elements is text.'),
        skipElements: names('The text of these elements is no text.'),
        attributes: names('Attributes that are text, such as "title".'),
        its: Type.Optional(
          Type.String({
            maxBytes: limits.itsBytes,
            description: 'A rules file of ITS 2.0; its translateRule and withinTextRule are honoured.',
          }),
        ),
      },
      'XML of no known kind',
    ),
    xliff: group(
      {
        targets: Type.Optional(
          choice(['keep', 'replace'], {
            description:
              'Whether translations that are in the file already are kept, which is usual, or made anew; approved and final ones always stay.',
          }),
        ),
      },
      'XLIFF 1.2 and 2, Qt TS and gettext PO',
    ),
  },
  {
    ...strict,
    title: 'FormatOptions',
    description: 'What is text in the files of a job, by format; all of it may be left out.',
  },
)
export type FormatOptions = Static<typeof FormatOptions>

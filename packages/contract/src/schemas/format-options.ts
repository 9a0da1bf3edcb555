/**
 * What counts as text in the files of a job or a site, where the format leaves a choice. Each group
 * applies to the formats it names.
 */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { choice, name } from './parts.ts'
import Type from './type.ts'

const strict = { additionalProperties: false } as const
const names = (description: string) =>
  Type.Optional(
    Type.Array(name(limits.optionNameBytes), { maxItems: limits.optionNames, description }),
  )
const group = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Optional(Type.Object(properties, { ...strict, description }))

const keys = {
  keys: names('Translate only values under these keys, at any depth. An empty list means all.'),
  skipKeys: names('Do not translate values under these keys, at any depth.'),
}

export const FormatOptions = Type.Object(
  {
    html: group(
      { attributes: names('Attributes to translate, in addition to the default ones.') },
      'For HTML files.',
    ),
    json: group(keys, 'For JSON files.'),
    yaml: group(keys, 'For YAML files.'),
    markdown: group(
      {
        frontMatter: names(
          'Front matter keys whose values are translated. Replaces the default keys.',
        ),
      },
      'For Markdown files.',
    ),
    csv: group(
      {
        columns: names(
          'Columns to translate, by name; without a header, by number from 1. An empty list means all.',
        ),
        header: Type.Optional(
          Type.Boolean({ description: 'Whether the first row names the columns; default true.' }),
        ),
        delimiter: Type.Optional(
          choice([',', ';', '\t', '|'], { description: 'Detected by default.' }),
        ),
        escape: Type.Optional(
          choice(['double', 'backslash'], { description: 'How a quote is escaped inside quotes.' }),
        ),
      },
      'For CSV and TSV files.',
    ),
    xml: group(
      {
        elements: names('Translate only the text of these elements. An empty list means all.'),
        skipElements: names('Do not translate the text of these elements.'),
        attributes: names('Translate these attributes; by default none.'),
        its: Type.Optional(
          Type.String({
            maxBytes: limits.itsBytes,
            description: 'An ITS 2.0 rules file; translateRule and withinTextRule are applied.',
          }),
        ),
      },
      'For XML files that have no more specific format.',
    ),
    xliff: group(
      {
        targets: Type.Optional(
          choice(['keep', 'replace'], {
            description:
              'Whether to keep existing translations in the file (default) or replace them. Approved and final ones are always kept.',
          }),
        ),
      },
      'For XLIFF 1.2 and 2, Qt TS and gettext PO files.',
    ),
    languages: group(
      {
        names: Type.Optional(
          Type.Array(
            Type.Object(
              {
                language: Type.String({
                  language: true,
                  description: 'The code of the requests, such as es-ES.',
                }),
                name: Type.String({
                  pattern: '^[A-Za-z0-9]{1,8}(?:[-_@][A-Za-z0-9]{1,8}){0,4}$',
                  description: 'The code in the files, such as es.',
                }),
              },
              strict,
            ),
            {
              maxItems: limits.optionNames,
              description: 'Languages with another code in the files than in the requests.',
            },
          ),
        ),
      },
      'For files that name their language: Rails YAML, gettext PO, ARB, string catalogues, Qt TS, HTML.',
    ),
  },
  {
    ...strict,
    title: 'FormatOptions',
    description:
      'What to translate in the files of a job or a site, by format. All optional. An option of a job overrides the same option of its site.',
  },
)
export type FormatOptions = Static<typeof FormatOptions>

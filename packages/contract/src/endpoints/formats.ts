/**
 * The file formats that the hub can translate, and what counts as text in them. Our addition; not
 * in the specification.
 */
import { Format } from '../schemas/format.ts'
import { FormatOptions } from '../schemas/format-options.ts'
import { PageQuery } from '../schemas/parts.ts'
import { rows } from './row.ts'

export const formatEndpoints = rows({
  listFormats: {
    call: 'GET /formats',
    says: 'List the file formats that the hub recognises, with what it translates in each and what it keeps',
    tag: 'Providers',
    scope: ['content', 'provider'],
    query: PageQuery,
    answers: Format,
    collection: 'formats',
    fails: [],
  },
  findFormatOptions: {
    call: 'GET /settings/formatoptions',
    says: 'Read the format options of the site',
    tag: 'Settings',
    scope: 'settings',
    answers: FormatOptions,
    fails: [],
  },
  replaceFormatOptions: {
    call: 'PUT /settings/formatoptions',
    says: 'Replace the format options of the site; jobs created from now on use them, and may override each option',
    tag: 'Settings',
    scope: 'settings',
    body: FormatOptions,
    answers: FormatOptions,
    fails: [],
  },
})

/** The file formats that the hub can translate; ours, not the specification's. */

import { Format } from '../schemas/format.ts'
import { PageQuery } from '../schemas/parts.ts'
import { rows } from './row.ts'

export const formatEndpoints = rows({
  listFormats: {
    call: 'GET /formats',
    says: 'List the file formats that the hub translates, with what is text in each and what stays',
    tag: 'Providers',
    scope: ['content', 'provider'],
    query: PageQuery,
    answers: Format,
    collection: 'formats',
    fails: [],
  },
})

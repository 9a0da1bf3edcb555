/** Contract, section 13: the terms of a site, one by one and as lists. */
import {
  FoundTerms,
  NewTerm,
  Term,
  TermChange,
  TermExportQuery,
  TermImport,
  TermImportQuery,
  TermQuestion,
  TermsQuery,
  TermVersionQuery,
} from '../schemas/desk/term.ts'
import { FileBytes, path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const terms = { tag: 'Desk', scope: 'settings' } as const
const term = { ...terms, params: path('termId'), answers: Term } as const

export const termEndpoints = rows({
  listTerms: {
    ...terms,
    call: 'GET /settings/terms',
    says: 'List the terms of the site, ordered by their first text',
    query: TermsQuery,
    answers: Term,
    collection: 'terms',
    fails: [],
  },
  createTerm: {
    ...terms,
    call: 'POST /settings/terms',
    says: 'Add a term',
    body: NewTerm,
    answers: Term,
    status: 201,
    fails: ['QUOTA_EXCEEDED'],
  },
  importTerms: {
    ...terms,
    call: 'POST /settings/terms/import',
    says: 'Import a list of terms in TBX or CSV: all of it or nothing',
    query: TermImportQuery,
    takes: [
      'application/x-tbx',
      'application/xml',
      'text/xml',
      'text/csv',
      'text/tab-separated-values',
      'text/plain',
    ],
    answers: TermImport,
    fails: ['TERM_LIST_INVALID', 'QUOTA_EXCEEDED'],
  },
  exportTerms: {
    ...terms,
    call: 'GET /settings/terms/export',
    says: 'Export all terms as TBX or CSV',
    query: TermExportQuery,
    answers: FileBytes,
    gives: ['application/x-tbx', 'text/csv'],
    fails: [],
  },
  exportProviderTerms: {
    work: true,
    tag: 'ProviderSide',
    scope: 'provider',
    call: 'GET /providers/{providerId}/jobs/{jobId}/terms',
    says: 'Download the terms of the site in the languages of a job',
    params: path('providerId', 'jobId'),
    query: TermExportQuery,
    answers: FileBytes,
    gives: ['application/x-tbx', 'text/csv'],
    fails: ['PROVIDER_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  lookUpTerms: {
    work: true,
    tag: 'Desk',
    scope: 'provider',
    roles: ['translator', 'reviewer', 'provider-manager', 'admin'],
    call: 'POST /providers/{providerId}/terms/find',
    says: 'Find the terms of the site in a source text, with their names in the target language',
    params: path('providerId'),
    body: TermQuestion,
    answers: FoundTerms,
    fails: ['PROVIDER_NOT_FOUND', 'INVALID_LANGUAGE'],
  },
  findTerm: {
    ...term,
    call: 'GET /settings/terms/{termId}',
    says: 'Read a term',
    fails: ['TERM_NOT_FOUND'],
  },
  changeTerm: {
    ...term,
    call: 'PATCH /settings/terms/{termId}',
    says: 'Change a term',
    body: TermChange,
    fails: ['TERM_NOT_FOUND', 'VERSION_CONFLICT', 'QUOTA_EXCEEDED'],
  },
  deleteTerm: {
    ...term,
    call: 'DELETE /settings/terms/{termId}',
    says: 'Delete a term',
    query: TermVersionQuery,
    fails: ['TERM_NOT_FOUND', 'VERSION_CONFLICT'],
  },
})

/** Handlers of the terms of a site. */
import { exportProviderTerms, lookUpTerms } from '../../domain/desk/look-ups/provider-terms.ts'
import { exportTerms } from '../../domain/language/terms/export-terms.ts'
import { importTerms } from '../../domain/language/terms/import-terms.ts'
import {
  changeTerm,
  createTerm,
  deleteTerm,
  findTerm,
  listTerms,
} from '../../domain/language/terms/terms.ts'
import type { Handlers } from './bind.ts'

export const termHandlers = {
  listTerms: (hub, call, { query }) => listTerms(hub, call, query),
  createTerm: (hub, call, { body }) => createTerm(hub, call, body),
  importTerms: (hub, call, { query, body }) => importTerms(hub, call, query, body),
  exportTerms: (hub, call, { query }) => exportTerms(hub, call, query),
  lookUpTerms: (hub, call, { params, body }) => lookUpTerms(hub, call, params.providerId, body),
  exportProviderTerms: (hub, call, { params, query }) =>
    exportProviderTerms(hub, call, params, query),
  findTerm: (hub, call, { params }) => findTerm(hub, call, params.termId),
  changeTerm: (hub, call, { params, body }) => changeTerm(hub, call, params.termId, body),
  deleteTerm: (hub, call, { params, query }) => deleteTerm(hub, call, params.termId, query.version),
} satisfies Partial<Handlers>

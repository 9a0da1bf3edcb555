/**
 * Calls that only the pages Providers, Prices and Analysis codes make. None of them writes
 * anything.
 */

import {
  CheckedMetadata,
  CodeUse,
  MetadataCheck,
  ProviderWork,
  TriedJob,
  TriedPriceList,
  UsedPairs,
} from '../schemas/console/set-up.ts'
import { NewPriceList } from '../schemas/settings.ts'
import { rows } from './row.ts'

const console = { tag: 'Console' } as const

export const setUpEndpoints = rows({
  countProviderWork: {
    ...console,
    scope: 'content',
    call: 'GET /providers/work',
    says: 'Count the open jobs of each provider',
    answers: ProviderWork,
    fails: [],
  },
  checkMetadata: {
    ...console,
    scope: 'admin',
    roles: ['manager', 'admin'],
    call: 'POST /providers/metadata/check',
    says: 'Check a metadata schema, and a sample against it',
    body: MetadataCheck,
    answers: CheckedMetadata,
    fails: [],
  },
  tryPriceList: {
    ...console,
    scope: 'settings',
    call: 'POST /settings/pricelists/try',
    says: 'Check a price list without saving it, and price a job by it',
    query: TriedJob,
    body: NewPriceList,
    answers: TriedPriceList,
    fails: ['INVALID_LANGUAGE', 'JOB_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  listUsedPairs: {
    ...console,
    scope: 'settings',
    call: 'GET /settings/pricelists/pairs',
    says: 'List the language pairs of the newest jobs',
    answers: UsedPairs,
    fails: [],
  },
  countCodeUse: {
    ...console,
    scope: 'settings',
    call: 'GET /settings/analysiscodes/use',
    says: 'Count the jobs that use each analysis code',
    answers: CodeUse,
    fails: [],
  },
})

/**
 * Contract, section 13: the translation memory. Whoever translates looks texts up; settings change
 * and carry it.
 */
import {
  MatchQuestion,
  MemoryImport,
  MemoryImportQuery,
  MemoryMatches,
  MemoryPairQuery,
  MemoryUnit,
  MemoryUnitChange,
  MemoryUnitsQuery,
  NewMemoryUnit,
  UnitVersionQuery,
  UploadedMemory,
} from '../schemas/desk/memory.ts'
import { FileBytes, path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const memory = { tag: 'TranslationMemory', scope: 'settings' } as const
const unit = { ...memory, params: path('unitId'), answers: MemoryUnit } as const
const changeFails = ['MEMORY_UNIT_NOT_FOUND', 'VERSION_CONFLICT'] as const
export const tmxTypes = ['application/x-tmx+xml', 'application/xml', 'text/xml'] as const

export const memoryEndpoints = rows({
  findMatches: {
    asks: true,
    work: true,
    tag: 'Desk',
    scope: 'provider',
    roles: ['translator', 'reviewer', 'provider-manager', 'admin'],
    call: 'POST /providers/{providerId}/matches',
    says: 'Look up a text in the translation memory',
    params: path('providerId'),
    body: MatchQuestion,
    answers: MemoryMatches,
    fails: ['PROVIDER_NOT_FOUND', 'INVALID_LANGUAGE'],
  },
  listMemoryUnits: {
    ...memory,
    call: 'GET /settings/memory/units',
    says: 'List the units of the translation memory, or only those that contain a text',
    query: MemoryUnitsQuery,
    answers: MemoryUnit,
    collection: 'units',
    fails: ['INVALID_LANGUAGE'],
  },
  createMemoryUnit: {
    ...memory,
    call: 'POST /settings/memory/units',
    says: 'Add a unit to the translation memory',
    body: NewMemoryUnit,
    answers: MemoryUnit,
    status: 201,
    fails: ['INVALID_LANGUAGE', 'MEMORY_UNIT_EXISTS'],
  },
  changeMemoryUnit: {
    ...unit,
    call: 'PATCH /settings/memory/units/{unitId}',
    says: 'Correct a unit of the translation memory',
    body: MemoryUnitChange,
    fails: [...changeFails, 'MEMORY_UNIT_EXISTS'],
  },
  deleteMemoryUnit: {
    ...unit,
    call: 'DELETE /settings/memory/units/{unitId}',
    says: 'Remove a unit from the translation memory',
    query: UnitVersionQuery,
    fails: changeFails,
  },
  exportMemory: {
    ...memory,
    call: 'GET /settings/memory/export',
    says: 'Download the translation memory, or one language pair of it, as TMX 1.4',
    query: MemoryPairQuery,
    answers: FileBytes,
    gives: [tmxTypes[0]],
    fails: ['INVALID_LANGUAGE'],
  },
  createMemoryImport: {
    ...memory,
    call: 'POST /settings/memory/imports',
    says: 'Import a TMX file into the translation memory, in the background',
    query: MemoryImportQuery,
    takes: tmxTypes,
    body: UploadedMemory,
    answers: MemoryImport,
    status: 201,
    fails: [
      'INVALID_LANGUAGE',
      'FILE_NOT_FOUND',
      'FILE_TOO_LARGE',
      'QUOTA_EXCEEDED',
      'FMS_UNAVAILABLE',
    ],
  },
  findMemoryImport: {
    ...memory,
    call: 'GET /settings/memory/imports/{importId}',
    says: 'Read the progress of an import',
    params: path('importId'),
    answers: MemoryImport,
    fails: ['MEMORY_IMPORT_NOT_FOUND'],
  },
})

/** Handlers of the translation memory. */

import { findMatches } from '../../domain/desk/look-ups/provider-matches.ts'
import { exportMemory } from '../../domain/language/memory/export-memory.ts'
import {
  createMemoryImport,
  findMemoryImport,
} from '../../domain/language/memory/memory-imports.ts'
import {
  changeMemoryUnit,
  createMemoryUnit,
  deleteMemoryUnit,
  listMemoryUnits,
} from '../../domain/language/memory/units.ts'
import type { Handlers } from './bind.ts'

export const memoryHandlers = {
  findMatches: (hub, call, { params, body }) => findMatches(hub, call, params.providerId, body),
  listMemoryUnits: (hub, call, { query }) => listMemoryUnits(hub, call, query),
  createMemoryUnit: (hub, call, { body }) => createMemoryUnit(hub, call, body),
  changeMemoryUnit: (hub, call, { params, body }) =>
    changeMemoryUnit(hub, call, params.unitId, body),
  deleteMemoryUnit: (hub, call, { params, query }) =>
    deleteMemoryUnit(hub, call, params.unitId, query.version),
  exportMemory: (hub, call, { query }) => exportMemory(hub, call, query),
  createMemoryImport: (hub, call, { query, body }) => createMemoryImport(hub, call, query, body),
  findMemoryImport: (hub, call, { params }) => findMemoryImport(hub, call, params.importId),
} satisfies Partial<Handlers>

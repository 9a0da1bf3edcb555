/** Handlers of the checks of translations. */

import { findQuality } from '../../domain/engines/quality/list-quality.ts'
import { mustOwnProvider } from '../../domain/handover/provider-jobs.ts'
import {
  findCheckSettings,
  listChecks,
  replaceCheckSettings,
} from '../../domain/language/checks/check-settings.ts'
import { checkTranslation } from '../../domain/language/checks/check-translation.ts'
import type { Handlers } from './bind.ts'
import { onlyPage } from './only-page.ts'

export const checkHandlers = {
  listChecks: (hub, call, { query }) => onlyPage(query, listChecks(hub, call)),
  checkTranslation: async (hub, call, { params, body }) => {
    await mustOwnProvider(hub.db.read, call, params.providerId)
    return checkTranslation(hub, call, body)
  },
  findQuality: (hub, call) => findQuality(hub, call),
  findCheckSettings: (hub, call) => findCheckSettings(hub, call),
  replaceCheckSettings: (hub, call, { body }) => replaceCheckSettings(hub, call, body),
} satisfies Partial<Handlers>

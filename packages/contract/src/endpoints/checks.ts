/** Contract, section 13: the checks of translations. */
import { Check, CheckedText, CheckFindings, CheckSettings } from '../schemas/desk/check.ts'
import { QualitySettings } from '../schemas/desk/quality.ts'
import { PageQuery, path } from '../schemas/parts.ts'
import { rows } from './row.ts'

export const checkEndpoints = rows({
  listChecks: {
    work: true,
    call: 'GET /checks',
    says: 'List the checks that translations go through, with the severity of each on this site',
    tag: 'Desk',
    scope: 'any',
    query: PageQuery,
    answers: Check,
    collection: 'checks',
    fails: [],
  },
  checkTranslation: {
    asks: true,
    work: true,
    call: 'POST /providers/{providerId}/checks',
    says: 'Check the translation of a text',
    tag: 'Desk',
    scope: 'provider',
    roles: ['translator', 'reviewer', 'provider-manager', 'admin'],
    params: path('providerId'),
    body: CheckedText,
    answers: CheckFindings,
    fails: ['PROVIDER_NOT_FOUND', 'INVALID_LANGUAGE'],
  },
  findCheckSettings: {
    call: 'GET /settings/checks',
    says: 'Read the severities that the site uses instead of the defaults',
    tag: 'Desk',
    scope: 'settings',
    answers: CheckSettings,
    fails: [],
  },
  replaceCheckSettings: {
    call: 'PUT /settings/checks',
    says: 'Replace the severities that the site uses instead of the defaults; a warning can be made blocking or switched off',
    tag: 'Desk',
    scope: 'settings',
    body: CheckSettings,
    answers: CheckSettings,
    fails: [],
  },
  findQuality: {
    call: 'GET /settings/quality',
    says: 'Read what the risk of machine translations rests on, by pair of languages',
    tag: 'Desk',
    scope: 'settings',
    answers: QualitySettings,
    fails: [],
  },
})

/** Sites and signing keys as an operator sees them (contract, section 12). */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Count, PageQuery, Time } from '../parts.ts'
import Type from '../type.ts'

export const Site = Type.Object(
  {
    siteId: Type.String(),
    createdDate: Time,
    jobs: Type.Integer({
      minimum: 0,
      description: `Its jobs, archived ones included. Counted up to ${limits.countedRows}, which means that many or more.`,
    }),
    clients: Type.Integer({
      minimum: 0,
      description: `Its clients, counted up to ${limits.countedRows} as well.`,
    }),
    bytes: Type.Integer({
      minimum: 0,
      description: 'Bytes of its files, inline content, metadata and price lists.',
    }),
    removalDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When its removal began. Absent unless it is being removed.',
      }),
    ),
  },
  { title: 'Site' },
)
export type Site = Static<typeof Site>

export const SitesQuery = PageQuery

export const KeyRotation = Type.Object(
  {
    revoke: Type.Optional(
      Type.Boolean({
        description:
          'true: tokens signed with the old keys are refused, on this node immediately, on others within five seconds. Otherwise they stay valid until they expire.',
      }),
    ),
  },
  { title: 'KeyRotation' },
)
export type KeyRotation = Static<typeof KeyRotation>

export const RotatedKey = Type.Object(
  {
    keyId: Type.String({ description: 'The `kid` of the key that signs from now on.' }),
    createdDate: Time,
    revokedKeys: Count,
  },
  { title: 'RotatedKey' },
)
export type RotatedKey = Static<typeof RotatedKey>

/**
 * Packages: the work of a job as one ZIP for a translator's own tool, and back (contract, section
 * 13).
 */
import type { Static } from 'typebox'
import { choice, Id, LanguageCode } from '../parts.ts'
import Type from '../type.ts'
import { SegmentState } from './segment.ts'

export const packageFormats = ['xliff12', 'xliff2', 'omegat', 'original'] as const
export const PackageFormat = choice(packageFormats, { title: 'PackageFormat' })
export type PackageFormat = Static<typeof PackageFormat>

export const PackageQuery = Type.Object({
  format: Type.Optional(PackageFormat),
  target: Type.Optional(LanguageCode),
  state: Type.Optional(
    Type.Array(SegmentState, {
      description: 'Only asset tasks with a segment in one of these states.',
    }),
  ),
})
export type PackageQuery = Static<typeof PackageQuery>

export const PackageDeliveryQuery = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'Only check the package; deliver nothing.' })),
})
export type PackageDeliveryQuery = Static<typeof PackageDeliveryQuery>

export const PackageDelivery = Type.Object(
  {
    delivered: Type.Array(Id, { description: 'Asset tasks whose translation was delivered.' }),
    unchanged: Type.Array(Id, {
      description: 'Asset tasks whose file came back untouched, or as it was delivered.',
    }),
  },
  { title: 'PackageDelivery' },
)
export type PackageDelivery = Static<typeof PackageDelivery>

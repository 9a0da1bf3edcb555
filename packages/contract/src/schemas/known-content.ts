/** What the hub already has of contents, by the hash of their source (contract, section 17). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { EchoedCode, Id, JobId, LanguageCodes, name, text } from './parts.ts'
import { RequestStatusCode } from './request.ts'
import Type from './type.ts'

export const KnownQuestion = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          sourceNativeId: name(limits.nativeIdBytes),
          sha256: Type.String({
            pattern: '^[0-9a-fA-F]{64}$',
            description:
              'SHA-256 of the source as it was sent, in hex: the bytes of the file, or for fields the JSON `[{"key":"…","value":"…"},…]` without blanks.',
          }),
        },
        { title: 'AskedContent' },
      ),
      { minItems: 1, maxItems: limits.requestsPerCall },
    ),
    targetNativeLanguageCodes: LanguageCodes,
    customData: Type.Optional({
      ...text(limits.customDataBytes),
      description: 'Only requests of jobs with this customData.',
    }),
  },
  { title: 'KnownQuestion' },
)
export type KnownQuestion = Static<typeof KnownQuestion>

export const KnownContents = Type.Object(
  {
    known: Type.Array(
      Type.Object(
        {
          sourceNativeId: Type.String(),
          targetNativeLanguageCode: EchoedCode,
          requestId: Id,
          jobId: JobId,
          statusCode: RequestStatusCode,
          isCurrent: Type.Boolean({
            description: 'False once a newer source with this id was submitted for this language.',
          }),
        },
        {
          title: 'KnownContent',
          description: 'The newest request with this source that is not cancelled.',
        },
      ),
    ),
    latest: Type.Array(
      Type.Object(
        {
          sourceNativeId: Type.String(),
          targetNativeLanguageCode: EchoedCode,
          requestId: Id,
          jobId: JobId,
        },
        {
          title: 'LatestContent',
          description:
            'For an id and language whose source is not known, or not current: the newest request with another source, for `supersedes`.',
        },
      ),
    ),
  },
  { title: 'KnownContents' },
)
export type KnownContents = Static<typeof KnownContents>

/**
 * The recorded calls of a job that went to an upstream: what `GET /jobs/{jobId}/cassette` returns
 * and tests play back.
 */
import type { Static } from 'typebox'
import { Count, choice, mapOf, Time } from '../parts.ts'
import Type from '../type.ts'

/**
 * Who called: the connector this hub, this hub the upstream, or a listener of the upstream this
 * hub.
 */
export const cassetteSides = ['CONNECTOR', 'UPSTREAM', 'LISTENER'] as const
export type CassetteSide = (typeof cassetteSides)[number]

const Members = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true }),
)

const CassetteBody = Type.Object(
  {
    json: Type.Optional(
      Type.Union([Members, Type.Array(Members)], {
        description: 'A JSON body, without its secrets.',
      }),
    ),
    text: Type.Optional(Type.String({ description: 'A body in UTF-8 that is not JSON.' })),
    base64: Type.Optional(Type.String({ description: 'Any other body.' })),
    bytes: Type.Optional({ ...Count, description: 'The size of a body that is not kept.' }),
    cut: Type.Optional(
      Type.Literal(true, {
        description:
          'True if the body was longer than that. JSON that is too long is not kept at all.',
      }),
    ),
  },
  { title: 'CassetteBody' },
)
export type CassetteBody = Static<typeof CassetteBody>

const Names = mapOf(Type.String(), {
  description: 'The headers that matter, in lower case; never one with a secret.',
})
const Body = Type.Optional(CassetteBody)

const CassetteCall = Type.Object(
  {
    side: choice(cassetteSides, {
      description:
        'CONNECTOR: a call to this hub. UPSTREAM: a call from this hub to the upstream. LISTENER: a call from the upstream to this hub.',
    }),
    time: Time,
    method: Type.String(),
    path: Type.String({
      description:
        'With its query. The signed address of a file is `/fms/` and a name, the same wherever it appears.',
    }),
    durationMs: Type.Number({ description: 'How long the call took, in milliseconds.' }),
    request: Type.Object(
      { headers: Type.Optional(Names), body: Body },
      { title: 'CassetteRequest', description: 'What was sent.' },
    ),
    response: Type.Optional(
      Type.Object(
        {
          status: Type.Integer({ description: 'The HTTP status.' }),
          headers: Type.Optional(Names),
          body: Body,
        },
        {
          title: 'CassetteResponse',
          description: 'What was returned. Absent if there was no response.',
        },
      ),
    ),
    error: Type.Optional(Type.String({ description: 'Why there was no response.' })),
  },
  { title: 'CassetteCall' },
)
export type CassetteCall = Static<typeof CassetteCall>

export const Cassette = Type.Object(
  {
    format: Type.Literal('dragoman-cassette', { description: 'Always `dragoman-cassette`.' }),
    version: Type.Literal(1, { description: 'The version of this format.' }),
    jobId: Type.String(),
    upstreamJobId: Type.Optional(
      Type.String({ description: 'The id of the job at the upstream.' }),
    ),
    complete: Type.Boolean({
      description: 'False if the recording reached its size limit: the last calls are missing.',
    }),
    calls: Type.Array(CassetteCall, {
      description:
        'Oldest first, without calls for tokens and listeners, and without reads that returned nothing new. `{upstream}` and `{hub}` stand for the two addresses.',
    }),
  },
  { title: 'Cassette' },
)
export type Cassette = Static<typeof Cassette>

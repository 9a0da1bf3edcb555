/**
 * What an assistant gives to the tools that are not a call of the endpoint table (contract, section
 * 14, MCP).
 */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { GivenId, given, LanguageCode, LanguageCodes, lineTitle, name, title } from './parts.ts'
import Type from './type.ts'

export const TextToTranslate = given(
  {
    text: {
      ...title(limits.inlineBytes),
      description: `The text to translate, at most ${limits.inlineBytes} bytes in UTF-8.`,
    },
    sourceNativeLanguageCode: { ...LanguageCode, denyNull: true },
    targetNativeLanguageCodes: { ...LanguageCodes, denyNull: true },
    jobName: Type.Optional(lineTitle(limits.jobNameBytes)),
    providerId: Type.Optional(GivenId),
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.assistantWaitMs / 1000,
        description:
          'How long to wait for the translations; 20 by default. Later, listRequests says what is ready.',
      }),
    ),
  },
  {},
  { title: 'TextToTranslate' },
)
export type TextToTranslate = Static<typeof TextToTranslate>

export const ErrorQuestion = given(
  {
    code: Type.Optional({
      ...name(100),
      description: 'The code of the error object, such as JOB_NOT_FOUND.',
    }),
    traceId: Type.Optional({
      ...name(limits.traceIdCharacters),
      description:
        'The traceId of the error object: the call is looked up, for clients with the scope admin or operator.',
    }),
  },
  {},
  { title: 'ErrorQuestion' },
)
export type ErrorQuestion = Static<typeof ErrorQuestion>

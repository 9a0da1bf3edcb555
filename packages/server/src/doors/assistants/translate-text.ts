/**
 * The tool translateText: a text becomes a job with one request per language, is submitted, and the
 * translations are waited for. With an Idempotency-Key a repeated call goes on with the same job. A
 * job that cannot be submitted is deleted again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  type EndpointName,
  HubError,
  isRetryable,
  type Job,
  type JobRequest,
  TextToTranslate,
  type TranslationContent,
} from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import { bodyCheck } from '../../validation/validate.ts'
import type { CallInput } from '../rest/run-call.ts'
import type { Items } from '../rest/settled.ts'
import type { Turn } from './turn.ts'

const usualWaitSeconds = 20
const firstPauseMs = 100
const mostPauseMs = 2_000
const key = 'text'

export async function translateText(turn: Turn, given: object): Promise<object> {
  const asked = bodyCheck(TextToTranslate)({ ...given }) as TextToTranslate
  const { jobId } = await createJob(turn, asked)
  turn.about(jobId)
  await wait(turn, jobId, asked.waitSeconds ?? usualWaitSeconds)
  const { statusCode } = await findJob(turn, jobId)
  const requests = await requestsOf(turn, jobId)
  const translations = await Promise.all(requests.map((request) => translationOf(turn, request)))
  const open = translations.filter(
    ({ text, error }) => text === undefined && error === undefined,
  ).length
  return {
    jobId,
    statusCode,
    translations,
    ...(open > 0 && {
      next: `${open} are not ready. Call listRequests with this jobId later, then retrieveContent.`,
    }),
  }
}

/** One for each language, on as many pages as they fill. */
async function requestsOf(turn: Turn, jobId: string): Promise<JobRequest[]> {
  const all: JobRequest[] = []
  for (let navNext: string | undefined; ; ) {
    const query = navNext === undefined ? {} : { navNext }
    const page = (await run(turn, 'listRequests', { params: { jobId }, query })) as Items
    all.push(...(page.items as JobRequest[]))
    if (page.next === undefined) return all
    navNext = page.next
  }
}

async function createJob(turn: Turn, asked: TextToTranslate): Promise<Job> {
  const { text, sourceNativeLanguageCode, targetNativeLanguageCodes, jobName, providerId } = asked
  const languages = { sourceNativeLanguageCode, targetNativeLanguageCodes }
  const job = (await run(turn, 'createJob', {
    body: { jobName: jobName ?? 'Text', ...languages },
  })) as Job
  const params = { jobId: job.jobId }
  try {
    const content = { requestName: 'Text', sourceNativeId: key, fields: [{ key, value: text }] }
    await run(turn, 'addRequests', { params, body: { ...content, ...languages } })
    return (await run(turn, 'submitJob', {
      params,
      body: providerId === undefined ? {} : { providerId },
    })) as Job
  } catch (error) {
    if (!mayGoOn(turn, error)) await run(turn, 'deleteJob', { params }).catch(() => {})
    throw error
  }
}

/** The same call with its key goes on with this job, or does so right now. */
const mayGoOn = ({ call }: Turn, error: unknown): boolean =>
  call.once !== undefined && (!(error instanceof HubError) || isRetryable(error.code))

/**
 * Waits until every request has a translation or an error, the time is up, or the assistant has
 * gone.
 */
async function wait(turn: Turn, jobId: string, seconds: number): Promise<void> {
  let pause = firstPauseMs
  for (let left = seconds * 1_000; left > 0; left -= pause) {
    if (isSettled(await findJob(turn, jobId))) return
    pause = Math.min(pause * 1.5, mostPauseMs, left)
    await delay(pause, undefined, { signal: turn.signal })
  }
}

function isSettled({ aggregateRequests }: Job): boolean {
  if (!aggregateRequests) return false
  const { total, withErrors, byStatusCode } = aggregateRequests
  const closed = (['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'CANCELLED'] as const).reduce(
    (sum, status) => sum + (byStatusCode[status] ?? 0),
    0,
  )
  return total - closed <= withErrors
}

const findJob = async (turn: Turn, jobId: string): Promise<Job> =>
  (await run(turn, 'findJob', { params: { jobId }, query: { aggregateRequests: true } })) as Job

type Translation = {
  readonly requestId: string
  readonly targetNativeLanguageCode: string
  readonly statusCode: string
  readonly text?: string
  readonly error?: string
}

async function translationOf(turn: Turn, request: JobRequest): Promise<Translation> {
  const { jobId, requestId, targetNativeLanguageCode, statusCode, hasError, latestErrorMessage } =
    request
  const said = { requestId, targetNativeLanguageCode, statusCode }
  if (hasError) return { ...said, error: latestErrorMessage ?? 'The provider reported an error.' }
  if (statusCode !== 'REVIEW_TRANSLATION' && statusCode !== 'TRANSLATION_APPROVED') return said
  const read = await run(turn, 'retrieveContent', { params: { jobId, requestId } })
  const [content] = (read as { items: TranslationContent[] }).items
  const text = content?.targetContent.find((field) => field.key === key)?.value
  return { ...said, ...(text !== undefined && { text }) }
}

/** Each step has the key of the whole under a path of its own. */
function run(turn: Turn, name: EndpointName, input: CallInput): Promise<unknown> {
  const { once, ...call } = turn.call
  const step: Call = once ? { ...call, once: { ...once, path: `${once.path}/${name}` } } : call
  return turn.runCall(turn.hub, step, name, input)
}

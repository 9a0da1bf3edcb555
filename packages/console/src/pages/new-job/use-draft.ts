/**
 * The draft at the hub: created with the first content, its files uploaded, its requests and its
 * quote kept in sync with the form. Each step reports its progress; nothing runs twice at once, and
 * a failed step is retried on demand.
 */
import { paidWords, type Quote } from '@dragoman/contract/wire'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call, HubFailure, isUnknown } from '../../hub.ts'
import { details, type Form, nameOf, soFar } from './form.ts'
import { type KeyedField, readPairs } from './pairs.ts'
import { alignRequests } from './requests.ts'
import { forgetDraft, keepDraft, keepLanguages, readDraft } from './stored-draft.ts'
import { type Files, useFiles } from './use-files.ts'

export type Step = {
  readonly state: 'none' | 'working' | 'done' | 'failed'
  readonly failure?: HubFailure
}
const none: Step = { state: 'none' }
const working: Step = { state: 'working' }
const done: Step = { state: 'done' }

export type Draft = Files & {
  readonly job: Step
  readonly requests: Step & { readonly count: number }
  /** The words alone if no price list is in force. */
  readonly quote: Step & { readonly found?: Quote; readonly words?: number }
  readonly submission: Step
  readonly pairs: readonly KeyedField[]
  readonly retry: () => void
  /**
   * Sends the remaining changes to the hub, then submits. Resolves to the job's id, to `incomplete`
   * if the quote has not all of it and the person was not asked, or to undefined if a step failed.
   */
  readonly submit: (wasAsked: boolean) => Promise<string | undefined>
  readonly discard: () => Promise<boolean>
}

type DraftOptions = {
  readonly form: Form
  readonly jobId: string | undefined
  readonly onJob: (jobId: string) => void
  readonly names: { readonly job: string; readonly pasted: string }
  readonly maker: { readonly personId: string; readonly version: string }
}

/** What the hub has, and the create whose outcome is not known yet. */
type Made = {
  jobId: string | undefined
  pasted: string | undefined
  quote?: Quote
  asked?: { readonly key: string; readonly body: ReturnType<typeof soFar> }
}

/** How long the form must be unchanged before the hub is updated. */
const restMs = 400
const noPrices = 'PRICE_LIST_NOT_FOUND'

export function useDraft({ form, jobId, onJob, names, maker }: DraftOptions): Draft {
  const [job, setJob] = useState<Step>(jobId ? done : none)
  const [requests, setRequests] = useState<Draft['requests']>({ ...none, count: 0 })
  const [quote, setQuote] = useState<Draft['quote']>(none)
  const [submission, setSubmission] = useState<Step>(none)
  const made = useRef<Made>({ jobId, pasted: jobId && readDraft(jobId)?.pasted })
  const files = useFiles(jobId)
  const { pairs, fault } = useMemo(() => readPairs(form.pasted), [form.pasted])
  const latest = useRef({ form, files, pairs })
  latest.current = { form, files, pairs }
  const isSubmitting = useRef(false)
  const turn = useRef<{ running?: Promise<boolean>; again: boolean }>({ again: false })

  const tell = useCallback(async (): Promise<void> => {
    const now = latest.current
    const jobName = nameOf(now.form, now.files.files, names.job)
    setJob(working)
    const body = soFar(now.form, jobName)
    const known = made.current.jobId
    if (known !== undefined) await call('changeJob', { params: { jobId: known }, body })
    else {
      const { personId, version } = maker
      const more = {
        shouldQuote: true,
        connectorName: 'console',
        connectorVersion: version,
        labels: { person: personId },
      }
      // If the answer to a create was lost, the same create comes first: the hub may have the job
      // already.
      made.current.asked ??= { key: crypto.randomUUID(), body }
      const { asked } = made.current
      const { jobId: created } = await call(
        'createJob',
        { body: { ...asked.body, ...more } },
        { key: asked.key },
      ).catch((failure: unknown) => {
        if (!isUnknown(failure)) delete made.current.asked
        throw failure
      })
      made.current.jobId = created
      onJob(created)
      if (JSON.stringify(asked.body) !== JSON.stringify(body))
        await call('changeJob', { params: { jobId: created }, body })
    }
    setJob(done)
  }, [maker, names.job, onJob])

  const align = useCallback(
    async (id: string): Promise<boolean> => {
      const { form: wanted, files: some, pairs: keys } = latest.current
      const isWhole = some.files.every(({ state }) => state === 'stored')
      if (
        !isWhole ||
        !wanted.source ||
        wanted.targets.length === 0 ||
        some.files.length + keys.length === 0
      ) {
        setQuote(none)
        return false
      }
      setRequests((before) => ({ ...working, count: before.count }))
      const pasted = JSON.stringify(keys)
      const isPastedNew = made.current.pasted !== pasted
      const count = await alignRequests(id, {
        form: wanted,
        files: some.files,
        pairs: keys,
        pastedName: names.pasted,
        isPastedNew,
      })
      made.current.pasted = pasted
      setRequests({ ...done, count })
      return true
    },
    [names.pasted],
  )

  const price = useCallback(async (id: string): Promise<void> => {
    setQuote((before) => ({ ...working, ...(before.found && { found: before.found }) }))
    const input = { params: { jobId: id } }
    const found = await call('quoteJob', input).catch(async (error: unknown) => {
      if (failureOf(error).code !== noPrices) throw error
      const { lines } = await call('countJobWords', input)
      return setQuote({ ...none, words: paidWords(lines) })
    })
    if (!found) return
    made.current.quote = found
    setQuote({ ...done, found })
  }, [])

  const inTurn = useCallback(async (): Promise<boolean> => {
    let isInLine = false
    try {
      do {
        turn.current.again = false
        isInLine = false
        const isEmpty = latest.current.files.files.length === 0 && latest.current.pairs.length === 0
        if (isEmpty && made.current.jobId === undefined) return false
        await tell()
        if (made.current.jobId === undefined) return false
        latest.current.files.begin(made.current.jobId)
        isInLine = await align(made.current.jobId)
        if (isInLine) await price(made.current.jobId)
      } while (turn.current.again)
    } catch (error) {
      const failure = failureOf(error)
      const fail = <S extends Step>(step: S): S =>
        step.state === 'working' ? { ...step, state: 'failed', failure } : step
      setJob(fail)
      setRequests(fail)
      setQuote(fail)
    }
    return isInLine
  }, [tell, align, price])

  /**
   * Returns whether the requests now match the form. A call during a run adds another run and waits
   * for it.
   */
  const sync = useCallback((): Promise<boolean> => {
    if (turn.current.running) turn.current.again = true
    turn.current.running ??= inTurn().finally(() => {
      delete turn.current.running
    })
    return turn.current.running
  }, [inTurn])

  const states = files.files
    .map(({ name, state, fmsFileId }) => `${name}\n${state}\n${fmsFileId}`)
    .join('\n')
  const told = JSON.stringify([
    form.jobName,
    form.source,
    form.targets,
    form.codes,
    fault ? undefined : pairs,
    states,
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `told` contains everything that is sent to the hub.
  useEffect(() => {
    const timer = setTimeout(() => isSubmitting.current || void sync(), restMs)
    return () => clearTimeout(timer)
  }, [told, sync])
  // biome-ignore lint/correctness/useExhaustiveDependencies: progress alone is not worth storing.
  useEffect(() => {
    const { pasted } = made.current
    if (jobId)
      keepDraft(jobId, { form, files: files.files, ...(pasted !== undefined && { pasted }) })
  }, [jobId, form, states, requests, files.files.map(({ url }) => url).join()])

  const submit = async (wasAsked: boolean): Promise<string | undefined> => {
    isSubmitting.current = true
    setSubmission(working)
    try {
      const isInLine = await sync()
      const id = made.current.jobId
      if (!isInLine || id === undefined) {
        setSubmission(none)
        return undefined
      }
      if (made.current.quote?.complete === false && !wasAsked) {
        setSubmission(none)
        return 'incomplete'
      }
      const wanted = latest.current.form
      await call('changeJob', {
        params: { jobId: id },
        body: { ...details(wanted), ...metadataOf(wanted) },
      })
      await call('submitJob', { params: { jobId: id }, body: {} })
      keepLanguages(wanted)
      forgetDraft(id)
      setSubmission(done)
      return id
    } catch (error) {
      setSubmission({ state: 'failed', failure: failureOf(error) })
      return undefined
    } finally {
      isSubmitting.current = false
    }
  }
  const discard = async (): Promise<boolean> => {
    const id = made.current.jobId
    files.stop()
    if (id === undefined) return true
    const isGone = await call('deleteJob', { params: { jobId: id } }).then(
      () => true,
      (error: unknown) => failureOf(error).code === 'JOB_NOT_FOUND',
    )
    if (isGone) forgetDraft(id)
    return isGone
  }
  return {
    ...files,
    job,
    requests,
    quote,
    submission,
    pairs,
    retry: () => void sync(),
    submit,
    discard,
  }
}

const failureOf = (error: unknown): HubFailure =>
  error instanceof HubFailure
    ? error
    : new HubFailure(-1, { code: 'CONSOLE', message: String((error as Error).message) })

const metadataOf = ({ metadata }: Form) =>
  Object.keys(metadata).length > 0 ? { extendedMetadata: metadata } : {}

/** One step of a random walk over a job, by either side at any moment, valid or not. */
export type Step = {
  readonly name: string
  readonly as: 'demo-connector' | 'demo-provider'
  readonly method: string
  readonly path: string
  readonly body?: object
  /** A call that only prepares the next one and moves nothing. */
  readonly before?: Step
}

/** At least 0, less than 1. */
export type Chance = () => number

/** Mulberry32: small, and the same numbers for the same seed everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Walked = {
  readonly jobId: string
  readonly requestIds: readonly string[]
  readonly providerId: string
  /** The other provider of the site, to be used by mistake. */
  readonly otherId: string
}

const fields = [{ key: 'title', value: 'Guten Morgen' }]

export function nextStep(chance: Chance, { jobId, requestIds, providerId, otherId }: Walked): Step {
  const job = `/jobs/${jobId}`
  const provided = `/providers/${providerId}/jobs/${jobId}`
  const some = requestIds.filter(() => chance() < 0.6)
  const ids = some.length > 0 ? some : [...requestIds]
  const connector = (name: string, method: string, path: string, body?: object): Step => ({
    name,
    as: 'demo-connector',
    method,
    path,
    ...(body && { body }),
  })
  const provider = (name: string, path: string, body: object, method = 'PATCH'): Step => ({
    name,
    as: 'demo-provider',
    method,
    path,
    body,
  })
  const tasks = (name: string, change: object): Step =>
    provider(name, `${provided}/assetTasks`, { assetTaskIds: ids, assetTasksUpdate: change })
  const deliver = (): Step => {
    const requestId = ids[0] ?? ''
    const task = `${provided}/assetTasks/${requestId}`
    const content = provider('content', `${task}/translatedContent`, { fields }, 'PUT')
    return {
      ...provider('deliver', task, { statusCode: 'TRANSLATION_SUBMITTED' }),
      before: content,
    }
  }
  const steps: readonly (readonly [weight: number, () => Step])[] = [
    [
      5,
      () =>
        connector('submit', 'PUT', `${job}/submit`, {
          providerId: chance() < 0.9 ? providerId : otherId,
        }),
    ],
    [6, deliver],
    [4, () => connector('approve', 'PUT', `${job}/requests/approve`, { requestIds: ids })],
    [
      3,
      () =>
        connector('reject', 'PUT', `${job}/requests/reject`, { requestIds: ids, note: 'again' }),
    ],
    [3, () => tasks('start', { statusCode: 'IN_TRANSLATION' })],
    [2, () => tasks('deliver together', { statusCode: 'TRANSLATION_SUBMITTED' })],
    [2, () => tasks('fail', { hasError: true, errorMessage: 'cannot read it' })],
    [
      1,
      () =>
        tasks('start and fail', {
          statusCode: 'IN_TRANSLATION',
          hasError: true,
          errorMessage: 'no',
        }),
    ],
    [1, () => tasks('cancel', { statusCode: 'CANCELLED' })],
    [1, () => provider('start the job', provided, { statusCode: 'IN_TRANSLATION' })],
    [1, () => provider('fail the job', provided, { hasError: true, errorMessage: 'all is lost' })],
    [0.3, () => provider('cancel the job', provided, { statusCode: 'CANCELLED' })],
    [2, () => connector('complete', 'PUT', `${job}/complete`)],
    [3, () => connector('reopen', 'PUT', `${job}/intranslation`)],
    [1, () => connector('archive', 'PUT', `${job}/archive`)],
    [3, () => connector('unarchive', 'PUT', `${job}/unarchive`)],
    [
      1,
      () => connector('hand over again', 'POST', `/providers/${providerId}/invocations`, { jobId }),
    ],
  ]
  let left = chance() * steps.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, step] of steps) {
    left -= weight
    if (left < 0) return step()
  }
  return deliver()
}

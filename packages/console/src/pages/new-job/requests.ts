/** Updates the requests of the draft to match its files, its pasted content and its languages. */
import { type JobRequest, limits, type NewRequest } from '@dragoman/contract/wire'
import { call } from '../../hub.ts'
import type { DraftFile, Form } from './form.ts'
import type { KeyedField } from './pairs.ts'

/** The native id of pasted content, which identifies its requests. */
const pastedId = 'pasted'

type Wanted = {
  readonly form: Form
  readonly files: readonly DraftFile[]
  readonly pairs: readonly KeyedField[]
  readonly pastedName: string
  /** The pasted content has changed since its requests were created. */
  readonly isPastedNew: boolean
}

/** Returns how many requests there are afterwards. */
export async function alignRequests(jobId: string, wanted: Wanted): Promise<number> {
  const { form, files, pairs, isPastedNew } = wanted
  const there = await allRequests(jobId)
  const stored = new Set(
    files.flatMap(({ state, fmsFileId }) => (state === 'stored' && fmsFileId ? fmsFileId : [])),
  )
  const fits = (one: JobRequest): boolean =>
    one.sourceNativeLanguageCode === form.source &&
    form.targets.includes(one.targetNativeLanguageCode) &&
    (one.sourceNativeId === pastedId && one.fileId === undefined
      ? pairs.length > 0 && !isPastedNew
      : stored.has(one.fileId ?? ''))
  const kept = there.filter(fits)
  for (const { requestId } of there.filter((one) => !fits(one)))
    await call('deleteRequest', { params: { jobId, requestId } })
  const missing = (has: (one: JobRequest) => boolean): string[] => {
    const present = new Set(kept.filter(has).map((one) => one.targetNativeLanguageCode))
    return form.targets.filter((target) => !present.has(target))
  }
  const requests: NewRequest[] = []
  for (const { name, fmsFileId = '' } of files.filter((file) => stored.has(file.fmsFileId ?? ''))) {
    const targets = missing((one) => one.fileId === fmsFileId)
    if (targets.length > 0) requests.push({ ...named(name, form.source, targets), fmsFileId })
  }
  const targets =
    pairs.length > 0
      ? missing((one) => one.sourceNativeId === pastedId && one.fileId === undefined)
      : []
  if (targets.length > 0)
    requests.push({
      ...named(wanted.pastedName, form.source, targets),
      sourceNativeId: pastedId,
      fields: pairs.map(({ key, value }) => ({ key, value })),
    })
  if (requests.length > 0) await call('addRequests', { params: { jobId }, body: { requests } })
  return kept.length + requests.reduce((sum, one) => sum + one.targetNativeLanguageCodes.length, 0)
}

const named = (name: string, source: string, targets: string[]) => ({
  requestName: cut(name),
  sourceNativeId: cut(name),
  sourceNativeLanguageCode: source,
  targetNativeLanguageCodes: targets,
})

/** The name of a request is limited to fewer bytes than a file name. */
function cut(name: string): string {
  const encoder = new TextEncoder()
  const letters = [...name]
  while (encoder.encode(letters.join('')).length > limits.requestNameBytes) letters.pop()
  return letters.join('')
}

async function allRequests(jobId: string): Promise<readonly JobRequest[]> {
  const found: JobRequest[] = []
  for (let navNext = ''; ; ) {
    const page = await call('listRequests', {
      params: { jobId },
      query: { ...(navNext && { navNext }) },
    })
    found.push(...page.requests)
    navNext = page.pagination.navNext ?? ''
    if (!navNext) return found
  }
}

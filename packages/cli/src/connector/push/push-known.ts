/**
 * What the hub already has of a push (contract, section 17): the folder of the project may be lost,
 * or as old as the clone that it is in. Only jobs of this project count: another one may have files
 * of the same names.
 */
import { HubError, type KnownContents, limits } from '@dragoman/contract/wire'
import type { Connection } from '@dragoman/sdk'
import type { PlannedFile, PushPlan } from './push-plan.ts'
import { newState, type PushState, type SentFiles } from './push-state.ts'

export type KnownAtHub = {
  readonly sent: SentFiles
  readonly latest: KnownContents['latest']
  /** The job with the newest of what is known. */
  readonly lastJobId?: string
}

/** Undefined if the hub is older than this question. */
export async function askKnown(hub: Connection, plan: PushPlan): Promise<KnownAtHub | undefined> {
  const sent: Record<string, Record<string, { sha256: string; jobId: string }>> = {}
  const latest: KnownContents['latest'][number][] = []
  let lastJobId: string | undefined
  for (const some of batchesOf(plan)) {
    const answer = await ask(hub, plan, some)
    if (!answer) return undefined
    const hashes = new Map(some.map(({ path, sha256 }) => [path, sha256]))
    for (const one of answer.known) {
      // A draft may be what an interrupted push left behind.
      if (!one.isCurrent || one.statusCode === 'CREATED') continue
      const languages = Object.hasOwn(sent, one.sourceNativeId) ? sent[one.sourceNativeId] : {}
      const code = hub.language(one.targetNativeLanguageCode)
      sent[one.sourceNativeId] = {
        ...languages,
        [code]: { sha256: hashes.get(one.sourceNativeId) ?? '', jobId: one.jobId },
      }
      lastJobId = one.jobId
    }
    latest.push(...answer.latest)
  }
  return { sent, latest, ...(lastJobId !== undefined && { lastJobId }) }
}

/** Files with the same languages, as many as one call takes. */
function batchesOf({ files }: PushPlan): PlannedFile[][] {
  const groups = new Map<string, PlannedFile[]>()
  for (const file of files) {
    const key = file.targets.join()
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return [...groups.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / limits.requestsPerCall) }, (_, at) =>
      some.slice(at * limits.requestsPerCall, (at + 1) * limits.requestsPerCall),
    ),
  )
}

async function ask(
  hub: Connection,
  { project: customData }: PushPlan,
  files: readonly PlannedFile[],
): Promise<KnownContents | undefined> {
  const items = files.map(({ path, sha256 }) => ({ sourceNativeId: path, sha256 }))
  const targetNativeLanguageCodes = [...(files[0]?.targets ?? [])]
  try {
    return await hub.findKnownContent({ body: { items, targetNativeLanguageCodes, customData } })
  } catch (error) {
    if (error instanceof HubError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** The plan with the requests that its files supersede. */
export function withOlder(
  plan: PushPlan,
  { latest }: KnownAtHub,
  language: (code: string) => string,
): PushPlan {
  const older = new Map(
    latest.map(({ targetNativeLanguageCode: code, sourceNativeId: path, requestId }) => [
      `${language(code)} ${path}`,
      requestId,
    ]),
  )
  const files = plan.files.map((file) => {
    const named = file.targets.flatMap((code) => {
      const requestId = older.get(`${language(code)} ${file.path}`)
      return requestId === undefined ? [] : [[code, requestId] as const]
    })
    return named.length === 0 ? file : { ...file, supersedes: Object.fromEntries(named) }
  })
  return { ...plan, files }
}

/** The state of the project with what the hub knows: pull finds it there. */
export function alsoSent(
  former: PushState | undefined,
  { sent, lastJobId }: KnownAtHub,
  of: string,
): PushState | undefined {
  if (lastJobId === undefined) return former
  const base = former ?? newState({ hub: of, fingerprint: '' })
  const all: Record<string, SentFiles[string]> = { ...base.sent }
  for (const [path, languages] of Object.entries(sent)) all[path] = { ...all[path], ...languages }
  return { ...base, sent: all, lastJobId: base.lastJobId ?? lastJobId }
}

/**
 * Kills `dragoman push` at random moments and runs it again, sometimes killing it again: in the end
 * there is exactly one submitted job, with every request once and every file complete. A moment is
 * a call or a response on its connection to the hub, so that no kill hits a program that has not
 * begun or has ended; each is used once before any is repeated.
 */
import { createHash, randomBytes } from 'node:crypto'
import { connect, type JobRequest } from '@dragoman/sdk'
import { newProject, type Project } from '../project.ts'
import { openTally, type Tally } from './tally.ts'
import { openWatchedLine, type WatchedLine } from './watched-line.ts'

export type PushKills = { readonly kills: number; readonly seed: number; readonly until?: number }

const languages = ['de-DE', 'fr-FR']
/** Files over 1 MB are sent in pieces and resumed; the others in one call. */
const large = randomBytes(3_000_000)

export async function killPushes(
  hubUrl: string,
  { kills, seed, until = Number.POSITIVE_INFINITY }: PushKills,
): Promise<Tally> {
  const tally = openTally('dragoman push killed')
  const random = mulberry(seed)
  const line = await openWatchedLine(hubUrl)
  const moments = await countMoments(line)
  const order = shuffled(moments, random)
  let [killed, inTime] = [0, 0]
  for (let at = 0; at < kills && performance.now() < until; at += 1) {
    tally.round()
    const label = `push-${seed}-${at}-${randomBytes(3).toString('hex')}`
    const project = newProject(line.url, contentOf(label))
    try {
      const first = delicate[at] ?? order[(at - delicate.length) % order.length] ?? 1
      // Up to three times per push.
      const more = Array.from(
        { length: Math.floor(random() * 3) },
        () => 1 + Math.floor(random() * moments),
      )
      for (const moment of [first, ...more]) {
        const wasKilled = await killAt(project, line, moment)
        killed += wasKilled ? 1 : 0
        inTime += wasKilled ? 0 : 1
      }
      line.watch(Number.POSITIVE_INFINITY, () => {})
      const last = await project.run(['push'])
      if (last.code !== 0) tally.lost(`${label}: the last run ended with ${last.code}: ${last.err}`)
      else await look(hubUrl, label, tally)
    } finally {
      project.remove()
    }
  }
  await line.close()
  tally.figure(`${moments} moments, ${killed} kills, ${inTime} runs ended before theirs`)
  return tally.end()
}

/** Puts the responses that hurt most when lost first, so that a small sample has them. */
const delicate = [/^POST \/v2\/jobs$/, /requests\/add/, /\/submit/, /sourcefiles/, /^PATCH \/fms/]

function shuffled(many: number, random: () => number): number[] {
  const keyed = Array.from({ length: many }, (_, at) => [random(), at + 1] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, moment]) => moment)
}

const contentOf = (label: string): Record<string, string | Uint8Array> => ({
  'dragoman.yml': `name: ${label}\nsource: en-US\ntargets: [${languages.join(', ')}]\nprovider: Pseudo\nlabels: [${label}]\nfiles: [content]\n`,
  'content/a.html': `<p>Good morning, ${label}</p>`,
  'content/b.html': '<p>Good evening</p>',
  'content/c.json': '{"title": "Good night"}',
  'content/large.bin': large,
})

async function countMoments(line: WatchedLine): Promise<number> {
  const project = newProject(line.url, contentOf(`counted-${randomBytes(3).toString('hex')}`))
  line.watch(Number.POSITIVE_INFINITY, () => {})
  const { code, err } = await project.run(['push'])
  project.remove()
  if (code !== 0) throw new Error(`push does not even work undisturbed: ${err}`)
  return line.count()
}

/** True if it was killed before its end. */
async function killAt(
  project: Project,
  line: WatchedLine,
  moment: number | RegExp,
): Promise<boolean> {
  const { child, ran } = project.start(['push'])
  line.watch(moment, () => child.kill('SIGKILL'))
  return (await ran).code === null
}

async function look(
  hubUrl: string,
  label: string,
  tally: ReturnType<typeof openTally>,
): Promise<void> {
  const hub = connect({
    url: hubUrl,
    clientId: 'demo-connector',
    clientSecret: 'demo-connector-secret',
  })
  const jobs = []
  for await (const job of hub.each('listJobs', { query: { filter: `labels eq '${label}'` } }))
    jobs.push(job)
  const [job] = jobs
  if (!job) return tally.lost(`${label}: there is no job`)
  if (jobs.length > 1) tally.doubled(`${label}: there are ${jobs.length} jobs`)
  if (job.statusCode === 'CREATED') tally.lost(`${label}: the job was not submitted`)
  const requests: JobRequest[] = []
  for await (const one of hub.each('listRequests', { params: { jobId: job.jobId } }))
    requests.push(one)
  const names = ['content/a.html', 'content/b.html', 'content/c.json', 'content/large.bin']
  for (const name of names)
    for (const code of languages) {
      const many = requests.filter(
        (one) => one.sourceNativeId === name && one.targetNativeLanguageCode === code,
      ).length
      if (many === 0) tally.lost(`${label}: ${name} in ${code}`)
      if (many > 1) tally.doubled(`${label}: ${name} in ${code} is there ${many} times`)
    }
  if (requests.length > names.length * languages.length)
    tally.doubled(`${label}: ${requests.length} requests`)
  const file = requests.find(({ sourceNativeId }) => sourceNativeId === 'content/large.bin')
  if (!file?.fileId) return
  const bytes = await (await hub.download({ jobId: job.jobId, fmsFileId: file.fileId })).bytes()
  const sha = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
  if (sha(bytes) !== sha(large)) tally.lost(`${label}: the bytes of the large file`)
}

/** The same numbers for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

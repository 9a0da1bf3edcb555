/**
 * `dragoman push` killed at random moments and run again, sometimes killed again on the way: in the end there is exactly
 * one job, submitted, with every request once and every file whole.
 */
import { createHash, randomBytes } from 'node:crypto'
import { connect, type JobRequest } from '@dragoman/sdk'
import { newProject, type Project } from '../project.ts'
import { openTally, type Tally } from './tally.ts'

export type PushKills = { readonly kills: number; readonly seed: number; readonly until?: number }

const languages = ['de-DE', 'fr-FR']
/** More than 1 MB goes piece by piece and is resumed; the others go in one call. */
const large = randomBytes(3_000_000)

export async function killPushes(
  hubUrl: string,
  { kills, seed, until = Number.POSITIVE_INFINITY }: PushKills,
): Promise<Tally> {
  const tally = openTally('dragoman push killed')
  const random = mulberry(seed)
  const whole = await timeOfOne(hubUrl)
  let [killed, inTime] = [0, 0]
  for (let at = 0; at < kills && performance.now() < until; at += 1) {
    tally.round()
    const label = `push-${seed}-${at}-${randomBytes(3).toString('hex')}`
    const project = newProject(hubUrl, contentOf(label))
    try {
      // Up to three times in one push, each at a moment of its own.
      for (let more = 1 + Math.floor(random() * 3); more > 0; more -= 1) {
        const wasKilled = await killAt(project, whole * random() * 1.1)
        killed += wasKilled ? 1 : 0
        inTime += wasKilled ? 0 : 1
      }
      const last = await project.run(['push'])
      if (last.code !== 0) tally.lost(`${label}: the last run ended with ${last.code}: ${last.err}`)
      else await look(hubUrl, label, tally)
    } finally {
      project.remove()
    }
  }
  tally.figure(`${killed} kills, ${inTime} runs ended before theirs`)
  return tally.end()
}

const contentOf = (label: string): Record<string, string | Uint8Array> => ({
  'dragoman.yml': `name: ${label}\nsource: en-US\ntargets: [${languages.join(', ')}]\nprovider: Pseudo\nlabels: [${label}]\nfiles: [content]\n`,
  'content/a.html': `<p>Good morning, ${label}</p>`,
  'content/b.html': '<p>Good evening</p>',
  'content/c.json': '{"title": "Good night"}',
  'content/large.bin': large,
})

async function timeOfOne(hubUrl: string): Promise<number> {
  const project = newProject(hubUrl, contentOf(`timed-${randomBytes(3).toString('hex')}`))
  const begun = performance.now()
  const { code, err } = await project.run(['push'])
  project.remove()
  if (code !== 0) throw new Error(`push does not even work undisturbed: ${err}`)
  return performance.now() - begun
}

/** True where it was killed before its end. */
async function killAt(project: Project, ms: number): Promise<boolean> {
  const { child, ran } = project.start(['push'])
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const { code } = await ran
  clearTimeout(timer)
  return code === null
}

async function look(hubUrl: string, label: string, tally: ReturnType<typeof openTally>): Promise<void> {
  const hub = connect({ url: hubUrl, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
  const jobs = []
  for await (const job of hub.each('listJobs', { query: { filter: `labels eq '${label}'` } })) jobs.push(job)
  const [job] = jobs
  if (!job) return tally.lost(`${label}: there is no job`)
  if (jobs.length > 1) tally.doubled(`${label}: there are ${jobs.length} jobs`)
  if (job.statusCode === 'CREATED') tally.lost(`${label}: the job was not submitted`)
  const requests: JobRequest[] = []
  for await (const one of hub.each('listRequests', { params: { jobId: job.jobId } })) requests.push(one)
  const names = ['content/a.html', 'content/b.html', 'content/c.json', 'content/large.bin']
  for (const name of names)
    for (const code of languages) {
      const many = requests.filter((one) => one.sourceNativeId === name && one.targetNativeLanguageCode === code).length
      if (many === 0) tally.lost(`${label}: ${name} in ${code}`)
      if (many > 1) tally.doubled(`${label}: ${name} in ${code} is there ${many} times`)
    }
  if (requests.length > names.length * languages.length) tally.doubled(`${label}: ${requests.length} requests`)
  const file = requests.find(({ sourceNativeId }) => sourceNativeId === 'content/large.bin')
  if (!file?.fileId) return
  const bytes = await (await hub.download({ jobId: job.jobId, fmsFileId: file.fileId })).bytes()
  const sha = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
  if (sha(bytes) !== sha(large)) tally.lost(`${label}: the bytes of the large file`)
}

/** Numbers that are the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

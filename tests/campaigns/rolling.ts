/**
 * Two hubs behind nginx, as deploy/nginx configures it, are restarted one after the other under
 * load: no call that may be sent twice fails.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { until } from '../hub-place.ts'
import { startNginx } from '../nginx.ts'
import { disk } from './blob-place.ts'
import { walkJobs } from './job-walk.ts'
import { withTwoNodes } from './nodes.ts'
import type { SteadyHub } from './steady-hub.ts'
import { openTally, type Tally } from './tally.ts'

export type RollingPlan = {
  /** Of both nodes, one after the other. */
  readonly restarts: number
  readonly clients: number
  /** DRAGOMAN_DRAIN_DELAY. */
  readonly delay: string
  readonly say?: (line: string) => void
}
export type RollingTally = Tally & { readonly acknowledged: number }

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../deploy/nginx', name), 'utf8')

/** The deployed site, without TLS and with addresses of this machine. */
function siteOf(folder: string, port: number, nodes: readonly SteadyHub[]): string {
  const [, node = ''] = /(server 127\.0\.0\.1:8080.*;)/.exec(read('nodes.conf')) ?? []
  const upstream = read('nodes.conf').replace(
    node,
    nodes.map((one) => node.replace('8080', `${one.port}`)).join('\n'),
  )
  const [head = '', , site = ''] = read('dragoman.conf').split(/^(?=server \{)/m)
  const plain = site
    .replace(/listen 443 ssl;/, `listen 127.0.0.1:${port};`)
    .replace(/listen \[::\]:443 ssl;/, '')
    .replaceAll(/ssl_\w+ [^;]*;/g, '')
    .replace(/access_log [^;]*;/, `access_log ${folder}/access.log;`)
  return `${upstream}\n${head.replace('/var/cache/nginx-dragoman', `${folder}/files`)}\n${plain}`
}

export async function restartRolling(
  postgresUrl: string,
  plan: RollingPlan,
): Promise<RollingTally> {
  const tally = openTally('rolling restarts behind nginx')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hub`
  const env = { ...disk.env, DRAGOMAN_DRAIN_DELAY: plan.delay, DRAGOMAN_PUBLIC_URL: url }
  return withTwoNodes(postgresUrl, { ...disk, env }, async (nodes) => {
    const nginx = await startNginx(port, (folder) => siteOf(folder, port, nodes))
    try {
      const walk = walkJobs(() => url, 'rolled', {
        clients: plan.clients,
        refused: ({ call, status, text }) =>
          tally.lost(`${call.method} ${call.path}: ${status} ${text}`),
      })
      for (let restart = 1; restart <= plan.restarts; restart += 1) {
        for (const node of nodes) await restartOne(node, walk.acknowledged, tally)
        tally.round()
        plan.say?.(
          `restart ${restart}: ${walk.acknowledged()} calls, ${tally.end().lost.length} failed`,
        )
      }
      await walk.end()
      await walk.hold(tally)
      tally.figure(`${walk.acknowledged()} calls`)
      tally.figure(`load ${loadavg()[0]?.toFixed(1)}`)
      if (tally.end().lost.length > 0) plan.say?.(nginx.read('errors').slice(-4_000))
      return { ...tally.end(), acknowledged: walk.acknowledged() }
    } finally {
      await nginx.stop()
    }
  })
}

async function restartOne(
  node: SteadyHub,
  acknowledged: () => number,
  tally: ReturnType<typeof openTally>,
): Promise<void> {
  const before = acknowledged()
  await until('the hubs are busy', () => acknowledged() > before + 100, 60_000)
  const { code, signal } = await node.stop()
  if (code !== 0) tally.found(`a node ended with ${code ?? signal}: ${node.logged().slice(-1_000)}`)
  await node.restart()
}

/**
 * A real object store for tests: Ceph's radosgw with one monitor and one in-memory storage daemon,
 * in a private temporary folder, on free loopback ports. Undefined if its programs are not
 * installed. With DRAGOMAN_TEST_S3 (an s3:// URL, credentials in the environment) an existing store
 * is used.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './free-port.ts'

export type ObjectStore = {
  /** The URL of its S3 interface. */
  readonly endpoint: string
  readonly bucket: string
  /** A blob URL with its own prefix in the bucket; through another endpoint (a proxy) if given. */
  url(options?: { readonly endpoint?: string }): string
  /** The environment for a process that uses it. */
  readonly env: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string }
  stop(): Promise<void>
}

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool']
/** The Debian packages of these programs. */
export const objectStorePackages = 'ceph-mon ceph-osd radosgw ceph-common'

const run = promisify(execFile)

export async function startObjectStore(): Promise<ObjectStore | undefined> {
  const given = process.env.DRAGOMAN_TEST_S3
  if (given) return useObjectStore(given)
  for (const program of programs) if (!(await isInstalled(program))) return undefined
  return runObjectStore()
}

/** An existing store; it is not ours to stop. */
function useObjectStore(given: string): ObjectStore {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const endpoint = new URL(given).searchParams.get('endpoint') ?? ''
  const bucket = new URL(given).hostname
  const env = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
  return {
    endpoint,
    bucket,
    env,
    url: (options) => blobUrl(bucket, options?.endpoint ?? endpoint),
    stop: async () => {},
  }
}

const blobUrl = (bucket: string, endpoint: string): string =>
  `s3://${bucket}/test-${randomBytes(6).toString('hex')}?endpoint=${encodeURIComponent(endpoint)}&region=default&forcePathStyle=true`

async function runObjectStore(): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    for (const daemon of daemons.reverse()) await end(daemon)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const config = join(folder, 'ceph.conf')
    const [monitorPort, port] = [await freePort(), await freePort()]
    const fsid = randomUUID()
    await writeFile(config, settings(folder, fsid, monitorPort))
    const start = async (program: string, ...args: string[]): Promise<void> => {
      daemons.push(await startDaemon(program, ['-c', config, '-f', ...args]))
    }

    const map = join(folder, 'monmap')
    const monitor = `[v2:127.0.0.1:${monitorPort}]`
    await run('monmaptool', ['-c', config, '--create', '--fsid', fsid, '--addv', 'a', monitor, map])
    await run('ceph-mon', ['-c', config, '--mkfs', '-i', 'a', '--monmap', map])
    await start('ceph-mon', '-i', 'a')

    const storage = randomUUID()
    await run('ceph', ['-c', config, '--connect-timeout', '20', 'osd', 'new', storage])
    await mkdir(join(folder, 'osd'))
    await run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', storage])
    await start('ceph-osd', '-i', '0')

    const endpoint = `http://127.0.0.1:${port}`
    await start(
      'radosgw',
      '-n',
      'client.admin',
      '--rgw_frontends',
      `beast endpoint=127.0.0.1:${port}`,
    )
    await untilAnswers(endpoint, daemons, folder)

    const env = {
      AWS_ACCESS_KEY_ID: randomBytes(8).toString('hex'),
      AWS_SECRET_ACCESS_KEY: randomBytes(16).toString('hex'),
    }
    const keys = ['--access-key', env.AWS_ACCESS_KEY_ID, '--secret-key', env.AWS_SECRET_ACCESS_KEY]
    await run('radosgw-admin', [
      '-c',
      config,
      'user',
      'create',
      '--uid',
      'test',
      '--display-name',
      'test',
      ...keys,
    ])
    const bucket = 'blobs'
    await createBucket(endpoint, bucket, env)
    return {
      endpoint,
      bucket,
      env,
      url: (options) => blobUrl(bucket, options?.endpoint ?? endpoint),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * One copy of everything, no authentication between the daemons, and no delay before a change of
 * the map is accepted.
 */
const settings = (folder: string, fsid: string, monitorPort: number): string => `[global]
fsid = ${fsid}
mon_host = v2:127.0.0.1:${monitorPort}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
ms_mon_service_mode = crc
ms_mon_cluster_mode = crc
paxos_propose_interval = 0.02
paxos_min_wait = 0.01
osd_objectstore = memstore
memstore_device_bytes = 8589934592
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
run_dir = ${folder}
log_file = ${folder}/$name.log
admin_socket =
pid_file =
mon_data = ${folder}/mon
osd_data = ${folder}/osd
rgw_data = ${folder}/rgw
`

/** The daemons end with the process that started them, even if it is killed. */
async function startDaemon(program: string, args: readonly string[]): Promise<ChildProcess> {
  const tied = await isInstalled('setpriv')
  return tied
    ? spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], { stdio: 'ignore' })
    : spawn(program, args, { stdio: 'ignore' })
}

async function untilAnswers(
  endpoint: string,
  daemons: readonly ChildProcess[],
  folder: string,
): Promise<void> {
  for (let tried = 0; ; tried++) {
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer?.ok) return
    const dead = daemons.some(
      ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null,
    )
    if (dead || tried >= 600) {
      const log = await readFile(join(folder, 'client.admin.log'), 'utf8').catch(() => '')
      throw new Error(`The object store did not start: ${log.slice(-2_000)}`)
    }
    await delay(100)
  }
}

async function createBucket(
  endpoint: string,
  bucket: string,
  env: ObjectStore['env'],
): Promise<void> {
  const credentials = {
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
  }
  const client = new S3Client({ endpoint, region: 'default', forcePathStyle: true, credentials })
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
  } finally {
    client.destroy()
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const gone = new Promise((resolve) => daemon.once('exit', resolve))
  // Nothing is persistent, so there is nothing to shut down cleanly.
  daemon.kill('SIGKILL')
  await gone
}

async function isInstalled(program: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (
      await access(join(folder, program)).then(
        () => true,
        () => false,
      )
    )
      return true
  }
  return false
}

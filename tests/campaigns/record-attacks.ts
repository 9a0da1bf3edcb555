/**
 * Somebody who can write to the database or to a backup, and what stays of a site or a job that is
 * gone: the logs show what was done past the hub, a changed backup is refused, and no log keeps the
 * content of what was deleted.
 */

import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@dragoman/server'
import { backupHub } from '../../packages/server/src/domain/operations/backups/backup-hub.ts'
import { restoreHub } from '../../packages/server/src/domain/operations/backups/restore-hub.ts'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { fateOfSite } from '../../packages/server/src/domain/sites/site-removal-rows.ts'
import { keepSeals } from '../../packages/server/src/store/stored-seals.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import { keyOf } from '../copied-hub.ts'
import { startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import type { BreakIn } from './break-in.ts'

const logsTold = async (hub: TestHub): Promise<string[]> =>
  (await checkHub(hub.inner)).findings
    .filter(({ check }) => / log$/.test(check))
    .map(({ says }) => says)

const noHead = { last: 0, hash: '', anchor: 0, anchor_hash: '', bytes: 0, seal: '' }

/** On a hub of its own, which is damaged afterwards. */
async function tamper(hub: TestHub, act: (own: TestHub) => Promise<void>): Promise<string[]> {
  const own = await startHub({ database: hub.inner.db.name, profile: 'production' })
  try {
    const before = await logsTold(own)
    if (before.length > 0) return [`a hub of its own has findings: ${before}`]
    await keepSeals(own.inner, own.inner.config.data)
    await act(own)
    return (await logsTold(own)).length > 0 ? [] : ['the check says nothing']
  } finally {
    await own.close()
  }
}

/** A backup of the hub, its manifest, and a place to restore it to. */
async function tryBackup(hub: TestHub, change: (manifest: string) => string): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'dragoman-attack-'))
  try {
    await backupHub(hub.inner, { to: place })
    const folder = join(place, 'backups')
    const [path = ''] = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const env = { DRAGOMAN_DATA: join(place, 'data'), DRAGOMAN_MASTER_KEY: keyOf(hub.inner) }
    await restoreHub(readConfig(env), { from: place })
    return 'restored'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** With a right sum of the changed lines, as somebody who knows the format makes it. */
const resummed = (
  manifest: string,
  change: (header: Record<string, unknown>) => void,
  mac: string | undefined,
): string => {
  const [first = '', ...rest] = manifest.split('\n')
  const header = JSON.parse(first) as Record<string, unknown>
  change(header)
  const text = [JSON.stringify(header), ...rest.slice(0, -3)].map((line) => `${line}\n`).join('')
  return `${text}${hash('sha256', text)}\n${mac === undefined ? '' : `${mac}\n`}`
}

/** What is still to be found of a site with content in every kind of place. */
async function removeSite(hub: TestHub): Promise<string[]> {
  const mark = randomBytes(8).toString('hex')
  const siteId = `gone-${mark}`
  const enrol = async (site: string, clientId: string, scope: 'admin' | 'operator') => {
    const { secret } = await enrolClient(hub.inner, { siteId: site, clientId, scopes: [scope] })
    hub.secrets.set(clientId, secret)
    return clientId
  }
  const [as, operator] = [
    await enrol(siteId, `admin-${mark}`, 'admin'),
    await enrol('', `op-${mark}`, 'operator'),
  ]
  const canary = (what: string) => `canary-${mark}-${what}`
  const call = async (method: string, path: string, body?: unknown) =>
    (
      await hub.call<Record<string, string>>(method, `/v2${path}`, {
        as,
        ...(body !== undefined && { body }),
      })
    ).body
  const { jobId } = await call('POST', '/jobs', {
    jobName: canary('name'),
    description: canary('description'),
    extendedMetadata: { note: canary('metadata') },
  })
  const transfer = await call('POST', `/jobs/${jobId}/sourcefiles?fileName=${canary('file')}.txt`)
  const form = new FormData()
  form.append('file', new Blob([canary('bytes')]), 'a.txt')
  await fetch(String(transfer.fmsPostMultipartUrl), { method: 'POST', body: form })
  await call('POST', `/jobs/${jobId}/requests/add`, {
    requestName: canary('request'),
    sourceNativeId: 's',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'k', value: canary('value') }],
  })
  // Refused calls are logged with their bodies as well.
  await call('POST', '/jobs', { jobName: canary('refused'), dueDate: 'never' })
  await call('POST', '/providers', { name: canary('provider'), typeId: 'manual' })
  await call('POST', '/people', {
    name: canary('person'),
    email: `${mark}@example.org`,
    sites: [{ roles: ['viewer'] }],
  })
  const { read } = hub.inner.db
  const logged = () =>
    read.selectFrom('calls').select('call_id').where('site_id', '=', siteId).execute()
  await until('the calls are in the log', async () => (await logged()).length >= 7)
  await hub.call('DELETE', `/v2/sites/${siteId}`, { as: operator })
  hub.inner.clock.setOffset(hub.inner.clock.offset() + 11 * 60_000)
  const sites = read.selectFrom('sites').select('site_id').where('site_id', '=', siteId)
  await until('the site is gone', async () => (await sites.execute()).length === 0)
  const found: string[] = []
  for (const table of Object.keys(fateOfSite) as (keyof Tables)[]) {
    const rows = JSON.stringify(await read.selectFrom(table).selectAll().execute())
    if (rows.includes(`canary-${mark}`) || rows.includes(`${mark}@`))
      found.push(`the table ${table} has its content`)
  }
  await until('its bytes are gone', async () => {
    for await (const _ of hub.inner.blobs.list()) return false
    return true
  })
  return found
}

/**
 * What people and clients wrote about content, on a hub that seals content: whoever reads its rows
 * must not read it.
 */
async function readNotes(hub: TestHub): Promise<string[]> {
  const clientId = 'writer'
  const { secret } = await enrolClient(hub.inner, {
    siteId: 'main',
    clientId,
    scopes: ['admin', 'content'],
  })
  hub.secrets.set(clientId, secret)
  const mark = randomBytes(8).toString('hex')
  const call = (method: string, path: string, body?: unknown) =>
    hub.call<Record<string, string>>(method, `/v2${path}`, {
      as: clientId,
      ...(body !== undefined && { body }),
    })
  const { jobId = '' } = (
    await call('POST', '/jobs', { jobName: 'Notes', description: `about ${mark}` })
  ).body
  await call('POST', `/jobs/${jobId}/requests/add`, {
    requestName: 'a',
    sourceNativeId: 's',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
    fields: [{ key: 'k', value: mark }],
  })
  const { read } = hub.inner.db
  const { request_id } = await read
    .selectFrom('requests')
    .select('request_id')
    .executeTakeFirstOrThrow()
  await hub.inner.db.transact(async (tx) => {
    await tx.updateTable('jobs').set({ status: 'IN_TRANSLATION' }).execute()
    await tx.updateTable('requests').set({ status: 'REVIEW_TRANSLATION' }).execute()
  })
  const note = `too stiff: ${mark}`
  const rejected = await call('PUT', `/jobs/${jobId}/requests/reject`, {
    requestIds: [request_id],
    note,
  })
  const found =
    rejected.status === 200
      ? []
      : [`the request was not rejected: ${JSON.stringify(rejected.body)}`]
  const shown = await call('GET', `/jobs/${jobId}/requests/${request_id}`)
  if (shown.body.rejectNote !== note) found.push('the note is not shown to its site')
  for (const table of Object.keys(fateOfSite) as (keyof Tables)[]) {
    const rows = JSON.stringify(await read.selectFrom(table).selectAll().execute())
    if (rows.includes(mark)) found.push(`the table ${table} has it in clear`)
  }
  return found
}

export const recordAttacks: readonly BreakIn[] = [
  {
    name: 'an audit log that was wiped, with an empty seal, is told by the check',
    tries: ({ hub }) =>
      tamper(hub, async ({ inner: { db } }) => {
        await db.transact(async (tx) => {
          await tx.deleteFrom('audit').execute()
          await tx.updateTable('chains').set(noHead).where('name', '=', 'audit').execute()
        })
      }),
  },
  {
    name: 'logs that were wiped with every record of them are told by what the node has seen, also after a restart',
    tries: ({ hub }) =>
      tamper(hub, async (own) => {
        await own.inner.db.transact(async (tx) => {
          await tx.deleteFrom('audit').execute()
          await tx.deleteFrom('calls').execute()
          await tx.updateTable('chains').set(noHead).execute()
          await tx.deleteFrom('hub_state').where('name', '=', 'chains_since').execute()
        })
        await own.restart()
      }),
  },
  {
    name: 'a log that was put back to an earlier state is told by what the node has seen',
    tries: ({ hub }) =>
      tamper(hub, async ({ inner }) => {
        const earlier = await inner.db.read
          .selectFrom('chains')
          .selectAll()
          .where('name', '=', 'audit')
          .execute()
        const last = earlier[0]?.last ?? 0
        await enrolClient(inner, { siteId: 'main', clientId: 'thief', scopes: ['admin'] })
        await keepSeals(inner, inner.config.data)
        await inner.db.transact(async (tx) => {
          await tx.deleteFrom('audit').where('audit_id', '>', last).execute()
          for (const head of earlier)
            await tx.updateTable('chains').set(head).where('name', '=', 'audit').execute()
        })
      }),
  },
  {
    name: 'a site that was removed leaves its content nowhere: not in rows, logs or blobs',
    tries: async ({ hub }) => {
      const own = await startHub({ database: hub.inner.db.name, profile: 'production' })
      try {
        return await removeSite(own)
      } finally {
        await own.close()
      }
    },
  },
  {
    name: 'rows of a hub that seals show no content, and no note about it',
    tries: async ({ hub }) => {
      const env = { DRAGOMAN_SEAL_CONTENT: 'on' }
      const own = await startHub({ database: hub.inner.db.name, profile: 'production', env })
      try {
        return await readNotes(own)
      } finally {
        await own.close()
      }
    },
  },
  {
    name: 'a changed backup is not restored: another header, a cut MAC, one of nobody',
    tries: async ({ hub }) => {
      if (hub.inner.db.name !== 'sqlite') return []
      const change = (header: Record<string, unknown>) => Object.assign(header, { at: 1 })
      const tries: [string, (manifest: string) => string, RegExp][] = [
        ['as it was', (manifest) => manifest, /^restored$/],
        [
          'changed',
          (manifest) => resummed(manifest, change, manifest.split('\n').at(-2)),
          /does not match its MAC/,
        ],
        [
          'forged',
          (manifest) => resummed(manifest, change, randomBytes(32).toString('hex')),
          /does not match its MAC/,
        ],
        [
          'of version 1',
          (manifest) =>
            resummed(manifest, (header) => Object.assign(header, { version: 1 }), undefined),
          /has no MAC/,
        ],
      ]
      const found: string[] = []
      for (const [what, how, wanted] of tries) {
        const said = await tryBackup(hub, how)
        if (!wanted.test(said)) found.push(`${what}: ${said}`)
      }
      return found
    },
  },
]

/**
 * Somebody who can write to the database or to a backup, and what stays of a site or a job that is gone: the logs show what was
 * done past the hub, a changed backup is refused, and no log keeps the content of what was deleted.
 */

import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@dragoman/server'
import { backupHub } from '../../packages/server/src/domain/backups/backup-hub.ts'
import { restoreHub } from '../../packages/server/src/domain/backups/restore-hub.ts'
import { checkHub } from '../../packages/server/src/domain/integrity/check.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { keepSeals } from '../../packages/server/src/store/kept-seals.ts'
import { keyOf } from '../copied-hub.ts'
import { startHub, type TestHub } from '../hub.ts'
import type { BreakIn } from './break-in.ts'

const logsTold = async (hub: TestHub): Promise<string[]> =>
  (await checkHub(hub.inner)).findings.filter(({ check }) => / log$/.test(check)).map(({ says }) => says)

const noHead = { last: 0, hash: '', anchor: 0, anchor_hash: '', bytes: 0, seal: '' }

/** On a hub of its own, which is damaged afterwards. */
async function tamper(hub: TestHub, act: (own: TestHub) => Promise<void>): Promise<string[]> {
  const own = await startHub({ engine: hub.inner.engine.name, profile: 'production' })
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

export const recordAttacks: readonly BreakIn[] = [
  {
    name: 'an audit log that was wiped, with an empty seal, is told by the check',
    tries: ({ hub }) =>
      tamper(hub, async ({ inner: { engine } }) => {
        await engine.transact(async (tx) => {
          await tx.deleteFrom('audit').execute()
          await tx.updateTable('chains').set(noHead).where('name', '=', 'audit').execute()
        })
      }),
  },
  {
    name: 'logs that were wiped with every record of them are told by what the node has seen, also after a restart',
    tries: ({ hub }) =>
      tamper(hub, async (own) => {
        await own.inner.engine.transact(async (tx) => {
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
        const earlier = await inner.engine.read.selectFrom('chains').selectAll().where('name', '=', 'audit').execute()
        const last = earlier[0]?.last ?? 0
        await enrolClient(inner, { siteId: 'main', clientId: 'thief', scopes: ['admin'] })
        await keepSeals(inner, inner.config.data)
        await inner.engine.transact(async (tx) => {
          await tx.deleteFrom('audit').where('audit_id', '>', last).execute()
          for (const head of earlier) await tx.updateTable('chains').set(head).where('name', '=', 'audit').execute()
        })
      }),
  },
  {
    name: 'a changed backup is not restored: another header, a cut MAC, one of nobody',
    tries: async ({ hub }) => {
      if (hub.inner.engine.name !== 'sqlite') return []
      const change = (header: Record<string, unknown>) => Object.assign(header, { at: 1 })
      const tries: [string, (manifest: string) => string, RegExp][] = [
        ['as it was', (manifest) => manifest, /^restored$/],
        ['changed', (manifest) => resummed(manifest, change, manifest.split('\n').at(-2)), /does not match its MAC/],
        ['forged', (manifest) => resummed(manifest, change, randomBytes(32).toString('hex')), /does not match its MAC/],
        [
          'of version 1',
          (manifest) => resummed(manifest, (header) => Object.assign(header, { version: 1 }), undefined),
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

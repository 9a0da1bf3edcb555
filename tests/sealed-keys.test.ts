/**
 * The keys of sealed content: rotated beside a running hub, cut off in the middle, destroyed,
 * restored, and checked.
 */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  keepContentKey,
  mustFindContentKey,
} from '../packages/server/src/domain/files/seals/content-keys.ts'
import { rotateKeys } from '../packages/server/src/domain/files/seals/rotate-keys.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import { sha256 } from './faults/file-client.ts'
import { envOf } from './faults/hub-env.ts'
import { databases, spawnProgram, startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'
import { type Connector, openConnector } from './sealed-place.ts'

const segment = 256 * 1024
const site = 'demo'

describe.each(databases)('the keys of sealed content on %s', (database) => {
  let hub: TestHub
  let connector: Connector
  beforeAll(async () => {
    hub = await startHub({ database, env: { DRAGOMAN_SEAL_CONTENT: 'on' } })
    connector = await openConnector(hub)
  })
  afterAll(() => hub.close())

  const read = () => hub.inner.db.read
  const siteKeys = () =>
    read().selectFrom('site_keys').selectAll().where('site_id', '=', site).execute()
  const contentKeys = () =>
    read().selectFrom('content_keys').selectAll().orderBy('key_of').execute()
  const versions = async () => (await siteKeys()).map(({ version }) => version).sort()
  const findings = async () => (await checkHub(hub.inner)).findings
  /** All that is content: the bytes of every blob, and every text in a row. */
  const content = async (): Promise<string> => {
    const entries = readdirSync(join(hub.folder, 'data', 'blobs'), {
      recursive: true,
      withFileTypes: true,
    })
    const blobs = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
    const texts = await read()
      .selectFrom('source_contents')
      .selectAll()
      .orderBy('content_id')
      .execute()
    return sha256(
      Buffer.concat([
        ...blobs.map((path) => readFileSync(path)),
        Buffer.from(JSON.stringify(texts)),
      ]),
    )
  }
  const addContent = async (value: string): Promise<string> => {
    const fields = [{ key: 'k', value }]
    const { body } = await connector.ask('POST', `/v2/jobs/${connector.jobId}/sourcecontent`, {
      fields,
    })
    return String(body.sourcecontentId)
  }
  const fieldsIn = async (id: string): Promise<unknown> =>
    (await connector.ask('GET', `/v2/jobs/${connector.jobId}/sourcecontent/${id}`)).body.fields
  /** The same hub, whose database fails at the given transaction. */
  const failingAt = (at: number): Hub => {
    let seen = 0
    const { db } = hub.inner
    const transact: typeof db.transact = (work) => {
      seen += 1
      return seen === at ? Promise.reject(new Error('the line is cut')) : db.transact(work)
    }
    return { ...hub.inner, db: { ...db, transact } }
  }

  it('are rotated by the command beside the running hub: every key is sealed anew, and nothing else is touched', async () => {
    const bytes = randomBytes(2 * segment + 5)
    const fileId = await connector.sendWhole('whole.bin', bytes)
    const contentId = await addContent('before')
    const transfer = await connector.begin(connector.jobId, 'half.bin')
    const upload = await connector.beginTus(transfer, bytes.length)
    expect((await connector.patch(transfer, upload, 0, bytes.subarray(0, 70_001))).status).toBe(204)
    const [before, keysBefore, old] = [await content(), await contentKeys(), await siteKeys()]
    expect(keysBefore).toHaveLength(3)

    const run = spawnProgram(['keys', 'rotate', '--site', site], envOf(hub.inner))
    expect(await run.exited).toEqual({ code: 0, signal: null })
    expect(run.stdout()).toBe(`Site ${site} has key 2; 3 keys were sealed again with it.\n`)
    expect(await content()).toBe(before)
    const [keysAfter, fresh] = [await contentKeys(), await siteKeys()]
    expect(fresh).toMatchObject([{ version: 2 }])
    expect(fresh[0]?.sealed_key).not.toBe(old[0]?.sealed_key)
    expect(keysAfter.map(({ key_of, site_key }) => [key_of, site_key])).toEqual(
      keysBefore.map(({ key_of }) => [key_of, 2]),
    )
    for (const [at, { sealed_key }] of keysAfter.entries())
      expect(sealed_key).not.toBe(keysBefore[at]?.sealed_key)

    expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
    expect(await fieldsIn(contentId)).toEqual([{ key: 'k', value: 'before' }])
    expect((await connector.patch(transfer, upload, 70_001, bytes.subarray(70_001))).status).toBe(
      204,
    )
    expect((await connector.fetchFile(transfer.fmsFileId)).equals(bytes)).toBe(true)
    expect(await findings()).toEqual([])
  })

  it('are told apart by the command: a site without sealed content is refused, with a sentence', async () => {
    const { code, err } = await runCommandLine(
      ['keys', 'rotate', '--site', 'nowhere'],
      envOf(hub.inner),
    )
    expect(code).toBe(1)
    expect(err).toContain('sealed content of site nowhere')
    expect(await versions()).toEqual([2])
  })

  it('stay good when a rotation is cut off at any moment, and the next one goes on with the same key', async () => {
    const contentId = await addContent('through all')
    const [first = 0] = await versions()
    // Begin, one stretch of keys, end.
    for (const at of [1, 2, 3]) {
      await expect(rotateKeys(failingAt(at), site)).rejects.toThrow('the line is cut')
      expect(await fieldsIn(contentId)).toEqual([{ key: 'k', value: 'through all' }])
      await addContent(`after cut ${at}`)
    }
    expect(await versions()).toEqual([first, first + 1])
    expect(await rotateKeys(hub.inner, site)).toMatchObject([{ siteId: site, version: first + 1 }])
    const acts = hub.inner.db.read.selectFrom('audit').select(['verb', 'thing_id', 'site_id'])
    expect((await acts.orderBy('audit_id').execute()).at(-1)).toMatchObject({
      verb: 'content key rotated',
      thing_id: site,
      site_id: site,
    })
    expect(await versions()).toEqual([first + 1])
    expect(await fieldsIn(contentId)).toEqual([{ key: 'k', value: 'through all' }])
    expect(await findings()).toEqual([])
  })

  it('that somebody seals under at that very moment outlive the rotation', async () => {
    const keyOf = randomBytes(16).toString('hex')
    const key = randomBytes(32)
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    let isSealed = (): void => {}
    const sealed = new Promise<void>((resolve) => {
      isSealed = resolve
    })
    const sealing = hub.inner.db.transact(async (tx) => {
      await keepContentKey(hub.inner, tx, { siteId: site, jobId: connector.jobId, keyOf }, key)
      isSealed()
      await held
    })
    await sealed
    const rotating = rotateKeys(hub.inner, site)
    // On PostgreSQL the new key is there while the transaction is still open; SQLite lets one in
    // after the other.
    if (database === 'postgres') await expect.poll(async () => (await versions()).length).toBe(2)
    go()
    await sealing
    await rotating
    expect((await mustFindContentKey(hub.inner, read(), site, keyOf)).equals(key)).toBe(true)
    expect(await versions()).toHaveLength(1)
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('content_keys').where('key_of', '=', keyOf).execute(),
    )
  })

  it('are rotated again and again while files come and go', async () => {
    let isOver = false
    const sent: [string, Buffer][] = []
    const use = async (at: number) => {
      while (!isOver) {
        const bytes = randomBytes(segment + at * 30_000)
        const fileId = await (at % 2 === 0
          ? connector.sendWhole('busy.bin', bytes)
          : connector.sendPieces('busy.bin', bytes, [40_000]))
        sent.push([fileId, bytes])
        const contentId = await addContent(fileId)
        expect(await fieldsIn(contentId)).toEqual([{ key: 'k', value: fileId }])
        expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
      }
    }
    const users = [0, 1, 2].map(use)
    for (let turn = 0; turn < 6; turn += 1) await rotateKeys(hub.inner)
    isOver = true
    await Promise.all(users)
    expect(sent.length).toBeGreaterThan(2)
    for (const [fileId, bytes] of sent)
      expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
    expect(await versions()).toHaveLength(1)
    expect(await findings()).toEqual([])
  })

  it('are looked at by the check: one that was changed or lost is named, with what it sealed', async () => {
    const contentId = await addContent('lost')
    const fileId = await connector.sendWhole('lost.bin', randomBytes(10))
    const { blob_id } = await read()
      .selectFrom('files')
      .select('blob_id')
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow()
    const [whole] = (await contentKeys()).filter(({ key_of }) => key_of === blob_id)
    const [job] = (await contentKeys()).filter(({ key_of }) => key_of === connector.jobId)
    if (!whole || !job) throw new Error('no keys')
    const write = (row: typeof whole) =>
      hub.inner.db.transact((tx) =>
        tx.updateTable('content_keys').set(row).where('key_of', '=', row.key_of).execute(),
      )
    // The key of one in the place of another.
    await write({ ...whole, sealed_key: job.sealed_key })
    expect(await findings()).toMatchObject([
      {
        check: 'file bytes',
        what: `file ${fileId}`,
        says: expect.stringContaining('its key cannot be opened'),
      },
      { check: 'keys', siteId: site, what: `key of blob ${blob_id}` },
    ])
    expect((await connector.read(await connector.link(connector.jobId, fileId))).status).toBe(503)
    await write(whole)
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('content_keys').where('key_of', '=', connector.jobId).execute(),
    )
    const lost = await findings()
    expect(lost.length).toBeGreaterThan(0)
    expect(new Set(lost.map(({ check }) => check))).toEqual(new Set(['sealed content']))
    expect(lost.map(({ what }) => what)).toContain(`source content ${contentId}`)
    await hub.inner.db.transact((tx) => tx.insertInto('content_keys').values(job).execute())
    const { fields } = await read()
      .selectFrom('source_contents')
      .select('fields')
      .where('content_id', '=', contentId)
      .executeTakeFirstOrThrow()
    const damage = (text: string) =>
      hub.inner.db.transact((tx) =>
        tx
          .updateTable('source_contents')
          .set({ fields: text })
          .where('content_id', '=', contentId)
          .execute(),
      )
    await damage(`${fields.slice(0, -3)}AAA`)
    expect(await findings()).toMatchObject([
      { check: 'sealed content', what: `source content ${contentId}` },
    ])
    await damage(fields)
    expect(await findings()).toEqual([])
  })

  it('do not open under another master key: the start is refused with a sentence', async () => {
    const other = { DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') }
    await expect(hub.restart(other)).rejects.toThrow(/master key .* is not the one/)
    await hub.restart({})
    connector.forgetToken()
  })

  const onSqlite = database === 'sqlite' ? it : () => {}
  // A copy of PostgreSQL is its own tools' work.
  onSqlite('come back with a backup of the database, the blobs and the master key', async () => {
    const bytes = randomBytes(segment + 9)
    const fileId = await connector.sendWhole('kept.bin', bytes)
    const contentId = await addContent('kept')
    const copy = mkdtempSync(join(tmpdir(), 'dragoman-restored-'))
    cpSync(join(hub.folder, 'data'), join(copy, 'data'), {
      recursive: true,
      preserveTimestamps: true,
    })
    await hub.restart({ DRAGOMAN_DATA: join(copy, 'data') })
    try {
      connector.forgetToken()
      expect((await connector.fetchFile(fileId)).equals(bytes)).toBe(true)
      expect(await fieldsIn(contentId)).toEqual([{ key: 'k', value: 'kept' }])
      expect(await findings()).toEqual([])
    } finally {
      await hub.restart({})
      connector.forgetToken()
      rmSync(copy, { recursive: true })
    }
  })

  it('destroyed, make all that the site has sealed unreadable, and nothing else', async () => {
    const fileId = await connector.sendWhole('shredded.bin', randomBytes(10))
    const contentId = await addContent('shredded')
    await hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('content_keys').where('site_id', '=', site).execute()
      await tx.deleteFrom('site_keys').where('site_id', '=', site).execute()
    })
    expect(await siteKeys()).toEqual([])
    expect((await connector.read(await connector.link(connector.jobId, fileId))).status).toBe(503)
    const path = `/v2/jobs/${connector.jobId}/sourcecontent/${contentId}`
    expect(await connector.ask('GET', path)).toMatchObject({ status: 503, code: 'FMS_UNAVAILABLE' })
    const other = await openConnector(hub)
    const anew = await other.sendWhole('anew.bin', Buffer.from('anew'))
    expect((await other.fetchFile(anew)).toString()).toBe('anew')
  })
})

/** The whole round against a real hub, which runs inside this test. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type RunningHub, startHub } from 'dragoman/testing'
import { languages, readContent } from '../src/read-content.js'
import { round } from '../src/round.js'

let hub: RunningHub
let home: string
before(async () => {
  hub = await startHub()
  home = await mkdtemp(join(tmpdir(), 'connector-'))
})
after(async () => {
  await hub.close()
  await rm(home, { recursive: true })
})

test('every text comes back in every language', async () => {
  await round({ url: hub.url, ...hub.clients.connector, home })
  for (const { id } of await readContent())
    for (const language of languages.targets) {
      const text = await readFile(join(home, 'translations', language, `${id}.json`), 'utf8')
      assert.notDeepEqual(JSON.parse(text), {})
    }
})

test('a hub that is busy is asked again', async () => {
  await hub.faults.on('rate-limit-storm', { times: 2 })
  await round({ url: hub.url, ...hub.clients.connector, home })
})

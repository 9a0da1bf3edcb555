/**
 * The night shift of a small agency: takes every open asset task, translates its segments with
 * `glossary.json`, delivers what is complete and leaves the rest to people. Files without segments
 * are saved to `inbox/`, and delivered once their translation lies in `outbox/` under the same
 * name. Run it as often as you like: it goes on where it stopped.
 *
 *   HUB_URL=… HUB_CLIENT_ID=… HUB_CLIENT_SECRET=… node agency.mjs [FOLDER]
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { connectProvider, HubError } from '@dragoman/sdk'
import { dailyLog, fileSource, keptInFolder, safePath, saveDownload } from '@dragoman/sdk/node'

const [folder = '.'] = process.argv.slice(2)
const { HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET } = process.env
const hub = connectProvider({
  url: HUB_URL ?? 'http://127.0.0.1:8080',
  clientId: HUB_CLIENT_ID ?? 'demo-provider',
  clientSecret: HUB_CLIENT_SECRET ?? 'demo-provider-secret',
  kept: keptInFolder(join(folder, '.agency')), // uploads continue after a restart
  log: dailyLog(join(folder, '.agency/log'), { keepDays: 90 }),
})

/** {"Save": {"de-de": "Speichern"}} */
const glossary = JSON.parse(await readFile(join(folder, 'glossary.json'), 'utf8'))

for await (const work of hub.work()) {
  try {
    console.log(
      `${work.task.requestName} (${work.task.targetNativeLanguageCode}): ${await handle(work)}`,
    )
  } catch (error) {
    // One task that the hub refuses does not stop the others.
    if (!(error instanceof HubError) || error.status < 400 || error.status >= 500) throw error
    console.log(`${work.task.requestName}: ${error.message}`)
    process.exitCode = 1
  }
}

async function handle(work) {
  await hub.take(work)
  if (work.task.segments === false) return handleFile(work)
  const language = work.task.targetNativeLanguageCode.toLowerCase()
  const written = await hub.translate(work, ({ source }) => {
    // Texts with tags are for people; others are looked up whole.
    const [text, ...rest] = source
    const target =
      typeof text === 'string' && rest.length === 0 ? glossary[text]?.[language] : undefined
    return target === undefined ? undefined : [target]
  })
  const { providerId, jobId, assetTaskId } = work
  try {
    await hub.deliverSegments({ params: { providerId, jobId, assetTaskId } })
    return `delivered, ${written} segments written`
  } catch (error) {
    if (error.code !== 'SEGMENTS_OPEN' && error.code !== 'CHECKS_FAILED') throw error
    return `${written} segments written; ${error.message}`
  }
}

async function handleFile(work) {
  const name = `${work.assetTaskId}/${work.task.filename}`
  const translated = join(folder, 'outbox', safePath(name))
  if (await stat(translated).catch(() => undefined)) {
    await hub.put(work, await fileSource(translated, work.task.filename))
    await hub.deliver(work)
    return 'delivered'
  }
  return `saved as ${await saveDownload(join(folder, 'inbox'), name, await hub.download(work))}`
}

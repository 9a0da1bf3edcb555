/**
 * A whole connector on the SDK, in the form that `dragoman certify` runs: one round, then it ends.
 * It sends two files and some keys and values, hears from its listener, polls beside it, checks
 * what comes, brings it home and approves it. Run it with: dragoman certify --command "node
 * examples/reference-connector.mjs"
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, HubError, sourceOf } from '@dragoman/sdk'
import { dailyLog, httpReceiver, keptInFolder, safePath, writeWhole } from '@dragoman/sdk/node'

const { HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET, CONNECTOR_HOME = '.connector' } = process.env
const home = CONNECTOR_HOME
const kept = keptInFolder(join(home, 'kept'))
const log = dailyLog(join(home, 'log'))
const hub = connect({
  url: HUB_URL ?? 'http://127.0.0.1:8080',
  clientId: HUB_CLIENT_ID ?? 'demo-connector',
  clientSecret: HUB_CLIENT_SECRET ?? 'demo-connector-secret',
  connector: { name: 'reference-connector', version: '1.0.0', installation: kept },
  languages: { german: 'de-de', french: 'fr-fr' },
  kept,
  log,
})

const texts = 'Good morning, all of you. '.repeat(200)
/** Over 1 MB, so that it goes in pieces. */
const story = `${texts}\n`.repeat(220)
const items = [
  {
    name: 'a page with a name that is much too long '.repeat(10),
    file: sourceOf('page.txt', texts),
  },
  { name: 'story', file: sourceOf('story.txt', story) },
  { name: 'menu', fields: { title: 'Good morning', help: 'How can we help you?' } },
]
/** A translation is longer than its source, or as long; a shorter one is broken. */
const leastBytes = { 'page.txt': texts.length, 'story.txt': story.length }

let hint = () => {}
let heard = () => {}
const firstCall = new Promise((resolve) => {
  heard = resolve
})
const { server, listenerId } = await listen()
try {
  const jobId = await send()
  await bringHome(jobId)
  // The listener is not taken away while its call may still be on its way.
  await Promise.race([firstCall, delay(2_000, undefined, { ref: false })])
} finally {
  await hub.deleteListener({ params: { listenerId } }).catch(() => {})
  server.closeAllConnections()
  server.close()
  await log.flush()
}

/**
 * The listener only says that there is something: what it is, the hub is asked. One listener of its
 * type for a client.
 */
async function listen() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const receiver = createServer(httpReceiver({ secret, onDelivery: onCall, onError: onCall }))
  await new Promise((ready) => receiver.listen(0, '127.0.0.1', ready))
  const body = {
    uri: `http://127.0.0.1:${receiver.address().port}`,
    type: 'REQUEST_STATUS_UPDATED',
    secret,
  }
  for await (const old of hub.each('listListeners'))
    if (old.type === body.type) await hub.deleteListener({ params: { listenerId: old.listenerId } })
  const made = await hub.createListener({ body })
  return { server: receiver, listenerId: made.listenerId }
}

function onCall() {
  heard()
  hint()
}

async function send() {
  const provider = await hub.findProviderNamed('Pseudo')
  const name = `Round of ${new Date().toISOString()}, ${'with a long name '.repeat(30)}`
  const { jobId } = await hub.createJob({ body: { jobName: name, providerId: provider.id } })
  await hub.changeJob({
    params: { jobId },
    body: { description: 'Sent by the reference connector.' },
  })
  await hub.add(jobId, items, { source: 'en-us', targets: ['german', 'french'] })
  for (;;) {
    try {
      await hub.submitJob({ params: { jobId } })
      return jobId
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'QUOTA_EXCEEDED') throw error
      // Updates that wait are what fills this quota: they are taken, and then there is room.
      await hub.pollOnce(take)
      await delay(500)
    }
  }
}

/**
 * Updates first; then the job itself is looked at, for an update may have gone to a listener that
 * was not called.
 */
async function bringHome(jobId) {
  for (;;) {
    await hub.pollOnce(take, { ledger: true, onError: (error) => console.error(String(error)) })
    const open = []
    for await (const request of hub.each('listRequests', { params: { jobId } }))
      if (!['TRANSLATION_APPROVED', 'CANCELLED'].includes(request.statusCode)) open.push(request)
    if (open.length === 0) break
    for (const { requestId, statusCode } of open)
      if (statusCode === 'REVIEW_TRANSLATION')
        await inActiveJob(jobId, () => takeOne(jobId, requestId))
    // A call of the listener ends the pause.
    await Promise.race([
      delay(300),
      new Promise((wake) => {
        hint = wake
      }),
    ])
  }
  const { statusCode } = await hub.findJob({ params: { jobId } })
  if (statusCode !== 'CANCELLED') await hub.completeJob({ params: { jobId } })
}

/**
 * One update. When this returns, the SDK acknowledges it; when it throws, the update comes again.
 */
async function take(update) {
  if (update.hasError) return console.error(`${update.jobId}: ${update.errorMessage}`)
  if (update.statusCode !== 'REVIEW_TRANSLATION') return
  for (const requestId of update.requestIds)
    await inActiveJob(update.jobId, () => takeOne(update.jobId, requestId))
}

async function takeOne(jobId, requestId) {
  const request = await hub.findRequest({ params: { jobId, requestId } })
  if (request.statusCode !== 'REVIEW_TRANSLATION') return
  const content = request.fileName
    ? await (await hub.download(request)).bytes()
    : JSON.stringify(await hub.fields(request))
  const isWhole = request.fileName
    ? content.length >= leastBytes[request.fileName]
    : !content.includes('\ufffd')
  if (!isWhole) {
    await hub.rejectRequests({
      params: { jobId },
      body: { requestIds: [requestId], note: 'It breaks off in the middle.' },
    })
    return
  }
  const place = safePath(`${request.targetNativeLanguageCode}/${request.fileName ?? 'menu.json'}`)
  await writeWhole(join(home, 'translations', place), [Buffer.from(content)])
  await hub.approve(jobId, [requestId])
}

/** A job that was archived meanwhile is brought back, once it is whole again. */
async function inActiveJob(jobId, act) {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'JOB_ARCHIVED') throw error
  }
  for (;;) {
    const { archiveStatus } = await hub.findJob({ params: { jobId } })
    if (archiveStatus === 'ACTIVE') return act()
    if (archiveStatus === 'ARCHIVED') await hub.unarchiveJob({ params: { jobId } })
    await delay(200)
  }
}

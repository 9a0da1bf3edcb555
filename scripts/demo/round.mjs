/**
 * The steps of the demo, in order: each makes its calls, checks the responses and returns a
 * sentence about them.
 */
import { openConnector } from './connector.mjs'
import { languages, menu, messages, page, sameCodes } from './content.mjs'

export const steps = [
  ['hub', startHub],
  ['token', signIn],
  ['listener', addListeners],
  ['job', createJob],
  ['files', uploadFiles],
  ['requests', addRequests],
  ['submit', submit],
  ['translate', waitForReview],
  ['hear', waitForListener],
  ['download', downloadAll],
  ['approve', approveAndComplete],
  ['archive', archive],
]

async function startHub(seen) {
  const url = await seen.hub.ready()
  seen.connector = openConnector(url)
  return `runs at ${url}, process ${seen.hub.pid}, on a temporary folder`
}

async function signIn({ connector }) {
  const seconds = await connector.signIn('demo-connector', 'demo-connector-secret')
  return `demo-connector has one for ${seconds} seconds`
}

async function addListeners({ connector, listener }) {
  for (const [path, type] of [
    ['/jobs', 'JOB_STATUS_UPDATED'],
    ['/requests', 'REQUEST_STATUS_UPDATED'],
  ]) {
    const made = await connector.call(
      'POST',
      '/statusupdates/listeners',
      { uri: listener.url + path, type },
      201,
    )
    must(made.secret, 'the secret of a listener is shown once, when it is made')
    listener.secrets.set(path, made.secret)
  }
  return `${listener.url} will hear of jobs and of requests, signed`
}

async function createJob(seen) {
  const input = { jobName: 'Spring catalogue', sourceNativeLanguageCode: 'en-US' }
  const job = await seen.connector.call('POST', '/jobs', input, 201)
  must(job.statusCode === 'CREATED', 'a new job is CREATED')
  seen.at = `/jobs/${job.jobId}`
  return `${job.jobId} "${job.jobName}" is ${job.statusCode}`
}

async function uploadFiles(seen) {
  const { connector, at } = seen
  seen.files = [
    await connector.uploadDirectly(at, 'page.html', Buffer.from(page)),
    await connector.uploadInPieces(at, 'messages.json', Buffer.from(messages), 3),
  ]
  return `page.html in one call (${page.length} bytes), messages.json in 3 pieces by TUS (${messages.length} bytes)`
}

async function addRequests(seen) {
  const given = [
    { requestName: 'Home page', sourceNativeId: 'page-1', fmsFileId: seen.files[0] },
    { requestName: 'Messages', sourceNativeId: 'messages', fmsFileId: seen.files[1] },
    { requestName: 'Menu', sourceNativeId: 'menu', fields: menu },
  ].map((one) => ({
    ...one,
    sourceNativeLanguageCode: 'en-US',
    targetNativeLanguageCodes: languages,
  }))
  const { requests } = await seen.connector.call(
    'POST',
    `${seen.at}/requests/add`,
    { requests: given },
    201,
  )
  must(
    requests.length === given.length * languages.length,
    'there is a request for each content and language',
  )
  seen.requests = requests
  seen.ids = requests.map((one) => one.requestId)
  return `${requests.length}: two files and a key-value content in ${languages.join(', ')}`
}

async function submit({ connector, at }) {
  const { providers } = await connector.call('GET', '/providers')
  const pseudo = providers.find((one) => one.typeId === 'pseudo')
  const sent = await connector.call('PUT', `${at}/submit`, { providerId: pseudo.providerId })
  must(sent.globalTrackingId, 'a submitted job has a globalTrackingId')
  return `to ${pseudo.name}, the job is ${sent.statusCode}`
}

async function waitForReview({ connector, at, ids }, progress) {
  await until('all requests are in review', async () => {
    const { aggregateRequests } = await connector.call('GET', `${at}?aggregateRequests=true`)
    must(aggregateRequests.withErrors === 0, 'no request has an error')
    const done = aggregateRequests.byStatusCode.REVIEW_TRANSLATION ?? 0
    progress(done, ids.length)
    return done === ids.length
  })
  return `${ids.length} of ${ids.length} requests are in REVIEW_TRANSLATION`
}

async function waitForListener({ listener, ids }, progress) {
  await until('the listener has heard of every request', () => {
    const told = listener.calls().filter((one) => one.statusCode === 'REVIEW_TRANSLATION')
    const named = new Set(told.flatMap((one) => one.requestIds))
    progress(named.size, ids.length)
    return ids.every((id) => named.has(id))
  })
  mustBeSigned(listener)
  return `${listener.calls().length} calls so far, every signature right, every request named`
}

async function downloadAll(seen, progress) {
  seen.translations = []
  for (const request of seen.requests) {
    const [source, text] = await translationOf(seen, request)
    must(text !== source, `${request.requestName} is translated`)
    must(sameCodes(source, text), `${request.requestName} keeps its tags and placeholders`)
    seen.translations.push({ ...request, text })
    progress(seen.translations.length, seen.requests.length)
  }
  return `${seen.translations.length} translations, all with the tags and placeholders of their source`
}

async function translationOf({ connector, at }, { requestId, fileName }) {
  const path = `${at}/requests/${requestId}`
  if (fileName)
    return [
      fileName === 'page.html' ? page : messages,
      await connector.download(`${path}/retrievefile`),
    ]
  const { translationContent } = await connector.call('GET', `${path}/retrieve`)
  const text = (fields) => fields.map((one) => `${one.key}: ${one.value}`).join('\n')
  return [text(menu), text(translationContent[0].targetContent)]
}

async function approveAndComplete({ connector, at, ids }) {
  const { requests } = await connector.call('PUT', `${at}/requests/approve`, { requestIds: ids })
  const isApproved = (one) => one.statusCode === 'TRANSLATION_APPROVED'
  must(
    requests.length === ids.length && requests.every(isApproved),
    'every request is TRANSLATION_APPROVED',
  )
  const completed = await connector.call('PUT', `${at}/complete`)
  must(completed.statusCode === 'COMPLETED', 'the job is COMPLETED')
  return `${requests.length} requests are TRANSLATION_APPROVED, the job is ${completed.statusCode}`
}

async function archive(seen) {
  await seen.connector.call('PUT', `${seen.at}/archive`)
  await until('the job is archived', async () => {
    seen.job = await seen.connector.call('GET', seen.at)
    return seen.job.archiveStatus === 'ARCHIVED'
  })
  await until('the listener has heard of the archive', () =>
    seen.listener.calls().some((one) => one.archived),
  )
  mustBeSigned(seen.listener)
  seen.ledger = (
    await seen.connector.call('GET', '/statusupdates?since=0&acknowledged=all')
  ).statusupdates
  const { statusupdates } = await seen.connector.call('GET', '/statusupdates')
  must(statusupdates.length === 0, 'what the listener heard of is acknowledged')
  return `the job is ${seen.job.archiveStatus}, and the listener was told`
}

const mustBeSigned = ({ refused }) =>
  must(refused.length === 0, `every call is signed rightly; there was ${refused[0]}`)

function must(isSo, what) {
  if (!isSo) throw new Error(`it should be that ${what}.`)
}

const waitsFor = 60_000

async function until(what, ask) {
  const late = performance.now() + waitsFor
  while (!(await ask())) {
    if (performance.now() > late)
      throw new Error(`waited ${waitsFor / 1000} s in vain until ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

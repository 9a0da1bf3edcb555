/**
 * A whole round with a client in JavaScript: `client` makes the calls in its own way, `upload`
 * brings the bytes of a file to its transfer object. Prints what it saw;
 * scripts/clients-campaign.mjs reads it.
 */
import { randomBytes } from 'node:crypto'

export const text = `<p>Hello</p>\n${Array.from({ length: 20_000 }, () => `<!-- ${randomBytes(12).toString('hex')} -->`).join('\n')}\n`

export async function round(url, client, upload = sendForm) {
  // A proxy that knows the document alone stands in front of the hub.
  const sandbox = process.env.SANDBOX_URL ?? url
  const say = (...words) => console.log(words.join(' '))
  const { providers } = await client.listProviders()
  const pseudo = providers.find(({ name }) => name === 'Pseudo')
  const job = await client.createJob({ jobName: 'Round', labels: ['web'] })
  say('created', job.statusCode)
  const { jobId } = job
  const transfer = await client.createSourceFile(jobId, 'page.html')
  await upload(transfer, Buffer.from(text))
  const languages = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCodes: ['de-DE'] }
  const { requests } = await client.addRequests(jobId, {
    requests: [
      { requestName: 'Page', sourceNativeId: 'page', fmsFileId: transfer.fmsFileId, ...languages },
      {
        requestName: 'Menu',
        sourceNativeId: 'menu',
        fields: [{ key: 'home', value: 'Home' }],
        ...languages,
      },
    ],
  })
  say('added', requests.length)
  await client.submitJob(jobId, { providerId: pseudo.id })
  const headers = { 'content-type': 'application/json' }
  const seen = []
  // As a connector polls: one look is enough, unless the hub sends the job on to another.
  while (seen.length < requests.length) {
    await fetch(`${sandbox}/sandbox/clock/advance`, {
      method: 'POST',
      headers,
      body: '{"by":"1s"}',
    })
    const { statusupdates } = await client.listStatusUpdates()
    seen.splice(
      0,
      seen.length,
      ...statusupdates.flatMap((update) => update.requestIds.map(() => update)),
    )
  }
  const statusupdates = seen
  say(
    'updates',
    `['${[...new Set(statusupdates.map(({ statusCode }) => statusCode))].sort().join("', '")}']`,
  )
  const idOf = (name) => requests.find(({ requestName }) => requestName === name).requestId
  const [content] = (await client.retrieveContent(jobId, idOf('Menu'))).translationContent
  const [{ key, value }] = content.targetContent
  say('translated', key, value !== 'Home' ? 'True' : 'False')
  const source = await client.findSourceFile(jobId, transfer.fmsFileId)
  if (source !== text)
    throw new Error(`the source came back with ${source.length} characters of ${text.length}`)
  const page = await client.retrieveFile(jobId, idOf('Page'))
  if (page.length < text.length || page.includes('Hello'))
    throw new Error(`no translation: ${page.slice(0, 100)}`)
  await client.approveRequests(jobId, { requestIds: requests.map(({ requestId }) => requestId) })
  say('completed', (await client.completeJob(jobId)).statusCode)
  const refused = await client.findJob('nosuchjob1').catch((error) => error)
  say('refused', refused.status, refused.code)
}

async function sendForm(transfer, bytes) {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'page.html')
  const answer = await fetch(transfer.fmsPostMultipartUrl, { method: 'POST', body: form })
  if (answer.status !== 201) throw new Error(`the form was refused: ${answer.status}`)
}

export async function tokenOf(url) {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-connector',
  })
  form.set('client_secret', 'demo-connector-secret')
  return (await (await fetch(`${url}/connect/token`, { method: 'POST', body: form })).json())
    .access_token
}

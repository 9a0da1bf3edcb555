/**
 * A connector as it must not be, for the test of certification: it asks for a token before every
 * call, tries again at once, reads first pages only, acknowledges before it fetches, and sends
 * names, codes and calls that are not allowed.
 */
const { HUB_URL: url, HUB_CLIENT_ID: id, HUB_CLIENT_SECRET: secret } = process.env

async function call(method, path, body) {
  for (let tries = 0; tries < 30; tries += 1) {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    const token = await (await fetch(`${url}/connect/token`, { method: 'POST', body: form })).json()
    const answer = await fetch(`${url}/v2${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (answer && answer.status < 429) return answer.status === 307 ? {} : answer.json()
  }
  process.exit(1)
}

const { providers } = await call('GET', '/providers')
const pseudo = providers.find(({ name }) => name === 'Pseudo') ?? providers[0]
const long = await call('POST', '/jobs', { jobName: 'ü'.repeat(200) })
const { jobId } = long.jobId
  ? long
  : await call('POST', '/jobs', { jobName: 'short', connectorName: 'careless' })
await call('PUT', `/jobs/${jobId}`, { description: 'x' })
const request = {
  requestName: 'r',
  sourceNativeId: 's',
  sourceNativeLanguageCode: 'en-us',
  fields: [{ key: 'a', value: 'Good morning to all of you' }],
}
const add = (targetNativeLanguageCodes) =>
  call('POST', `/jobs/${jobId}/requests/add`, { ...request, targetNativeLanguageCodes })
await add(['deutsch'])
await add(['de-de', 'fr-fr'])
await call('PUT', `/jobs/${jobId}/submit`, { providerId: pseudo.id })
for (let tries = 0; tries < 200; tries += 1) {
  const { statusupdates } = await call('GET', '/statusupdates')
  const mine = statusupdates.filter((update) => update.jobId === jobId)
  for (const { updateId } of mine) await call('PUT', `/statusupdates/${updateId}/acknowledge`)
  for (const { requestIds } of mine)
    for (const requestId of requestIds)
      await call('GET', `/jobs/${jobId}/requests/${requestId}/retrievefile`)
  if (mine.length > 0) break
  await new Promise((next) => setTimeout(next, 50))
}
await call('DELETE', `/jobs/${jobId}`)

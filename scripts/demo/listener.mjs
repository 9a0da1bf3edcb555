/**
 * The listener of the demo: a plain HTTP server that verifies each call's signature (Standard
 * Webhooks: HMAC-SHA256 over id, timestamp and body) before it reads the body.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const mostSecondsOff = 300

export async function openListener() {
  /** Path to secret, from the response that created the listener. */
  const secrets = new Map()
  const seen = new Map()
  const refused = []

  const server = createServer(async (call, answer) => {
    const pieces = []
    for await (const piece of call) pieces.push(piece)
    const body = Buffer.concat(pieces).toString('utf8')
    const fault = faultOf(call.headers, body, secrets.get(call.url))
    if (fault) refused.push(fault)
    // A call may arrive twice, with the same id.
    else seen.set(call.headers['webhook-id'], JSON.parse(body))
    answer.writeHead(fault ? 401 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    secrets,
    refused,
    calls: () => [...seen.values()],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function faultOf(headers, body, secret) {
  const [id, time, given = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  if (!id || !time || !secret) return 'a call without id, time or a secret that is known'
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < mostSecondsOff))
    return 'a call of another time'
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const right = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
  const isRight = given.split(' ').some((one) => {
    const [version, text = ''] = one.split(',')
    const bytes = Buffer.from(text, 'base64')
    return version === 'v1' && bytes.length === right.length && timingSafeEqual(bytes, right)
  })
  return isRight ? undefined : 'a call with a wrong signature'
}

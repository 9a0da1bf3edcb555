/**
 * `fetch` of JSON from an address that the operator names, such as the keys of a token issuer. The
 * answer is bounded in bytes, levels and values before anybody parses it.
 */
import { isObject, parseAnswer } from '../process/parse.ts'

const mostBytes = 1024 ** 2

export async function fetchJson(
  url: string,
  init: Pick<RequestInit, 'headers' | 'method' | 'redirect' | 'signal'>,
): Promise<Response> {
  const answer = await fetch(url, init)
  if (answer.status !== 200 || !answer.body) {
    await answer.body?.cancel()
    return new Response(null, { status: answer.status })
  }
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = answer.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > mostBytes) {
      await reader.cancel()
      throw new Error(`${url} answered with more than ${mostBytes} bytes.`)
    }
    pieces.push(value)
  }
  const text = Buffer.concat(pieces).toString()
  if (!isObject(parseAnswer(text))) throw new Error(`${url} did not answer with an object of JSON.`)
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

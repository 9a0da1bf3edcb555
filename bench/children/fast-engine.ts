/**
 * A translation engine with the interface of LibreTranslate that answers at once: one sentence in
 * German, with the number of the source.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../child.ts'
import type { Kept } from './receiver.ts'

let kept: Kept[] | undefined

const german = (text: string): string =>
  `Der schnelle braune Fuchs springt über den faulen Hund, Nummer ${/\d+/.exec(text)?.[0]}.`

const server = createServer((incoming, outgoing) => {
  const send = (body: unknown) =>
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (incoming.method === 'GET') {
    send([{ code: 'en', name: 'English', targets: ['de'] }])
    return
  }
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    kept?.push({ headers: { 'content-type': 'application/json' }, body })
    send({ translatedText: (JSON.parse(body) as { q: string[] }).q.map(german) })
  })
})
server.keepAliveTimeout = 72_000

const verbs = {
  /** Returns the port. */
  open: (): Promise<number> =>
    new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    ),
  /** Keeps every call from now on until `kept`. */
  keep: (): void => {
    kept = []
  },
  kept: (): readonly Kept[] => {
    const all = kept ?? []
    kept = undefined
    return all
  },
}
export type FastEngineVerbs = typeof verbs
answer(verbs)

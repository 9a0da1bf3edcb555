/** The receiving end of listeners: answers 200 and records every call in order of arrival. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { readonly webhookId: string; readonly path: string; readonly body: string }
export type Receiver = {
  readonly url: string
  /** The calls of one job. */
  of(jobId: string): Received[]
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const calls: Received[] = []
  const server = createServer(async (call, answer) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of call) pieces.push(piece)
    } catch {
      // The hub died while sending: this does not count.
      return
    }
    calls.push({
      webhookId: String(call.headers['webhook-id']),
      path: String(call.url),
      body: Buffer.concat(pieces).toString(),
    })
    answer.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (jobId) =>
      calls.filter(({ body }) => (JSON.parse(body) as { jobId?: string }).jobId === jobId),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

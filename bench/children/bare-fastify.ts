/** The anchor of one read: Fastify alone, one route with a parameter, sending prepared bytes. */
import { fastify } from 'fastify'
import { answer } from '../child.ts'

const verbs = {
  /** Returns the port. */
  open: async ({
    headers,
    body,
  }: {
    headers: Record<string, string>
    body: Buffer
  }): Promise<number> => {
    const bytes = Buffer.from(body)
    const app = fastify()
    app.get('/v2/jobs/:jobId', (_request, reply) => reply.headers(headers).send(bytes))
    return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  },
}
export type BareFastifyVerbs = typeof verbs
answer(verbs)

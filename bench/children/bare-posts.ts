/**
 * The anchor of deliveries: undici alone, posting the same bodies with the same headers and
 * concurrency.
 */
import { Agent, request } from 'undici'
import { answer } from '../child.ts'
import type { Kept } from './receiver.ts'

let posts: readonly Kept[] = []

const verbs = {
  open: (given: readonly Kept[]): void => {
    posts = given
  },
  /** Posts per second. */
  post: async ({ url, concurrency }: { url: string; concurrency: number }): Promise<number> => {
    const agent = new Agent({ connections: concurrency, pipelining: 1 })
    const begun = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let post = posts[next++]; post; post = posts[next++]) {
          const answered = await request(url, { method: 'POST', dispatcher: agent, ...post })
          await answered.body.dump()
          if (answered.statusCode >= 300) throw new Error(`${url} answered ${answered.statusCode}`)
        }
      }),
    )
    const seconds = (performance.now() - begun) / 1_000
    await agent.close()
    return posts.length / seconds
  },
}
export type BarePostsVerbs = typeof verbs
answer(verbs)

/**
 * One POST and what came back. Time, from the lookup to the last byte, and bytes of the answer are bounded: what is late
 * or too long is cut off with its connection. Built on the client's dispatcher, which needs neither a stream nor a signal
 * for each call: a busy listener is called thousands of times a second.
 */

/** As much of the client's dispatcher as is used here. */
export type Dispatcher = {
  dispatch(
    options: Pick<Exchange, 'origin' | 'path' | 'body' | 'headers'> & {
      readonly method: 'POST'
      readonly headersTimeout: number
      readonly bodyTimeout: number
    },
    handler: {
      onRequestStart(controller: Controller): void
      onResponseStart(controller: Controller, status: number, headers: Headers): void
      onResponseData(controller: Controller, chunk: Buffer): void
      onResponseEnd(): void
      onResponseError(controller: Controller, error: Error): void
    },
  ): unknown
}
type Controller = { abort(reason: Error): void }
type Headers = Readonly<Record<string, string | string[] | undefined>>

export type Exchange = {
  readonly origin: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: string
  readonly timeoutMs: number
  /** As much of the answer is read. */
  readonly maxBytes: number
}

export type Exchanged =
  | {
      readonly answered: true
      readonly status: number
      /** As it came, still packed if it was. */
      readonly body: Buffer
      /** False where the answer was longer than was read, or broke off. */
      readonly whole: boolean
      readonly headers: { readonly retryAfter?: string; readonly date?: string }
    }
  | { readonly answered: false; readonly late: boolean; readonly error?: unknown }

type AnswerHeaders = Extract<Exchanged, { answered: true }>['headers']

export function exchange(dispatcher: Dispatcher, call: Exchange): Promise<Exchanged> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let headers: AnswerHeaders = {}
    let isOver = false
    let controller: Controller | undefined

    /** The first end counts; an answer that has begun is one, however it ends. */
    const end = (how: { whole?: boolean; late?: boolean; error?: unknown }): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const { whole = false, late = false, error } = how
      if (status === undefined) resolve({ answered: false, late, error })
      else resolve({ answered: true, status, body: Buffer.concat(chunks), whole, headers })
    }
    const cutOff = (late: boolean): void => {
      end({ late })
      controller?.abort(cut)
    }
    const timer = setTimeout(cutOff, call.timeoutMs, true)

    dispatcher.dispatch(
      {
        origin: call.origin,
        path: call.path,
        method: 'POST',
        headers: call.headers,
        body: call.body,
        // The timer above is for all of it.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        // One that was given up while it waited for a connection is not sent any more.
        onRequestStart: (given) => {
          controller = given
          if (isOver) given.abort(cut)
        },
        onResponseStart: (_, code, { 'retry-after': retryAfter, date }) => {
          if (code < 200) return
          status = code
          if (typeof retryAfter === 'string') headers = { retryAfter }
          if (typeof date === 'string') headers = { ...headers, date }
        },
        onResponseData: (_, chunk) => {
          if (isOver) return
          chunks.push(size + chunk.length > call.maxBytes ? chunk.subarray(0, call.maxBytes - size) : chunk)
          size += chunk.length
          if (size > call.maxBytes) cutOff(false)
        },
        onResponseEnd: () => end({ whole: true }),
        onResponseError: (_, error) => end({ error }),
      },
    )
  })
}

const cut = new Error('The rest is not waited for.')

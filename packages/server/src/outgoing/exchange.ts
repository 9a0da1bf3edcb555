/**
 * Makes one call and reads the response. The total time and the response size are limited; beyond
 * either limit the connection is closed. Uses the client's dispatcher directly, without a stream or
 * an abort signal per call, because a busy listener is called thousands of times a second.
 */

/** The part of the client's dispatcher that is used here. */
export type Dispatcher = {
  dispatch(
    options: Pick<Exchange, 'origin' | 'path' | 'body' | 'headers'> & {
      readonly method: 'POST' | 'GET' | 'DELETE'
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
  readonly method?: 'POST' | 'GET' | 'DELETE'
  /** Names and values alternate. */
  readonly headers: string[]
  /** None in a GET. */
  readonly body: string | null
  readonly timeoutMs: number
  /** The response is read up to this size. */
  readonly maxBytes: number
}

export type Exchanged =
  | {
      readonly answered: true
      readonly status: number
      /** The bytes as received, without decompression. */
      readonly body: Buffer
      /** False if the response was cut off or broke off. */
      readonly whole: boolean
      readonly headers: {
        readonly retryAfter?: string
        readonly date?: string
        readonly 'x-metered-usage'?: string
      }
    }
  /** `sent`: a connection was there, so the other side may have got the call. */
  | {
      readonly answered: false
      readonly late: boolean
      readonly sent: boolean
      readonly error?: unknown
    }

type AnswerHeaders = Extract<Exchanged, { answered: true }>['headers']

export function exchange(dispatcher: Dispatcher, call: Exchange): Promise<Exchanged> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let headers: AnswerHeaders = {}
    let isOver = false
    let controller: Controller | undefined

    /**
     * Only the first end counts. A response that has started counts as an answer, however it ends.
     */
    const end = (how: { whole?: boolean; late?: boolean; error?: unknown }): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const { whole = false, late = false, error } = how
      if (status === undefined)
        resolve({ answered: false, late, sent: controller !== undefined, error })
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
        method: call.method ?? 'POST',
        headers: call.headers,
        body: call.body,
        // The timer above covers the whole call.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        // A call that timed out while waiting for a connection is not sent.
        onRequestStart: (given) => {
          controller = given
          if (isOver) given.abort(cut)
        },
        onResponseStart: (
          _,
          code,
          { 'retry-after': retryAfter, date, 'x-metered-usage': metered },
        ) => {
          if (code < 200) return
          status = code
          if (typeof retryAfter === 'string') headers = { retryAfter }
          if (typeof date === 'string') headers = { ...headers, date }
          if (typeof metered === 'string') headers = { ...headers, 'x-metered-usage': metered }
        },
        onResponseData: (_, chunk) => {
          if (isOver) return
          chunks.push(
            size + chunk.length > call.maxBytes ? chunk.subarray(0, call.maxBytes - size) : chunk,
          )
          size += chunk.length
          if (size > call.maxBytes) cutOff(false)
        },
        onResponseEnd: () => end({ whole: true }),
        onResponseError: (_, error) => end({ error }),
      },
    )
  })
}

const cut = new Error('The rest of the response is ignored.')

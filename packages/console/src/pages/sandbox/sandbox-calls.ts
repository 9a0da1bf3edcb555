/**
 * The calls of the sandbox, which are not in the endpoint table. Each response that contains the
 * time sets the clock.
 */
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { learnTime } from '../../clock.ts'
import { callPath, type HubFailure } from '../../hub.ts'
import { prefix } from '../../page-facts.ts'

export type Due = {
  readonly time: string
  readonly kind: 'task' | 'delivery' | 'dueDate' | 'archival' | 'secret' | 'token'
  readonly name?: string
  readonly jobId?: string
  readonly jobName?: string
  readonly deliveryId?: string
  readonly sequence?: number
  readonly tries?: number
  readonly clientId?: string
  readonly ending?: 'done' | 'retried' | 'parked' | 'lost'
}
export type Advance = {
  readonly from: string
  readonly to: string
  readonly ran: number
  readonly upkeep: number
  readonly happened: readonly Due[]
  readonly more: number
}
export type DueAnswer = {
  readonly now: string
  readonly offsetMs: number
  readonly due: readonly Due[]
  readonly hasMore: boolean
  readonly lastAdvance?: Advance
}
export type Scenario = {
  readonly name: string
  readonly says: string
  readonly goodConnector: string
  readonly on: 'call' | 'work' | 'delivery'
  readonly times: number
  readonly seconds?: number
  readonly by?: string
}
export type Fault = {
  readonly id: string
  readonly scenario: string
  readonly times: number
  readonly left: number
  readonly acted: number
  readonly every?: number
  readonly client?: string
  readonly jobId?: string
  readonly provider?: string
  readonly label?: string
  readonly seconds?: number
  readonly by?: string
}
export type FaultsAnswer = {
  readonly scenarios: readonly Scenario[]
  readonly active: readonly Fault[]
  readonly spent: readonly Fault[]
}
export type RecordedCall = {
  readonly number: number
  readonly id: string
  readonly time: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly client?: string
  readonly code?: string
  readonly fault?: { readonly scenario: string }
}
export type Verdict = {
  readonly name: string
  readonly says: string
  readonly result: 'kept' | 'broken' | 'not seen' | 'asked'
  readonly because: string
  readonly evidence: readonly {
    readonly id: string
    readonly call: string
    readonly status: number
  }[]
}
export type Report = {
  readonly passed: boolean
  readonly calls: number
  readonly client: string
  readonly time: string
  readonly obligations: readonly Verdict[]
  readonly scenarios: readonly Verdict[]
}

const learn = (answer: unknown): void => {
  const { now } = (answer ?? {}) as { now?: string }
  if (now !== undefined) learnTime(now)
}

export function useSandbox<T>(path: string, pollMs: number | false): UseQueryResult<T, HubFailure> {
  return useQuery<T, HubFailure>({
    queryKey: ['sandbox', path],
    queryFn: async () => {
      const answer = await callPath<T>('GET', path)
      learn(answer)
      return answer
    },
    refetchInterval: pollMs,
  })
}

export type Control<T> = UseMutationResult<T, HubFailure, object | undefined>

/**
 * An action on the sandbox. Afterwards everything is read again, because time has moved or rows
 * were added.
 */
export function useControl<T>(method: 'POST' | 'DELETE', path: string): Control<T> {
  const client = useQueryClient()
  return useMutation<T, HubFailure, object | undefined>({
    mutationFn: async (body) => {
      const answer = await callPath<T>(method, path, body)
      learn(answer)
      return answer
    },
    onSuccess: () => client.invalidateQueries(),
  })
}

/** The same as a shell command. */
export const curlOf = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): string =>
  [
    'curl',
    ...(method === 'DELETE' || (method === 'POST' && !body) ? [`-X ${method}`] : []),
    `${location.origin}${prefix}${path}`,
    ...(body ? [`--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`] : []),
  ].join(' ')

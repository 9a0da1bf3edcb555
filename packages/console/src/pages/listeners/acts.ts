/** What a person can do with a listener of a connector or a provider. */
import type { CallName } from '../../hub.ts'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useAct } from '../../queries.ts'

export const lists: readonly CallName[] = [
  'listListeners',
  'listProviderListeners',
  'listListenerStatistics',
  'listSiteDeliveries',
  'listDeliveryCauses',
]
type Change = { readonly disabled?: boolean; readonly secret?: string }

export function useChange({ side, listenerId }: SeenListener) {
  const connector = useAct('changeListener', lists)
  const provider = useAct('changeProviderListener', lists)
  const { isPending, error, data } = side === 'connector' ? connector : provider
  const mutate = (body: Change, then: { readonly onSuccess?: () => void } = {}) =>
    (side === 'connector' ? connector : provider).mutate({ params: { listenerId }, body }, then)
  return { isPending, error, data, mutate }
}

export function useTest({ side, listenerId }: SeenListener) {
  const connector = useAct('testListener')
  const provider = useAct('testProviderListener')
  const { isPending, error, data } = side === 'connector' ? connector : provider
  const mutate = () =>
    (side === 'connector' ? connector : provider).mutate({ params: { listenerId } })
  return { isPending, error, data, mutate }
}

/** The listeners of the site, of connectors and of providers, in one shape. */
import type { Listener, ProviderListener } from '@dragoman/contract/wire'
import { useEffect } from 'react'
import { type Pages, usePages } from '../queries.ts'
import { hostOf } from './deliveries/delivery-words.ts'

type Common = {
  readonly listenerId: string
  readonly urls: readonly string[]
  readonly host: string
  readonly clientId: string | undefined
}
export type SeenListener = Common &
  (
    | { readonly side: 'connector'; readonly listener: Listener }
    | { readonly side: 'provider'; readonly listener: ProviderListener }
  )

const seen = (
  urls: readonly string[],
  { listenerId, clientId }: Listener | ProviderListener,
): Common => ({
  listenerId,
  urls,
  host: [...new Set(urls.map(hostOf))].join(', '),
  clientId,
})

/** Without the scheme: host and path. */
export const shortOf = (url: string): string => url.replace(/^https?:\/\//, '')

/**
 * Reads every page, because a site has few. People who may not see providers' listeners get the
 * others.
 */
export function useListeners(): Pages<SeenListener> {
  const connectors = usePages('listListeners')
  const providers = usePages('listProviderListeners')
  useRest(connectors)
  useRest(providers)
  return {
    items: [
      ...connectors.items.map((listener): SeenListener => {
        return { ...seen([listener.uri], listener), side: 'connector', listener }
      }),
      ...providers.items.map((listener): SeenListener => {
        const urls = [listener.jobUri, listener.assetTaskUri].filter((url) => url !== undefined)
        return { ...seen(urls, listener), side: 'provider', listener }
      }),
    ],
    isLoading: connectors.isLoading || providers.isLoading,
    isFetching: connectors.isLoading || providers.isLoading,
    hasMore: false,
    loadMore: () => {},
    failure: connectors.failure,
    reload: () => {
      connectors.reload()
      providers.reload()
    },
  }
}

function useRest({ hasMore, loadMore, isFetching }: Pages<unknown>): void {
  useEffect(() => {
    if (hasMore && !isFetching) loadMore()
  }, [hasMore, isFetching, loadMore])
}

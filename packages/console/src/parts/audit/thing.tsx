/**
 * What an act was done to, by its name where people gave it one, else by its id. The id stays in
 * the tooltip.
 */
import type { CallAnswer } from '../../hub.ts'
import { useCall, usePages } from '../../queries.ts'
import { Name } from '../name.tsx'
import { shortOf } from '../seen-listeners.ts'

export type Act = CallAnswer<'listAudit'>['audit'][number]

export function Thing({ act, withId = false }: { readonly act: Act; readonly withId?: boolean }) {
  const name = useNameOf(act)
  const id = <code>{act.thingId}</code>
  if (name === undefined) return id
  return (
    <bdi className={withId ? undefined : 'clip'} title={act.thingId}>
      <Name of={name} /> {withId && id}
    </bdi>
  )
}

/**
 * Each list is read only if an act on the page is about such a thing; those who may not read it see
 * ids.
 */
function useNameOf({ thing, thingId }: Act): string | undefined {
  const people = usePages('listPeople', {}, { enabled: thing === 'person' }).items
  const providers = usePages('listProviders', {}, { enabled: thing === 'provider' }).items
  const listeners = usePages('listListeners', {}, { enabled: thing === 'listener' }).items
  const priceLists = usePages('listPriceLists', {}, { enabled: thing === 'price list' }).items
  const isFound = thing === 'job' || thing === 'request'
  const found =
    useCall('findThings', { query: { q: thingId } }, { enabled: isFound, keepOld: false }).data
      ?.things ?? []
  switch (thing) {
    case 'person':
      return people.find(({ personId }) => personId === thingId)?.name
    case 'provider':
      return providers.find(({ id }) => id === thingId)?.name
    case 'listener': {
      const listener = listeners.find(({ listenerId }) => listenerId === thingId)
      return listener && shortOf(listener.uri)
    }
    case 'price list':
      return priceLists.find(({ priceListId }) => priceListId === thingId)?.name
    case 'job':
    case 'request':
      return found.find(({ kind, id }) => kind === thing && id === thingId)?.title
    default:
      return undefined
  }
}

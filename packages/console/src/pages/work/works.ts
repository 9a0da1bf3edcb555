/** The lists of the page, which of them is shown first, and what a person may do with a row. */
import { isLimited } from '@dragoman/contract/wire'
import { useMemo, useRef } from 'react'
import type { CallAnswer, CallInput } from '../../hub.ts'
import { type Pages, usePages } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useMay, useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'

export type Work = CallAnswer<'listWork'>['work'][number]
export type View = 'MINE' | 'OPEN' | 'REVIEW'
export type WorkInput = CallInput<'listWork'> & { readonly query: { readonly view: View } }

/** The calls to read again after something was claimed, released or judged. */
export const changes = ['listWork', 'countOpen', 'listWorkPeople'] as const

/** The workbench of a row, to translate or to review it. */
export const hrefOf = ({ providerId, jobId, requestId }: Work, view: View): string =>
  `/work/${providerId}/${jobId}/${requestId}${view === 'REVIEW' ? '?as=review' : ''}`

export const taskOf = ({ providerId, jobId, requestId }: Work) => ({
  providerId,
  jobId,
  assetTaskId: requestId,
})

type Works = {
  readonly view: View
  readonly shown: readonly { readonly name: View; readonly pages: Pages<Work> }[]
  readonly pages: Pages<Work>
  readonly input: WorkInput
}

/**
 * What the person has first: their own work, else what waits for their verdict, else what they
 * could claim.
 */
export function useWorks({ view: asked, provider, language }: Search): Works {
  const mayReview = useMay('reviewer', 'manager')
  const mayTranslate = useMay('translator', 'provider-manager', 'manager')
  const inputs = useMemo(() => {
    const inputOf = (view: View): WorkInput => ({
      query: { view, ...(provider && { providerId: provider }), ...(language && { language }) },
    })
    return { mine: inputOf('MINE'), open: inputOf('OPEN'), review: inputOf('REVIEW') }
  }, [provider, language])
  const mine = usePages('listWork', inputs.mine, { enabled: mayTranslate || !mayReview })
  const open = usePages('listWork', inputs.open, { enabled: mayTranslate || !mayReview })
  const review = usePages('listWork', inputs.review, { enabled: mayReview })
  useLive('listWork')
  const all = [
    { name: 'MINE', pages: mine, input: inputs.mine },
    { name: 'OPEN', pages: open, input: inputs.open },
    { name: 'REVIEW', pages: review, input: inputs.review },
  ] as const
  const shown = all.filter(({ name }) =>
    name === 'REVIEW' ? mayReview : mayTranslate || !mayReview,
  )
  // Chosen once: a list that becomes empty does not send the person elsewhere.
  const first = useRef<View>(undefined)
  const order = [all[0], all[2], all[1]].filter((one) => shown.includes(one))
  if (order.every(({ pages }) => !pages.isLoading))
    first.current ??= order.find(({ pages }) => pages.items.length > 0)?.name
  const wanted = asked?.toUpperCase() ?? first.current
  const chosen = shown.find(({ name }) => name === wanted) ?? shown[0] ?? all[0]
  return { view: chosen.name, shown, pages: chosen.pages, input: chosen.input }
}

/** Whether the person's roles show only the work of providers, and there are none. */
export function useLacksProviders(): boolean {
  const { siteId, sites } = useSession()
  const here = sites.find((site) => site.siteId === siteId)
  return (
    here !== undefined &&
    !here.providers?.length &&
    here.roles.every((role) => isLimited(role, undefined))
  )
}

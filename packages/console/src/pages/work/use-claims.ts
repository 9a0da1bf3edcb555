/**
 * Claims and releases a row, and says what happened: for a screen reader, and as an error on the
 * page.
 */
import { useCallback, useState } from 'react'
import type { HubFailure } from '../../hub.ts'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { changes, taskOf, type Work } from './works.ts'

type Claims = {
  readonly claim: (work: Work) => void
  readonly release: (work: Work) => void
  readonly said: string
  readonly failure: HubFailure | null
}

export function useClaims(): Claims {
  const t = useWords<keyof typeof en>('work')
  const [said, setSaid] = useState('')
  const claims = useAct('claimAssetTask', changes)
  const releases = useAct('releaseAssetTask', changes)
  const { mutate: doClaim, reset: forgetClaim } = claims
  const { mutate: doRelease, reset: forgetRelease } = releases
  const claim = useCallback(
    (work: Work) => {
      forgetRelease()
      doClaim(
        { params: taskOf(work) },
        { onSuccess: () => setSaid(t('claimed', { name: work.requestName })) },
      )
    },
    [doClaim, forgetRelease, t],
  )
  const release = useCallback(
    (work: Work) => {
      forgetClaim()
      doRelease(
        { params: taskOf(work) },
        { onSuccess: () => setSaid(t('released', { name: work.requestName })) },
      )
    },
    [doRelease, forgetClaim, t],
  )
  return { claim, release, said, failure: claims.error ?? releases.error }
}

/** Why a change was refused. */
import type { HubFailure } from '../../hub.ts'
import css from './me.module.css'

export function Fault({ failure }: { readonly failure: HubFailure | null }) {
  if (!failure) return null
  return (
    <p role="alert" className={css.failure}>
      <bdi>{failure.message}</bdi>
    </p>
  )
}

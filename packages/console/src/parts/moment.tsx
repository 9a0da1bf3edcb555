/** A time in the person's format; UTC is in its tooltip and in copies. */
import { useNow } from '../clock.ts'
import { useWriters } from '../times.ts'

type MomentProps = {
  readonly at: string
  readonly as?: 'full' | 'clock' | 'date' | 'relative' | 'dateYear' | 'shortClock'
}

export function Moment({ at, as = 'full' }: MomentProps) {
  return as === 'relative' ? <Relative at={at} /> : <Fixed at={at} as={as} />
}

function Fixed({ at, as }: { readonly at: string; readonly as: Exclude<MomentProps['as'], 'relative' | undefined> }) {
  const writers = useWriters()
  return (
    <time dateTime={at} title={at}>
      {writers[as](at)}
    </time>
  )
}

function Relative({ at }: { readonly at: string }) {
  const writers = useWriters()
  const now = useNow()
  return (
    <time dateTime={at} title={`${writers.full(at)}, ${at}`}>
      {writers.relative(at, now)}
    </time>
  )
}

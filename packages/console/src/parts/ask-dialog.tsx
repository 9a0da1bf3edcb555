/** Asks before a call: what will happen, and why the hub refused it. */
import type { ComponentProps } from 'react'
import type { CallAnswer, CallInput, CallName } from '../hub.ts'
import { useAct } from '../queries.ts'
import { Dialog } from './dialog.tsx'

type AskProps<N extends CallName> = Omit<
  ComponentProps<typeof Dialog>,
  'onAct' | 'busy' | 'failure'
> & {
  readonly call: N
  readonly input: CallInput<N>
  /** What to read again afterwards. */
  readonly changes: readonly CallName[]
  readonly onDone: (answer: CallAnswer<N>) => void
}

export function AskDialog<N extends CallName>({
  call,
  input,
  changes,
  onDone,
  ...dialog
}: AskProps<N>) {
  const act = useAct(call, changes)
  // What it asks about may leave its list, and the dialog with it, before the response arrives.
  const run = () => void act.mutateAsync(input).then(onDone, () => {})
  return <Dialog {...dialog} busy={act.isPending} failure={act.error} onAct={run} />
}

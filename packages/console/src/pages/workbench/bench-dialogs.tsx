/**
 * The dialogs of the workbench: all keys, go to, search and replace, and the reason for which a
 * finding is kept.
 */
import type { CheckFinding } from '@dragoman/contract/wire'
import type { Dialog } from './bench-acts.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import { FillDialog } from './fill-dialog.tsx'
import { GoTo } from './go-to.tsx'
import { KeepDialog } from './keep-dialog.tsx'
import type { Chords } from './keys/chords.ts'
import { KeysDialog } from './keys/keys-dialog.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'
import type { Task } from './task.ts'
import type { Shown } from './use-segments.ts'

type DialogsProps = {
  readonly task: Task
  readonly all: readonly Shown[]
  readonly current: Shown | undefined
  readonly drafts: Drafts
  readonly chords: Chords
  readonly onChords: () => void
  readonly dialog: Dialog
  readonly onClose: () => void
  readonly onGo: (position: number) => void
  readonly onFilled: (says: string) => void
  readonly keeping: CheckFinding | undefined
  /** With everything that is kept now, or without if nothing changes. */
  readonly onKept: (kept?: NonNullable<Shown['kept']>) => void
}

export function BenchDialogs(props: DialogsProps) {
  const { task, all, current, drafts, chords, onChords, dialog, onClose, onGo, onFilled } = props
  const { keeping, onKept } = props
  return (
    <>
      {dialog === 'keys' && <KeysDialog chords={chords} onChange={onChords} onClose={onClose} />}
      {dialog === 'goTo' && (
        <GoTo
          onClose={onClose}
          onGo={(position) => {
            onClose()
            onGo(position)
          }}
        />
      )}
      {dialog === 'fill' && (
        <FillDialog task={task} drafts={drafts} onClose={onClose} onFilled={onFilled} />
      )}
      {dialog === 'replace' && (
        <ReplaceDialog task={task} rows={all} drafts={drafts} onClose={onClose} />
      )}
      {keeping && current && (
        <KeepDialog
          finding={keeping}
          onClose={() => onKept()}
          onKeep={(reason) =>
            onKept([
              ...(current.kept ?? []).filter((one) => one.check !== keeping.check),
              { check: keeping.check, reason },
            ])
          }
        />
      )}
    </>
  )
}

/** A unit of the memory: a text and its translation. */
import type { MemoryUnit } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/memory.json'
import { useWords } from '../../words/words.ts'

export function UnitForm({
  unit,
  onClose,
}: {
  readonly unit?: MemoryUnit
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('memory')
  const [source, setSource] = useState(unit?.source ?? '')
  const [target, setTarget] = useState(unit?.target ?? '')
  const [from, setFrom] = useState(unit?.sourceNativeLanguageCode ?? '')
  const [to, setTo] = useState(unit?.targetNativeLanguageCode ?? '')
  const create = useAct('createMemoryUnit', ['listMemoryUnits'])
  const change = useAct('changeMemoryUnit', ['listMemoryUnits'])
  const act = unit ? change : create
  const done = { onSuccess: onClose }
  const send = () =>
    unit
      ? change.mutate(
          { params: { unitId: unit.unitId }, body: { version: unit.version, source, target } },
          done,
        )
      : create.mutate(
          {
            body: { source, target, sourceNativeLanguageCode: from, targetNativeLanguageCode: to },
          },
          done,
        )
  const isWhole = [source, target, from, to].every((text) => text.trim() !== '')
  return (
    <Dialog
      title={unit ? t('change') : t('new')}
      act={t('save')}
      busy={act.isPending}
      failure={act.error}
      refusal={isWhole ? undefined : t('incomplete')}
      onAct={send}
      onClose={onClose}
    >
      {!unit && (
        <>
          <TextField label={t('from')} mono autoFocus value={from} onChange={setFrom} />
          <TextField label={t('to')} mono value={to} onChange={setTo} />
        </>
      )}
      <TextField label={t('source')} rows={3} value={source} onChange={setSource} />
      <TextField label={t('target')} rows={3} value={target} onChange={setTarget} />
    </Dialog>
  )
}

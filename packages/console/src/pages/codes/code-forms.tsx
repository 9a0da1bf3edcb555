/** The dialogs of the page: a new code, a changed one, deletion, and a level. */
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, ChoiceField, faultsOf, TextField } from '../../parts/fields.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/codes.json'
import { useWords } from '../../words/words.ts'
import type { Code, Level } from './code.ts'

type Key = keyof typeof en
const levelNumbers = Array.from({ length: 10 }, (_, at) => at + 1)

export function CodeForm({
  levels,
  code: given,
  onClose,
}: {
  readonly levels: readonly Level[]
  readonly code?: Code
  readonly onClose: () => void
}) {
  const t = useWords<Key>('codes')
  const [code, setCode] = useState(given?.code ?? '')
  const [label, setLabel] = useState(given?.label ?? '')
  const [level, setLevel] = useState(String(given?.level ?? levels[0]?.level ?? 1))
  const [visible, setVisible] = useState(given?.visible ?? true)
  // With an id, the same call changes the code.
  const act = useAct('createAnalysisCode', ['listAnalysisCodes'])
  const faults = faultsOf(act.error)
  const labelOf = (number: number) => levels.find((one) => one.level === number)?.label
  const save = () =>
    act.mutate(
      {
        body: {
          ...(given && { id: given.id }),
          code: code.trim(),
          level: Number(level),
          visible,
          ...(label.trim() !== '' && { label: label.trim() }),
        },
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      title={given ? t('changeCode', { code: given.code }) : t('new')}
      act={t('save')}
      onAct={save}
      busy={act.isPending}
      failure={faults.size > 0 ? null : act.error}
      onClose={onClose}
    >
      <TextField
        label={t('code')}
        required
        mono
        value={code}
        onChange={setCode}
        fault={faults.get('code')}
        autoFocus
      />
      <TextField
        label={t('label')}
        help={t('labelHelp')}
        value={label}
        onChange={setLabel}
        fault={faults.get('label')}
      />
      <ChoiceField
        label={t('levelField')}
        value={level}
        onChange={setLevel}
        choices={levelNumbers.map((number) => ({
          value: String(number),
          title: labelOf(number)
            ? `${t('level', { level: number })} · ${labelOf(number)}`
            : t('level', { level: number }),
        }))}
        fault={faults.get('level')}
      />
      <CheckField
        label={t('visible')}
        help={t('visibleHelp')}
        checked={visible}
        onChange={setVisible}
      />
    </Dialog>
  )
}

/** Says in advance what will happen: a code in use is hidden, never removed. */
export function DeleteCode({
  code,
  jobs,
  onClose,
}: {
  readonly code: Code
  readonly jobs: number
  readonly onClose: () => void
}) {
  const t = useWords<Key>('codes')
  const act = useAct('deleteAnalysisCode', ['listAnalysisCodes', 'countCodeUse'])
  return (
    <Dialog
      title={t('deleteCode', { code: code.code })}
      kind="danger"
      act={t(jobs > 0 ? 'hide' : 'delete')}
      busy={act.isPending}
      failure={act.error}
      onAct={() => act.mutate({ params: { id: code.id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{jobs > 0 ? t('deleteUsed', { count: jobs }) : t('deleteUnused')}</p>
    </Dialog>
  )
}

export function LevelForm({
  level,
  onClose,
}: {
  readonly level: Level
  readonly onClose: () => void
}) {
  const t = useWords<Key>('codes')
  const [label, setLabel] = useState(level.label)
  const [visible, setVisible] = useState(level.visible)
  const act = useAct('changeAnalysisLevel', ['listAnalysisCodes'])
  const faults = faultsOf(act.error)
  return (
    <Dialog
      title={t('levelTitle', { level: level.level })}
      act={t('save')}
      busy={act.isPending}
      failure={faults.size > 0 ? null : act.error}
      onAct={() =>
        act.mutate(
          {
            params: { level: String(level.level) },
            body: { visible, ...(label.trim() !== '' && { label: label.trim() }) },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextField
        label={t('label')}
        value={label}
        onChange={setLabel}
        fault={faults.get('label')}
        autoFocus
      />
      <CheckField
        label={t('visible')}
        help={t('levelVisibleHelp')}
        checked={visible}
        onChange={setVisible}
      />
    </Dialog>
  )
}

/** The dialogs of the page: a new code, a changed one, deletion, and a level. */
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
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
  // With an id, the same call changes the code.
  const act = useAct('createAnalysisCode', ['listAnalysisCodes'])
  const form = useForm(
    'createAnalysisCode',
    () => ({
      ...(given && { id: given.id }),
      code: given?.code ?? '',
      label: given?.label ?? '',
      level: String(given?.level ?? levels[0]?.level ?? 1),
      visible: given?.visible ?? true,
    }),
    [act],
  )
  const labelOf = (number: number) => levels.find((one) => one.level === number)?.label
  return (
    <Dialog
      title={given ? t('changeCode', { code: given.code }) : t('new')}
      act={t('save')}
      {...form.dialog}
      onAct={() => act.mutate({ body: form.body() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField label={t('code')} mono autoFocus {...form.text('code')} />
      <TextField label={t('label')} help={t('labelHelp')} {...form.text('label')} />
      <ChoiceField
        label={t('levelField')}
        choices={levelNumbers.map((number) => ({
          value: String(number),
          title: labelOf(number)
            ? `${t('level', { level: number })} · ${labelOf(number)}`
            : t('level', { level: number }),
        }))}
        {...form.plain('level')}
      />
      <CheckField label={t('visible')} help={t('visibleHelp')} {...form.flag('visible')} />
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
  return (
    <AskDialog
      title={t('deleteCode', { code: code.code })}
      kind="danger"
      act={t(jobs > 0 ? 'hide' : 'delete')}
      call="deleteAnalysisCode"
      input={{ params: { id: code.id } }}
      changes={['listAnalysisCodes', 'countCodeUse']}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{jobs > 0 ? t('deleteUsed', { count: jobs }) : t('deleteUnused')}</p>
    </AskDialog>
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
  const act = useAct('changeAnalysisLevel', ['listAnalysisCodes'])
  const { label, visible } = level
  const form = useForm('changeAnalysisLevel', () => ({ label, visible }), [act])
  return (
    <Dialog
      title={t('levelTitle', { level: level.level })}
      act={t('save')}
      {...form.dialog}
      onAct={() =>
        act.mutate(
          { params: { level: String(level.level) }, body: form.body() },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextField label={t('label')} autoFocus {...form.text('label')} />
      <CheckField label={t('visible')} help={t('levelVisibleHelp')} {...form.flag('visible')} />
    </Dialog>
  )
}

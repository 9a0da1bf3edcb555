/** What a person says with a plan, a cancellation or a copy. */
import type { Job, JobCopy, JobPlan } from '@dragoman/contract/wire'
import { TextField } from '../../../parts/fields.tsx'
import { useWords } from '../../../words/words.ts'
import type { Key } from '../sentence.tsx'

export type Said = {
  readonly due: string
  readonly description: string
  readonly note: string
  readonly name: string
  readonly languages: string
}

export const saidOf = ({ dueDate, description, jobName }: Job): Said => ({
  due: dueDate?.slice(0, 10) ?? '',
  description: description ?? '',
  note: '',
  name: jobName,
  languages: '',
})

/** Only what has changed. */
export const planOf = (job: Job, said: Said): JobPlan => {
  const before = saidOf(job)
  return {
    ...(said.due !== '' && said.due !== before.due && { dueDate: said.due }),
    ...(said.description !== before.description && { description: said.description }),
  }
}

export function copyOf({ name, languages }: Said): JobCopy {
  const codes = languages
    .split(/[,\s]+/)
    .map((code) => code.trim())
    .filter(Boolean)
  return { jobName: name, ...(codes.length > 0 && { targetNativeLanguageCodes: codes }) }
}

export function ActFields({
  act,
  said,
  onSay,
}: {
  readonly act: 'plan' | 'copy' | 'cancel'
  readonly said: Said
  readonly onSay: (said: Said) => void
}) {
  const t = useWords<Key>('job')
  const say = (name: keyof Said) => (value: string) => onSay({ ...said, [name]: value })
  if (act === 'cancel')
    return <TextField label={t('cancelNote')} rows={3} value={said.note} onChange={say('note')} />
  if (act === 'copy')
    return (
      <>
        <TextField label={t('copyName')} value={said.name} onChange={say('name')} />
        <TextField label={t('copyLanguages')} value={said.languages} onChange={say('languages')} />
      </>
    )
  return (
    <>
      <TextField label={t('planDue')} kind="date" value={said.due} onChange={say('due')} />
      <TextField
        label={t('planDescription')}
        rows={3}
        value={said.description}
        onChange={say('description')}
      />
    </>
  )
}

/** Hands marked work over, takes it back, or shares one text between people by positions. */
import { type ReactNode, useState } from 'react'
import { type CallAnswer, call } from '../../hub.ts'
import { isSameLanguage } from '../../language-keys.ts'
import { ManyDialog, Names, type Step } from '../../parts/list/many-dialog.tsx'
import { useCall } from '../../queries.ts'
import { useWords } from '../../words/words.ts'
import css from './team.module.css'
import { changes, type Key, type Row, useSelf } from './use-team.ts'

type Person = CallAnswer<'listWorkPeople'>['people'][number]
export type DialogProps = {
  readonly providerId: string
  readonly rows: readonly Row[]
  readonly onClose: (isDone: boolean) => void
}

/** Who may translate all of it, those with the least to do first. */
function usePeople(providerId: string, rows: readonly Row[]): readonly Person[] {
  const { data } = useCall('listWorkPeople', { query: { providerId } })
  const fits = ({ languages }: Person) =>
    !languages?.length ||
    rows.every((row) =>
      languages.some((code) => isSameLanguage(code, row.targetNativeLanguageCode)),
    )
  return (data?.people ?? [])
    .filter(fits)
    .toSorted((one, other) => one.words - other.words || one.tasks - other.tasks)
}

const stepOf = (rows: readonly Row[], run: Step['run']): Step => ({
  id: rows[0]?.assetTaskId ?? '',
  names: rows.map(({ requestName }) => requestName),
  run,
})

type AskProps = Pick<DialogProps, 'onClose'> & {
  readonly title: string
  readonly act: string
  readonly steps: readonly Step[]
  readonly refusal?: string | undefined
  readonly children: ReactNode
}
function Ask(props: AskProps) {
  const t = useWords<Key>('team')
  return <ManyDialog {...props} changes={changes} says={(done, all) => t('done', { done, all })} />
}

const named = (rows: readonly Row[]) => (
  <Names
    rows={rows.map(({ assetTaskId, requestName, jobName }) => ({
      ...{ id: assetTaskId, name: requestName, of: jobName },
    }))}
  />
)

const give = (providerId: string, rows: readonly Row[], personId: string) =>
  stepOf(rows, () =>
    call('handOverTasks', {
      params: { providerId },
      body: { personId, assetTaskIds: rows.map(({ assetTaskId }) => assetTaskId) },
    }),
  )

export function HandDialog({ providerId, rows, onClose }: DialogProps) {
  const t = useWords<Key>('team')
  const people = usePeople(providerId, rows)
  const [personId, choose] = useState('')
  const most = Math.max(1, ...people.map(({ words }) => words))
  return (
    <Ask
      title={t('handTitle', { count: rows.length })}
      act={t('hand')}
      steps={personId ? [give(providerId, rows, personId)] : []}
      refusal={personId ? undefined : t('choosePerson')}
      onClose={onClose}
    >
      <fieldset className={css.people}>
        <legend>{t('person')}</legend>
        {people.map((person) => (
          <label key={person.personId}>
            <input
              type="radio"
              name="person"
              checked={person.personId === personId}
              onChange={() => choose(person.personId)}
            />
            <bdi>{t('load', { name: person.name, tasks: person.tasks, words: person.words })}</bdi>
            <meter className={css.load} aria-hidden="true" value={person.words} max={most} />
          </label>
        ))}
        {people.length === 0 && <p className="mut">{t('nobodyFits')}</p>}
      </fieldset>
      {named(rows)}
    </Ask>
  )
}

export function TakeDialog({ providerId, rows, onClose }: DialogProps) {
  const t = useWords<Key>('team')
  const self = useSelf()
  return (
    <Ask
      title={t('takeTitle', { count: rows.length })}
      act={t('take')}
      steps={[give(providerId, rows, self)]}
      onClose={onClose}
    >
      {named(rows)}
    </Ask>
  )
}

export function ReleaseDialog({ providerId, rows, onClose }: DialogProps) {
  const t = useWords<Key>('team')
  const steps = rows.map((row) => {
    const { jobId, assetTaskId } = row
    const params = { providerId, jobId, assetTaskId }
    return stepOf([row], () => call('releaseAssetTask', { params }))
  })
  return (
    <Ask
      title={t('releaseTitle', { count: rows.length })}
      act={t('release')}
      steps={steps}
      onClose={onClose}
    >
      {named(rows)}
    </Ask>
  )
}

/** Equal parts in the order of the people; each end can be moved. */
export function ShareDialog({ providerId, rows, onClose }: DialogProps) {
  const t = useWords<Key>('team')
  const [row] = rows
  const total = row?.segments?.total ?? 0
  const people = usePeople(providerId, rows)
  const [chosen, setChosen] = useState<readonly string[]>(
    () => row?.shares?.map(({ personId }) => personId) ?? [],
  )
  const [ends, setEnds] = useState<Readonly<Record<string, number>>>({})
  const even = (at: number) => Math.round((total * (at + 1)) / Math.max(1, chosen.length))
  let from = 1
  const shares = chosen.map((personId, at) => {
    const to = at === chosen.length - 1 ? total : (ends[personId] ?? even(at))
    const share = { personId, from, to }
    from = to + 1
    return share
  })
  const isWrong = shares.some((one) => one.from > one.to || one.to > total)
  const toggle = (personId: string) => {
    setEnds({})
    setChosen((all) =>
      all.includes(personId) ? all.filter((one) => one !== personId) : [...all, personId],
    )
  }
  const steps = row
    ? [
        stepOf([row], () =>
          call('shareAssetTask', {
            params: { providerId, jobId: row.jobId, assetTaskId: row.assetTaskId },
            body: { shares },
          }),
        ),
      ]
    : []
  return (
    <Ask
      title={t('shareTitle', { name: row?.requestName ?? '' })}
      act={shares.length === 0 ? t('shareEnd') : t('share')}
      steps={steps}
      refusal={
        total === 0
          ? t('noSegments')
          : isWrong
            ? t('shareWrong', { total })
            : shares.length === 0 && !row?.shares
              ? t('choosePeople')
              : undefined
      }
      onClose={onClose}
    >
      <fieldset className={css.people}>
        <legend>{t('shareBetween', { total })}</legend>
        {people.map((person) => {
          const share = shares.find(({ personId }) => personId === person.personId)
          const isLast = shares.at(-1)?.personId === person.personId
          return (
            <div key={person.personId} className={css.share}>
              <label>
                <input
                  type="checkbox"
                  checked={share !== undefined}
                  onChange={() => toggle(person.personId)}
                />
                <bdi>
                  {t('load', { name: person.name, tasks: person.tasks, words: person.words })}
                </bdi>
              </label>
              {share && (
                <span className={css.range}>
                  <span className="num">{share.from} –</span>
                  <input
                    type="number"
                    min={share.from}
                    max={total}
                    disabled={isLast}
                    aria-label={t('endOf', { name: person.name })}
                    value={share.to}
                    onChange={({ target }) =>
                      setEnds((all) => ({ ...all, [person.personId]: target.valueAsNumber || 0 }))
                    }
                  />
                </span>
              )}
            </div>
          )
        })}
      </fieldset>
    </Ask>
  )
}

/**
 * Shares marked work out: for each language of each provider a person, with what everyone has open
 * already.
 */
import { useState } from 'react'
import { call } from '../../hub.ts'
import { isSameLanguage } from '../../language-keys.ts'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { type Group, groupsOf } from './groups.ts'
import { type ManyProps, stepOf, WorkDialog } from './many-dialogs.tsx'
import css from './work.module.css'
import { taskOf } from './works.ts'

export function ShareDialog({ works, onClose }: ManyProps) {
  const t = useWords<keyof typeof en>('work')
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const groups = groupsOf(works)
  const steps = groups.flatMap(({ id, works: own }) => {
    const personId = chosen[id]
    return personId
      ? own.map((work) =>
          stepOf([work], () =>
            call('claimAssetTask', { params: taskOf(work), body: { personId } }),
          ),
        )
      : []
  })
  return (
    <WorkDialog
      title={t('shareTitle', { count: works.length })}
      act={t('share')}
      steps={steps}
      refusal={steps.length === 0 ? t('choosePerson') : undefined}
      onClose={onClose}
    >
      {groups.map((group) => (
        <GroupField
          key={group.id}
          group={group}
          value={chosen[group.id] ?? ''}
          onChange={(personId) => setChosen((all) => ({ ...all, [group.id]: personId }))}
        />
      ))}
    </WorkDialog>
  )
}

type GroupFieldProps = {
  readonly group: Group
  readonly value: string
  readonly onChange: (personId: string) => void
}

/** The people are those who may translate into the language, those with the least open first. */
function GroupField({ group: { providerId, language, works }, value, onChange }: GroupFieldProps) {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  const { data, isLoading } = useCall('listWorkPeople', { query: { providerId } })
  const fits = (codes: readonly string[] | undefined) =>
    !codes?.length || codes.some((code) => isSameLanguage(code, language))
  const people = (data?.people ?? [])
    .filter(({ languages }) => fits(languages))
    .toSorted((one, other) => one.words - other.words || one.tasks - other.tasks)
  const most = Math.max(1, ...people.map(({ words }) => words))
  const named = writers.language(language)
  const words = works.reduce((sum, work) => sum + (work.words ?? 0), 0)
  return (
    <fieldset className={css.group} aria-busy={isLoading}>
      <legend>{t('shareGroup', { language: named, count: works.length, words })}</legend>
      {!isLoading && people.length === 0 && (
        <p className="mut">{t('nobodyFor', { language: named })}</p>
      )}
      {people.length > 0 &&
        [{ personId: '', name: t('leaveOpen'), tasks: 0, words: 0 }, ...people].map((person) => (
          <label key={person.personId} className={css.person}>
            <input
              type="radio"
              name={`${providerId} ${language}`}
              checked={value === person.personId}
              onChange={() => onChange(person.personId)}
            />
            {person.personId ? (
              <>
                <bdi>
                  {t('load', { name: person.name, tasks: person.tasks, words: person.words })}
                </bdi>
                <meter className={css.load} aria-hidden="true" value={person.words} max={most} />
              </>
            ) : (
              person.name
            )}
          </label>
        ))}
    </fieldset>
  )
}

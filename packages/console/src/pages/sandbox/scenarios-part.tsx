/**
 * "Save as scenario": stores the armed faults under a name, and lists the saved ones to arm again.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callPath, type HubFailure } from '../../hub.ts'
import { Button } from '../../parts/controls.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Refusal } from './command.tsx'
import css from './sandbox.module.css'
import type { Fault } from './sandbox-calls.ts'
import { bodyOf, type Saved, useSaved } from './saved-scenarios.ts'

export function Scenarios({ armed }: { readonly armed: readonly Fault[] }) {
  const t = useWords<keyof typeof en>('sandbox')
  const client = useQueryClient()
  const { all, save, remove } = useSaved()
  const [name, setName] = useState<string>()
  // Faults of a job come with its label, and cannot be armed by hand.
  const own = armed.filter(({ id }) => !id.startsWith('job:'))
  const arm = useMutation<void, HubFailure, Saved>({
    mutationFn: async ({ faults }) => {
      for (const fault of faults) await callPath('POST', '/sandbox/faults', fault)
    },
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <>
      {name === undefined ? (
        <Button
          small
          refusal={own.length === 0 ? t('noneArmed') : undefined}
          onClick={() => setName('')}
        >
          {t('saveScenario')}
        </Button>
      ) : (
        <form
          className={css.row}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() === '') return
            save({ name: name.trim(), faults: own.map(bodyOf) })
            setName(undefined)
          }}
        >
          <label className={css.field}>
            <span>{t('scenarioName')}</span>
            <input
              // biome-ignore lint/a11y/noAutofocus: the person has just opened this field.
              autoFocus
              maxLength={60}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          <Button type="submit">{t('saveScenario')}</Button>
        </form>
      )}
      {all.length > 0 && (
        <ul className={css.faults} aria-label={t('savedScenarios')}>
          {all.map((saved) => (
            <li key={saved.name}>
              <span className={css.faultName}>
                <bdi>{saved.name}</bdi>
                <span className={css.faultFacts}>
                  {t('faultCount', { count: saved.faults.length })}
                </span>
              </span>
              <Button small busy={arm.isPending} onClick={() => arm.mutate(saved)}>
                {t('armScenario')}
              </Button>
              <Button
                small
                kind="quiet"
                glyph="close"
                aria-label={t('removeScenario', { name: saved.name })}
                onClick={() => remove(saved.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <Refusal failure={arm.error} />
    </>
  )
}

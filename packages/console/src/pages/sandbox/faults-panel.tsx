/**
 * Faults on demand: choose one, say for whom and how often, arm it, and see how often it has acted.
 */
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../parts/controls.tsx'
import { Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Command, Refusal } from './command.tsx'
import css from './sandbox.module.css'
import {
  curlOf,
  type Fault,
  type FaultsAnswer,
  type Scenario,
  useControl,
  useSandbox,
} from './sandbox-calls.ts'
import { Scenarios } from './scenarios-part.tsx'

type Key = keyof typeof en
const path = '/sandbox/faults'
const points = ['call', 'work', 'delivery'] as const

export function FaultsPanel() {
  const t = useWords<Key>('sandbox')
  const faults = useSandbox<FaultsAnswer>(path, 2_000)
  const clear = useControl('DELETE', path)
  const active = faults.data?.active ?? []
  const spent = faults.data?.spent ?? []
  return (
    <Panel
      title={t('faults')}
      beside={
        active.length + spent.length > 0 && (
          <Button
            small
            kind="quiet"
            glyph="bin"
            busy={clear.isPending}
            onClick={() => clear.mutate(undefined)}
          >
            {t('clearAll')}
          </Button>
        )
      }
    >
      <Shown of={faults} rows={3}>
        {({ scenarios }) => (
          <>
            <FaultForm scenarios={scenarios} />
            <ul className={css.faults} aria-label={t('armed')}>
              {active.length === 0 && <li className="dim">{t('noneArmed')}</li>}
              {[...active, ...spent.slice(-3)].map((fault) => (
                <FaultRow key={fault.id} fault={fault} />
              ))}
            </ul>
            <Scenarios armed={active} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

function FaultRow({ fault }: { readonly fault: Fault }) {
  const t = useWords<Key>('sandbox')
  const remove = useControl('DELETE', `${path}/${encodeURIComponent(fault.id)}`)
  const isOn = fault.left > 0
  const whom = fault.client ?? fault.provider ?? fault.label
  return (
    <li className={isOn ? css.on : css.off}>
      <span className={css.switch}>{isOn ? t('on') : t('off')}</span>
      <span className={css.faultName}>
        <code dir="ltr">{fault.scenario}</code>
        <span className={css.faultFacts}>
          <span>
            {isOn
              ? t('left', { left: fault.left, times: fault.times })
              : t('spent', { count: fault.acted })}
          </span>
          {fault.every !== undefined && fault.every > 1 && (
            <span>{t('everyNth', { n: fault.every })}</span>
          )}
          {fault.jobId ? (
            <Link href={`/jobs/${fault.jobId}`}>{fault.jobId}</Link>
          ) : (
            <bdi>{whom ?? t('anyone')}</bdi>
          )}
        </span>
      </span>
      {!fault.id.startsWith('job:') && (
        <Button
          small
          kind="quiet"
          glyph="close"
          aria-label={t('clearOne', { name: fault.scenario })}
          title={curlOf('DELETE', `${path}/${fault.id}`)}
          busy={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        />
      )}
    </li>
  )
}

type FaultFields = Record<'times' | 'every' | 'client' | 'jobId' | 'seconds' | 'by', string>
const nothing: FaultFields = {
  times: '',
  every: '',
  client: 'demo-connector',
  jobId: '',
  seconds: '',
  by: '',
}
const numbers = ['times', 'every', 'seconds'] as const

function FaultForm({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const t = useWords<Key>('sandbox')
  const arm = useControl<Fault>('POST', path)
  const [name, setName] = useState(scenarios[0]?.name ?? '')
  const [given, setGiven] = useState(nothing)
  const scenario = scenarios.find((one) => one.name === name)
  if (!scenario) return null
  const body = bodyOf(scenario, given)
  const field = (key: keyof FaultFields, usual: string | number | undefined) => (
    <label className={css.field}>
      <span>{t(`fault.${key}`)}</span>
      <input
        value={given[key]}
        placeholder={usual === undefined ? '' : String(usual)}
        inputMode={numbers.some((one) => one === key) ? 'decimal' : 'text'}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setGiven({ ...given, [key]: event.target.value.trim() })}
      />
    </label>
  )
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        arm.mutate(body)
      }}
    >
      <label className={css.field}>
        <span>{t('scenario')}</span>
        <select value={name} dir="ltr" onChange={(event) => setName(event.target.value)}>
          {points.map((on) => (
            <optgroup key={on} label={t(`on.${on}`)}>
              {scenarios
                .filter((one) => one.on === on)
                .map((one) => (
                  <option key={one.name}>{one.name}</option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <div className={css.explains} lang="en" dir="ltr">
        <p>{scenario.says}</p>
        <p className="meta mut">{scenario.goodConnector}</p>
      </div>
      <div className={css.row}>
        {field('times', scenario.times)}
        {field('every', 1)}
        {field('client', '')}
        {field('jobId', '')}
        {scenario.seconds !== undefined && field('seconds', scenario.seconds)}
        {scenario.by !== undefined && field('by', scenario.by)}
        <Button type="submit" kind="main" busy={arm.isPending}>
          {t('arm')}
        </Button>
      </div>
      <Command text={curlOf('POST', path, body)} />
      <Refusal failure={arm.error} />
    </form>
  )
}

/** Only what was filled in; text that is not a number is sent as it is, and the hub refuses it. */
function bodyOf(scenario: Scenario, given: FaultFields): object {
  const known = Object.entries(given).filter(
    ([name, value]) =>
      value !== '' &&
      !(name === 'seconds' && scenario.seconds === undefined) &&
      !(name === 'by' && !scenario.by),
  )
  const typed = known.map(([name, value]) => {
    const number = Number(value)
    return [name, numbers.some((one) => one === name) && Number.isFinite(number) ? number : value]
  })
  return { scenario: scenario.name, ...Object.fromEntries(typed) }
}

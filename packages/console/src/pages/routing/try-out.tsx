/**
 * Says which of the saved rules takes a job, and why the others do not: a job of the hub, or one
 * that does not exist yet.
 */
import type { RoutingAnswer, RoutingQuestion } from '@dragoman/contract/wire'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { Button, Chip, Chips } from '../../parts/controls.tsx'
import { FieldRow, faultsOf, TextField } from '../../parts/fields.tsx'
import { Name } from '../../parts/name.tsx'
import { Panel } from '../../parts/page.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import { useAct, useCall } from '../../queries.ts'
import type en from '../../words/en/routing.json'
import { useWords } from '../../words/words.ts'
import css from './routing.module.css'
import { codesIn } from './rule-text.ts'

type Key = keyof typeof en

export function TryOut({
  refusal,
  onAnswer,
}: {
  readonly refusal: string | undefined
  readonly onAnswer: (answer: RoutingAnswer | undefined) => void
}) {
  const t = useWords<Key>('routing')
  const [isReal, setReal] = useState(true)
  const [jobId, setJobId] = useState('')
  const [made, setMade] = useState({ source: '', targets: '', labels: '', words: '' })
  const newest = useCall('listJobs', { query: { pageSize: 20 } })
  const act = useAct('tryRouting')
  const faults = faultsOf(act.error)
  const isFieldFault = [...faults.keys()].some((path) =>
    /^(jobId|source|targets|labels|words)/.test(path),
  )
  const faultOf = (name: string) => [...faults].find(([path]) => path.startsWith(name))?.[1]
  const choose = (real: boolean) => {
    setReal(real)
    act.reset()
    onAnswer(undefined)
  }
  const attempt = (event: FormEvent) => {
    event.preventDefault()
    if (refusal !== undefined) return
    onAnswer(undefined)
    act.mutate(
      { body: isReal ? { jobId: jobId.trim() } : questionOf(made) },
      { onSuccess: onAnswer },
    )
  }
  const field = (name: keyof typeof made) => ({
    value: made[name],
    onChange: (value: string) => setMade({ ...made, [name]: value }),
    fault: faultOf(name),
  })
  return (
    <Panel title={t('tryOut')}>
      <Chips label={t('tryOut')}>
        <Chip pressed={isReal} onPress={() => choose(true)}>
          {t('realJob')}
        </Chip>
        <Chip pressed={!isReal} onPress={() => choose(false)}>
          {t('madeUpJob')}
        </Chip>
      </Chips>
      <form className={css.try} onSubmit={attempt}>
        {isReal ? (
          <TextField
            label={t('jobId')}
            mono
            help={t('jobIdHelp')}
            value={jobId}
            onChange={setJobId}
            fault={faultOf('jobId')}
            suggestions={newest.data?.jobs.map((job) => job.jobId) ?? []}
          />
        ) : (
          <FieldRow>
            <TextField label={t('source')} mono {...field('source')} />
            <TextField label={t('targets')} mono help={t('commas')} {...field('targets')} />
            <TextField label={t('labels')} help={t('commas')} {...field('labels')} />
            <TextField label={t('words')} digits {...field('words')} />
          </FieldRow>
        )}
        <Button type="submit" glyph="play" busy={act.isPending} refusal={refusal}>
          {t('try')}
        </Button>
      </form>
      {act.error && !isFieldFault && (
        <p role="alert" className={css.bad}>
          <bdi>{act.error.message}</bdi>
        </p>
      )}
      <div role="status">
        {act.data && (
          <Answer answer={act.data} jobId={isReal ? act.variables.body?.jobId : undefined} />
        )}
      </div>
    </Panel>
  )
}

const questionOf = ({
  source,
  targets,
  labels,
  words,
}: Record<'source' | 'targets' | 'labels' | 'words', string>) => {
  const count = words.trim()
  return {
    source: source.trim(),
    targets: codesIn(targets),
    ...(labels.trim() !== '' && { labels: codesIn(labels) }),
    ...(count !== '' && { words: Number.isFinite(Number(count)) ? Number(count) : count }),
  } as RoutingQuestion
}

function Answer({
  answer,
  jobId,
}: {
  readonly answer: RoutingAnswer
  readonly jobId: string | undefined
}) {
  const t = useWords<Key>('routing')
  const { nameOf } = useProviders()
  const { rule, providerId, rejected } = answer
  return (
    <>
      <p className={rule === undefined ? css.bad : css.taken}>
        {rule === undefined
          ? t('noneFits')
          : t.rich('takes', {
              rule: rule,
              provider: nameOf(providerId ?? ''),
              b: (inside) => <bdi>{inside}</bdi>,
            })}{' '}
        {jobId !== undefined && <Link href={`/jobs/${jobId}`}>{t('openJob')}</Link>}
      </p>
      {rejected.length > 0 && (
        <>
          <h4>{t('others')}</h4>
          <dl className={css.rejected}>
            {rejected.map(({ rule: name, because }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rules may be called the same, and the list does not change.
              <div key={at}>
                <dt>
                  <Name of={name} />
                </dt>
                <dd lang="en">
                  <bdi>{because}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  )
}

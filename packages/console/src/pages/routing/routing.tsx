/**
 * Routing: the rules that choose the provider of a job, in order. Changes are a draft until they
 * are saved; if somebody else saved first, the page shows theirs and asks. Beside the rules they
 * are tried out on a job.
 */
import type { Routing, RoutingAnswer, RoutingRule } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link } from 'wouter'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { Empty, Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/routing.json'
import { useWords } from '../../words/words.ts'
import css from './routing.module.css'
import { RuleForm } from './rule-form.tsx'
import { Rules } from './rules.tsx'
import { TryOut } from './try-out.tsx'
import { type Draft, draftOf, type RuleRow, routingOf, rowOf, useDraft } from './use-draft.ts'

type Key = keyof typeof en

export default function RoutingPage() {
  const t = useWords<Key>('routing')
  const writers = useWriters()
  const [{ form, rule: chosen }, change] = useSearchState()
  const mayChange = useMay('manager')
  const refusal = mayChange ? undefined : t('onlyManagers')
  const found = useCall('findRouting')
  useLive('findRouting', 'listProviders')
  const [draft, setDraft] = useDraft()
  const [answer, setAnswer] = useState<RoutingAnswer>()
  const act = useAct('replaceRouting', ['findRouting'])
  const shown: Draft | undefined = draft ?? (found.data && draftOf(found.data))
  const rows = shown?.rows ?? []
  const close = () => change({ form: undefined, rule: undefined })
  const create = () => change({ form: 'new' }, 'push')
  const edit = (next: readonly RuleRow[]) => {
    act.reset()
    setAnswer(undefined)
    if (shown) setDraft({ version: shown.version, rows: next })
  }
  const discard = () => {
    act.reset()
    setDraft(undefined)
  }
  const save = (version = draft?.version) => {
    if (!draft || version === undefined || act.isPending || !mayChange) return
    act.mutate({ body: { ...routingOf(draft), version } }, { onSuccess: () => setDraft(undefined) })
  }
  useKeys(
    mayChange
      ? [
          { keys: 'n', says: t('newRule'), act: create },
          { keys: 'Ctrl S', says: t('save'), everywhere: true, act: () => save() },
        ]
      : [],
  )
  const at = form === 'change' ? Number(chosen) : -1
  const done = (rule: RoutingRule) => {
    edit(
      at < 0
        ? [...rows, rowOf(rule)]
        : rows.map((row, place) => (place === at ? { ...row, rule } : row)),
    )
    close()
  }
  const conflict =
    act.error?.code === 'VERSION_CONFLICT' ? (act.error.current as Routing | undefined) : undefined
  return (
    <Page
      title={t('title')}
      acts={
        <Button kind={draft ? 'plain' : 'main'} glyph="add" refusal={refusal} onClick={create}>
          {t('newRule')}
        </Button>
      }
      head={
        <Facts
          facts={[found.data && { name: t('version'), value: <Version of={found.data.version} /> }]}
        />
      }
    >
      <div className={css.columns}>
        <section className={css.stack} aria-label={t('title')}>
          <p className="mut">{t('says')}</p>
          {draft && (
            <div className={css.bar}>
              <p>{t('notSaved', { version: writers.number(draft.version) })}</p>
              <Button onClick={discard}>{t('discard')}</Button>
              <Button kind="main" busy={act.isPending} refusal={refusal} onClick={() => save()}>
                {t('save')}
              </Button>
            </div>
          )}
          {conflict && (
            <Conflict
              current={conflict}
              onTheirs={discard}
              onMine={() => save(conflict.version)}
              isBusy={act.isPending}
            />
          )}
          {act.error && !conflict && (
            <p role="alert" className={css.bad}>
              <bdi>{act.error.message}</bdi>
            </p>
          )}
          <Shown of={found}>
            {() =>
              rows.length === 0 ? (
                <Empty glyph="routing" title={t('none')}>
                  {t('noneBody')}
                </Empty>
              ) : (
                <Rules
                  rows={rows}
                  refusal={refusal}
                  taken={answer?.rule}
                  onMove={(from, to) => edit(moved(rows, from, to))}
                  onEdit={(place) => change({ form: 'change', rule: String(place) }, 'push')}
                  onRemove={(place) => edit(rows.filter((_, one) => one !== place))}
                />
              )
            }
          </Shown>
        </section>
        <TryOut refusal={refusal ?? (draft ? t('saveFirst') : undefined)} onAnswer={setAnswer} />
      </div>
      {(form === 'new' || rows[at]) && mayChange && (
        <RuleForm rule={rows[at]?.rule} onDone={done} onClose={close} />
      )}
    </Page>
  )
}

function moved(rows: readonly RuleRow[], from: number, to: number): RuleRow[] {
  const rest = rows.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ...rows.slice(from, from + 1), ...rest.slice(to)]
}

/** Earlier versions are in the audit log, which admins read. */
function Version({ of: version }: { readonly of: number }) {
  const t = useWords<Key>('routing')
  const writers = useWriters()
  const mayRead = useMay()
  return (
    <>
      {writers.number(version)}{' '}
      {mayRead && <Link href="/health/audit?thing=routing">{t('history')}</Link>}
    </>
  )
}

/** Somebody else saved since the draft began. */
function Conflict({
  current,
  onTheirs,
  onMine,
  isBusy,
}: {
  readonly current: Routing
  readonly onTheirs: () => void
  readonly onMine: () => void
  readonly isBusy: boolean
}) {
  const t = useWords<Key>('routing')
  const writers = useWriters()
  return (
    <Panel title={t('conflict')} tone="warn">
      <div role="alert">
        <p>
          {t('conflictBody', {
            version: writers.number(current.version),
            count: current.rules.length,
          })}
        </p>
        <ol className={css.theirs}>
          {current.rules.map(({ name }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules may be called the same, and the list does not change.
            <li key={at}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ol>
      </div>
      <div className={css.bar}>
        <Button onClick={onTheirs}>{t('takeTheirs')}</Button>
        <Button kind="danger" busy={isBusy} onClick={onMine}>
          {t('saveMine')}
        </Button>
      </div>
    </Panel>
  )
}

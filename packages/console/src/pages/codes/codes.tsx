/**
 * Analysis codes: ten levels, the codes of each, whether they are hidden and how many jobs use
 * them.
 */
import { useMemo, useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Pill } from '../../look/states.tsx'
import { Button, Chip } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Name } from '../../parts/name.tsx'
import { Page, Tabs } from '../../parts/page.tsx'
import { Empty, Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/codes.json'
import { useWords } from '../../words/words.ts'
import type { Code, Level } from './code.ts'
import { CodeForm, DeleteCode, LevelForm } from './code-forms.tsx'
import css from './codes.module.css'

type Key = keyof typeof en

export default function CodesPage() {
  const t = useWords<Key>('codes')
  const [{ q = '', hidden, form, code: codeId, level }, change] = useSearchState()
  const mayChange = useMay('manager')
  const found = useCall('listAnalysisCodes', { query: { includeHidden: true } })
  const use = useCall('countCodeUse')
  const jobsOf = useMemo(() => {
    const counts = new Map(use.data?.codes.map(({ id, jobs }) => [id, jobs]))
    return (id: string) => counts.get(id) ?? 0
  }, [use.data])
  const showsHidden = hidden === '1'
  const create = () => change({ form: 'new' }, 'push')
  const close = () => change({ form: undefined, code: undefined, level: undefined })
  useKeys(mayChange ? [{ keys: 'n', says: t('new'), act: create }] : [])
  const levels = found.data?.levels ?? []
  const all = levels.flatMap((one) => one.codes)
  const chosen = all.find(({ id }) => id === codeId)
  const chosenLevel = levels.find((one) => String(one.level) === level)
  const shown = levels
    .filter((one) => showsHidden || one.visible)
    .map((one) => ({
      ...one,
      codes: one.codes.filter((code) => (showsHidden || code.visible) && matches(code, q)),
    }))
    .filter((one) => q === '' || one.codes.length > 0)
  return (
    <Page
      title={t('title')}
      acts={
        <Button
          kind="main"
          glyph="add"
          refusal={mayChange ? undefined : t('onlyManagers')}
          onClick={create}
        >
          {t('new')}
        </Button>
      }
      head={
        <Tabs
          label={t('title')}
          at="codes"
          tabs={[
            { name: 'prices', href: '/prices', title: t('tabPrices') },
            { name: 'codes', href: '/codes', title: t('tabCodes'), count: all.length },
          ]}
        />
      }
    >
      <div className={css.bar}>
        <TextField
          label={t('find')}
          kind="search"
          value={q}
          onChange={(text) => change({ q: text })}
        />
        <Chip
          pressed={showsHidden}
          onPress={() => change({ hidden: showsHidden ? undefined : '1' })}
        >
          {t('showHidden')}
        </Chip>
      </div>
      <Shown of={found}>
        {() =>
          shown.length === 0 ? (
            <Empty glyph="prices" title={all.length === 0 ? t('none') : t('noMatch')}>
              {all.length === 0 ? t('noneBody') : t('noMatchBody')}
            </Empty>
          ) : (
            <ul className={css.tree} aria-label={t('title')}>
              {shown.map((one) => (
                <LevelBranch
                  key={one.level}
                  level={one}
                  jobsOf={jobsOf}
                  mayChange={mayChange}
                  isOpen={q !== ''}
                />
              ))}
            </ul>
          )
        }
      </Shown>
      {form === 'new' && <CodeForm levels={levels} onClose={close} />}
      {form === 'change' && chosen && <CodeForm levels={levels} code={chosen} onClose={close} />}
      {form === 'delete' && chosen && (
        <DeleteCode code={chosen} jobs={jobsOf(chosen.id)} onClose={close} />
      )}
      {form === 'level' && chosenLevel && <LevelForm level={chosenLevel} onClose={close} />}
    </Page>
  )
}

const matches = ({ code, label }: Code, q: string): boolean =>
  `${code} ${label}`.toLowerCase().includes(q.trim().toLowerCase())

type BranchProps = {
  readonly level: Level
  readonly jobsOf: (id: string) => number
  readonly mayChange: boolean
  readonly isOpen: boolean
}

/** Maximum number of codes of a level shown at first; more on demand. */
const shownCodes = 200

function LevelBranch({ level, jobsOf, mayChange, isOpen }: BranchProps) {
  const t = useWords<Key>('codes')
  const [, change] = useSearchState()
  const [isFolded, setFolded] = useState(false)
  const [all, setAll] = useState(false)
  const { codes } = level
  const folded = isFolded && !isOpen
  const id = `level-${level.level}`
  return (
    <li className={css.level}>
      <div className={css.head}>
        <button
          type="button"
          className={css.fold}
          aria-expanded={!folded}
          aria-controls={id}
          onClick={() => setFolded(!folded)}
        >
          <span className={folded ? css.shut : css.open}>
            <Glyph name="down" />
          </span>
          <b>{t('level', { level: level.level })}</b>
          {level.label && <Name of={level.label} />}
          <span className="dim">{t('codeCount', { count: codes.length })}</span>
        </button>
        {!level.visible && <Hidden />}
        <span className={css.gap} />
        <Button
          small
          kind="quiet"
          refusal={mayChange ? undefined : t('onlyManagers')}
          onClick={() => change({ form: 'level', level: String(level.level) }, 'push')}
        >
          {t('changeLevel')}
        </Button>
      </div>
      <ul id={id} hidden={folded} className={css.codes}>
        {(all ? codes : codes.slice(0, shownCodes)).map((code) => (
          <CodeRow key={code.id} code={code} jobs={jobsOf(code.id)} mayChange={mayChange} />
        ))}
        {codes.length > shownCodes && !all && (
          <li>
            <Button small onClick={() => setAll(true)}>
              {t('showAll', { count: codes.length })}
            </Button>
          </li>
        )}
      </ul>
    </li>
  )
}

function Hidden() {
  const t = useWords<Key>('codes')
  return (
    <Pill look="cancelled" glyph="cancelled">
      {t('hidden')}
    </Pill>
  )
}

function CodeRow({
  code,
  jobs,
  mayChange,
}: {
  readonly code: Code
  readonly jobs: number
  readonly mayChange: boolean
}) {
  const t = useWords<Key>('codes')
  const writers = useWriters()
  const [, change] = useSearchState()
  const act = useAct('changeAnalysisCode', ['listAnalysisCodes'])
  const refusal = mayChange ? undefined : t('onlyManagers')
  const named = { code: code.code }
  return (
    <li className={css.code}>
      <span className={`${css.text} mono`}>
        <Name of={code.code} />
      </span>
      <span className={css.label}>{code.label && <Name of={code.label} />}</span>
      {!code.visible && <Hidden />}
      <span className={jobs > 0 ? css.used : css.unused} title={t('usedBy', { count: jobs })}>
        {jobs > 0 ? t('usedBy', { count: jobs }) : t('unused')}
        <span className="unseen"> ({writers.number(jobs)})</span>
      </span>
      <span className={css.acts}>
        <Button
          small
          kind="quiet"
          refusal={refusal}
          aria-label={t('changeCode', named)}
          onClick={() => change({ form: 'change', code: code.id }, 'push')}
        >
          {t('change')}
        </Button>
        <Button
          small
          kind="quiet"
          refusal={refusal}
          busy={act.isPending}
          aria-label={t(code.visible ? 'hideCode' : 'showCode', named)}
          onClick={() => act.mutate({ params: { id: code.id }, body: { visible: !code.visible } })}
        >
          {t(code.visible ? 'hide' : 'show')}
        </Button>
        <Button
          small
          kind="quiet"
          refusal={refusal}
          aria-label={t('deleteCode', named)}
          onClick={() => change({ form: 'delete', code: code.id }, 'push')}
        >
          {t('delete')}
        </Button>
      </span>
      {act.error && (
        <p role="alert" className={css.bad}>
          <bdi>{act.error.message}</bdi>
        </p>
      )}
    </li>
  )
}

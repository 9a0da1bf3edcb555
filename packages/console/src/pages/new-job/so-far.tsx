/** What the hub has of the draft, step by step; the quote; and the Submit button. */
import { paidWords, type Quote } from '@dragoman/contract/wire'
import type { ReactNode } from 'react'
import { languageKey } from '../../language-keys.ts'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import { Button, Copy } from '../../parts/controls.tsx'
import { Panel } from '../../parts/page.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import css from './new-job.module.css'
import type { Draft, Step } from './use-draft.ts'

const marks: Readonly<Record<Step['state'], { glyph: GlyphName; look: string }>> = {
  none: { glyph: 'created', look: 'created' },
  working: { glyph: 'sending', look: 'sending' },
  done: { glyph: 'approved', look: 'approved' },
  failed: { glyph: 'error', look: 'rejected' },
}

export function SoFar({
  draft,
  jobId,
}: {
  readonly draft: Draft
  readonly jobId: string | undefined
}) {
  const t = useWords<keyof typeof en>('new-job')
  const stored = draft.files.filter(({ state }) => state === 'stored').length
  const files: Step = {
    state: draft.files.length === 0 ? 'none' : stored === draft.files.length ? 'done' : 'working',
  }
  const failed = [draft.job, draft.requests, draft.quote].find(({ state }) => state === 'failed')
  const { words } = draft.quote
  return (
    <Panel title={t('soFar')}>
      <ol className={css.steps}>
        <StepLine step={draft.job} says={jobId ? t('step.draft') : t('step.noDraft')}>
          {jobId && (
            <Copy text={jobId} label={t('copyId')}>
              <span className="mono">{jobId}</span>
            </Copy>
          )}
        </StepLine>
        <StepLine step={files} says={t('step.files', { stored, all: draft.files.length })} />
        <StepLine
          step={draft.requests}
          says={t('step.requests', { count: draft.requests.count })}
        />
        <StepLine
          step={draft.quote}
          says={words === undefined ? t('step.quote') : t('step.noPrices', { words })}
        />
        <StepLine step={draft.submission} says={t('step.submit')} />
      </ol>
      {failed?.failure && (
        <div className={css.failed} role="alert">
          <p>
            <bdi>{failed.failure.message}</bdi>
          </p>
          <div className={css.row}>
            <code>{failed.failure.code}</code>
            <Button small glyph="again" onClick={draft.retry}>
              {t('again')}
            </Button>
          </div>
        </div>
      )}
    </Panel>
  )
}

function StepLine({
  step,
  says,
  children,
}: {
  readonly step: Step
  readonly says: string
  readonly children?: ReactNode
}) {
  const t = useWords<keyof typeof en>('new-job')
  const { glyph, look } = marks[step.state]
  return (
    <li className={css.step}>
      <span className={`${css.fileMark} ${look}`}>
        <Glyph name={glyph} size={14} label={t(`state.${step.state}`)} />
      </span>
      <span>{says}</span>
      {children}
    </li>
  )
}

const shownLines = 12

type QuoteProps = { readonly quote: Quote; readonly targets: readonly string[] }

export function QuotePanel({ quote, targets, isOld }: QuoteProps & { readonly isOld: boolean }) {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  const { lines, total, currency, managementFee, complete } = quote
  const words = paidWords(lines)
  return (
    <Panel title={t('quote')} {...(!complete && { tone: 'warn' as const })}>
      <p className={css.total} data-old={isOld || undefined} role="status">
        <b>
          <bdi>{writers.money(total, currency)}</bdi>
        </b>
        <span>{t('quoteWords', { words })}</span>
      </p>
      <table className={css.lines}>
        <thead>
          <tr>
            <th>{t('language')}</th>
            <th>{t('words')}</th>
            <th>{t('amount')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, shownLines).map((line) => (
            <tr key={line.requestId}>
              <td>
                <bdi>{writers.language(line.targetNativeLanguageCode)}</bdi>
              </td>
              <td>{writers.number(paidWords([line]))}</td>
              <td>
                <bdi>{writers.money(line.amount, currency)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shownLines && (
        <p className="meta dim">{t('moreLines', { count: lines.length - shownLines })}</p>
      )}
      <p className="meta dim">
        {t('fees', { fee: writers.money(managementFee, currency) })}
        {quote.minimumFeeApplied && ` ${t('minimum')}`}
      </p>
      <NotPriced quote={quote} targets={targets} />
    </Panel>
  )
}

/**
 * What is not in the total: the languages without a price by name, otherwise the sentences of the
 * hub.
 */
export function NotPriced({ quote: { lines, complete, warnings = [] }, targets }: QuoteProps) {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  if (complete) return null
  const priced = new Set(lines.map((line) => languageKey(line.targetNativeLanguageCode)))
  const lacking = targets.filter((code) => !priced.has(languageKey(code)))
  const noLine = warnings.some((warning) => warning.includes(' has no line for '))
  const isLanguage = lacking.length > 0 && noLine
  const said = isLanguage
    ? [
        t('noPrice', {
          count: lacking.length,
          languages: writers.list(lacking.map(writers.language)),
        }),
      ]
    : warnings.slice(0, 5)
  return said.map((sentence) => (
    <p key={sentence} className={css.warning}>
      <Glyph name="error" size={14} />
      <bdi>{sentence}</bdi>
    </p>
  ))
}

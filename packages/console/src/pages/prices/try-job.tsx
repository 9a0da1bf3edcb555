/** Prices an existing job with the draft, beside what it costs today. Nothing is saved. */
import { type NewPriceList, paidWords } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import { useAct, useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import css from './prices.module.css'

export function TryJob({
  list,
  refusal,
}: {
  readonly list: NewPriceList
  readonly refusal: string | undefined
}) {
  const t = useWords<keyof typeof en>('prices')
  const writers = useWriters()
  const [jobId, setJobId] = useState('')
  const [tried, setTried] = useState('')
  const act = useAct('tryPriceList')
  const today = useCall(
    'quoteJob',
    { params: { jobId: tried } },
    { enabled: tried !== '', keepOld: false },
  )
  const newest = useCall('listJobs', { query: { pageSize: 20 } })
  const draft = act.data?.quote
  const attempt = () => {
    const asked = jobId.trim()
    if (!asked || refusal) return
    act.mutate({ query: { jobId: asked }, body: list }, { onSuccess: () => setTried(asked) })
  }
  const nowOf = (requestId: string) =>
    today.data?.lines.find((line) => line.requestId === requestId)?.amount
  const money = (amount: string | undefined, currency = draft?.currency ?? '') =>
    amount === undefined ? '–' : writers.money(amount, currency)
  return (
    <Panel title={t('tryJob')}>
      <form
        className={css.bar}
        onSubmit={(event) => {
          event.preventDefault()
          attempt()
        }}
      >
        <TextField
          label={t('jobId')}
          help={t('tryHelp')}
          mono
          value={jobId}
          onChange={setJobId}
          fault={act.error?.message}
          suggestions={newest.data?.jobs.map((job) => job.jobId) ?? []}
        />
        <Button type="submit" glyph="play" busy={act.isPending} refusal={refusal}>
          {t('try')}
        </Button>
      </form>
      <div role="status">
        {draft && (
          <>
            <p className={css.total}>
              {t('totals', {
                draft: money(draft.total),
                now: today.data ? money(today.data.total, today.data.currency) : '–',
              })}
            </p>
            {draft.warnings?.map((warning) => (
              <p key={warning} className={css.bad} lang="en">
                <bdi>{warning}</bdi>
              </p>
            ))}
          </>
        )}
      </div>
      {draft && draft.lines.length > 0 && (
        <div className={css.scroll}>
          <table className={css.bands}>
            <thead>
              <tr>
                <th scope="col">{t('pair')}</th>
                <th scope="col">{t('words')}</th>
                <th scope="col">{t('byDraft')}</th>
                <th scope="col">{t('today')}</th>
              </tr>
            </thead>
            <tbody>
              {draft.lines.slice(0, 50).map((line) => (
                <tr key={line.requestId}>
                  <th scope="row">
                    <bdi dir="ltr">
                      {line.sourceNativeLanguageCode} → {line.targetNativeLanguageCode}
                    </bdi>
                  </th>
                  <td>{writers.number(paidWords([line]))}</td>
                  <td>{money(line.amount)}</td>
                  <td>{money(nowOf(line.requestId), today.data?.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

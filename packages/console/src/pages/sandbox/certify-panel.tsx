/**
 * Certification: the recorded calls of a client, judged. Each verdict links to the calls that prove
 * it.
 */
import { useState } from 'react'
import { Link } from 'wouter'
import { callPath } from '../../hub.ts'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import { prefix } from '../../page-facts.ts'
import { Button } from '../../parts/controls.tsx'
import { saveFile } from '../../parts/download.tsx'
import { Panel } from '../../parts/page.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { Command, Refusal } from './command.tsx'
import css from './sandbox.module.css'
import { curlOf, type Report, useControl, type Verdict } from './sandbox-calls.ts'

type Key = keyof typeof en
const path = '/sandbox/certify'
const looks: Readonly<
  Record<Verdict['result'], { glyph: GlyphName; look: string | undefined; word: Key }>
> = {
  kept: { glyph: 'approved', look: css.kept, word: 'result.kept' },
  broken: { glyph: 'rejected', look: css.broken, word: 'result.broken' },
  'not seen': { glyph: 'created', look: css.unseen, word: 'result.notSeen' },
  asked: { glyph: 'review', look: css.asked, word: 'result.asked' },
}
const order: readonly Verdict['result'][] = ['broken', 'asked', 'kept', 'not seen']

export function CertifyPanel() {
  const t = useWords<Key>('sandbox')
  const [client, setClient] = useState('demo-connector')
  const judge = useControl<Report>('POST', path)
  const report = judge.data
  const all = report ? [...report.obligations, ...report.scenarios] : []
  const count = (result: Verdict['result']) => all.filter((one) => one.result === result).length
  return (
    <Panel
      title={t('certify')}
      beside={
        report && (
          <span className={report.passed ? css.kept : css.broken} role="status">
            {report.passed
              ? t('passed', { kept: count('kept'), all: all.length })
              : t('notPassed', { broken: count('broken'), all: all.length })}
          </span>
        )
      }
    >
      <p className="meta mut">{t('certifyHow')}</p>
      <form
        className={css.row}
        onSubmit={(event) => {
          event.preventDefault()
          judge.mutate({ client })
        }}
      >
        <label className={css.field}>
          <span>{t('fault.client')}</span>
          <input
            value={client}
            dir="ltr"
            spellCheck={false}
            onChange={(event) => setClient(event.target.value.trim())}
          />
        </label>
        <Button type="submit" kind="main" busy={judge.isPending}>
          {t('judge')}
        </Button>
        {report && (
          <>
            <Download client={client} format="html" />
            <Download client={client} format="junit" />
          </>
        )}
      </form>
      <Command text={curlOf('POST', path, { client })} />
      <Command text={`npx dragoman certify --hub ${location.origin}${prefix} --client ${client}`} />
      <Refusal failure={judge.error} />
      {report && (
        <>
          <p className="meta dim">{t('judged', { calls: report.calls })}</p>
          <ul className={css.verdicts}>
            {order.flatMap((result) =>
              all
                .filter((one) => one.result === result)
                .map((one) => <VerdictRow key={`${one.name} ${one.because}`} verdict={one} />),
            )}
          </ul>
        </>
      )}
    </Panel>
  )
}

function VerdictRow({ verdict }: { readonly verdict: Verdict }) {
  const t = useWords<Key>('sandbox')
  const { glyph, look, word } = looks[verdict.result]
  return (
    <li>
      <span className={`${css.verdict} ${look}`}>
        <Glyph name={glyph} size={14} />
        {t(word)}
      </span>
      <span lang="en" dir="ltr" className={css.because}>
        <b title={verdict.says}>{verdict.name}</b> {verdict.because}
        {verdict.result === 'broken' && (
          <span className={css.evidence}>
            {verdict.evidence.map(({ id, call, status }) => (
              <Link
                key={`${id} ${call}`}
                href={`/calls/${encodeURIComponent(id)}`}
                className="mono"
              >
                {call} {status}
              </Link>
            ))}
          </span>
        )}
      </span>
    </li>
  )
}

const types = { html: 'text/html', junit: 'application/xml' } as const

/** The report as a file. */
function Download({
  client,
  format,
}: {
  readonly client: string
  readonly format: 'html' | 'junit'
}) {
  const t = useWords<Key>('sandbox')
  const save = async () => {
    const text = await callPath<string>('POST', path, { client, format })
    saveFile(
      format === 'html' ? 'certification.html' : 'certification.xml',
      new Blob([text], { type: types[format] }),
    )
  }
  return (
    <Button small kind="quiet" glyph="download" onClick={() => void save()}>
      {t(`report.${format}`)}
    </Button>
  )
}

/** The filtered acts as a file: one JSON object per line, or CSV. */
import type { AuditEntry } from '@dragoman/contract/wire'
import { useState } from 'react'
import { call, type HubFailure } from '../../hub.ts'
import type en from '../../words/en/audit.json'
import { useWords } from '../../words/words.ts'
import { Button, Copy } from '../controls.tsx'
import { csvOf } from '../csv.ts'
import { Dialog } from '../dialog.tsx'
import { saveFile } from '../download.tsx'
import css from './audit-list.module.css'
import { type AuditQuery, useAuditQuery } from './audit-query.ts'

/** For more than this, use the command line. */
const maxActs = 10_000
const command = 'dragoman audit --export > audit.jsonl'

async function readAll(
  query: AuditQuery,
  tell: (many: number) => void,
): Promise<{ acts: AuditEntry[]; isCut: boolean }> {
  const acts: AuditEntry[] = []
  let cursor: string | undefined
  do {
    const page = await call('listAudit', {
      query: { ...query, ...(cursor && { navNext: cursor }) },
    })
    acts.push(...page.audit)
    cursor = page.pagination.navNext
    tell(acts.length)
  } while (cursor !== undefined && acts.length < maxActs)
  return { acts, isCut: cursor !== undefined }
}

const columns = [
  'auditId',
  'time',
  'actor',
  'clientId',
  'personId',
  'siteId',
  'verb',
  'thing',
  'thingId',
] as const

function tableOf(acts: readonly AuditEntry[]): string {
  const rows = acts.map((act) => [
    ...columns.map((name) => act[name]),
    act.fields?.join(' '),
    act.was && JSON.stringify(act.was),
    act.is && JSON.stringify(act.is),
    act.traceId,
  ])
  return csvOf([[...columns, 'fields', 'was', 'is', 'traceId'], ...rows])
}

export function ExportAudit() {
  const t = useWords<keyof typeof en>('audit')
  const query = useAuditQuery()
  const [many, setMany] = useState<number>()
  const [cut, setCut] = useState(false)
  const [failure, setFailure] = useState<HubFailure>()
  const run = async (as: 'jsonl' | 'csv') => {
    setMany(0)
    try {
      const { acts, isCut } = await readAll(query, setMany)
      if (as === 'csv') saveFile('audit.csv', new Blob([tableOf(acts)], { type: 'text/csv' }))
      else
        saveFile(
          'audit.jsonl',
          new Blob(
            acts.map((act) => `${JSON.stringify(act)}\n`),
            { type: 'application/x-ndjson' },
          ),
        )
      setCut(isCut)
    } catch (error) {
      setFailure(error as HubFailure)
    } finally {
      setMany(undefined)
    }
  }
  const busy = many !== undefined
  return (
    <>
      <span role="status" className="dim meta">
        {busy ? t('exporting', { count: many }) : ''}
      </span>
      <Button
        glyph="download"
        busy={busy}
        onClick={() => void run('jsonl')}
        title={`${t('export')}: ${t('exportLines')}`}
      >
        {t('exportLines')}
      </Button>
      <Button
        glyph="download"
        busy={busy}
        onClick={() => void run('csv')}
        title={`${t('export')}: ${t('exportCsv')}`}
      >
        {t('exportCsv')}
      </Button>
      {(cut || failure) && (
        <Dialog
          title={t('export')}
          failure={failure ?? null}
          onClose={() => {
            setCut(false)
            setFailure(undefined)
          }}
        >
          {cut && (
            <>
              <p>{t('exportCut', { count: maxActs })}</p>
              <p className={css.command}>
                <code>{command}</code>
                <Copy text={command} label={command} />
              </p>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

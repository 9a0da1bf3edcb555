/** A term and its names: one line each, with the language before a colon. */
import type { Term, TermEntry } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/terms.json'
import { useWords } from '../../words/words.ts'

type Key = keyof typeof en
type Given = Pick<TermEntry, 'language' | 'text'> & Partial<TermEntry>

/** `de: Rechnung`, and `de! Faktura` for a name that is not to be used. */
const linesOf = (entries: readonly TermEntry[]): string =>
  entries
    .map(({ language, text, status }) => `${language}${status === 'FORBIDDEN' ? '!' : ':'} ${text}`)
    .join('\n')

/** What a line does not say, such as forms and notes, stays as it was. */
export function entriesIn(lines: string, before: readonly TermEntry[]): Given[] {
  return lines.split('\n').flatMap((line): Given[] => {
    const [, language, sign, text = ''] = /^\s*([\w-]{2,35})\s*([:!])\s*(.*)$/.exec(line) ?? []
    if (language === undefined || text.trim() === '') return []
    const known = before.find((one) => one.language === language && one.text === text.trim())
    const wasForbidden = known?.status === 'FORBIDDEN'
    const status = sign === '!' ? 'FORBIDDEN' : wasForbidden ? 'ALLOWED' : known?.status
    return [{ ...known, language, text: text.trim(), ...(status && { status }) }]
  })
}

export function TermForm({
  term,
  text,
  onClose,
}: {
  readonly term?: Term
  /** Of a term that is added from a text. */
  readonly text?: string
  readonly onClose: () => void
}) {
  const t = useWords<Key>('terms')
  const [lines, setLines] = useState(term ? linesOf(term.entries) : (text ?? ''))
  const [definition, setDefinition] = useState(term?.definition ?? '')
  const create = useAct('createTerm', ['listTerms'])
  const change = useAct('changeTerm', ['listTerms', 'findTerm'])
  const act = term ? change : create
  const entries = entriesIn(lines, term?.entries ?? [])
  const done = { onSuccess: onClose }
  const send = () =>
    term
      ? change.mutate(
          {
            params: { termId: term.termId },
            body: { version: term.version, definition, entries },
          },
          done,
        )
      : create.mutate({ body: { entries, ...(definition && { definition }) } }, done)
  return (
    <Dialog
      title={term ? t('change') : t('new')}
      act={t('save')}
      busy={act.isPending}
      failure={act.error}
      refusal={entries.length === 0 ? t('noEntries') : undefined}
      onAct={send}
      onClose={onClose}
    >
      <TextField
        label={t('entries')}
        help={t('entriesHelp')}
        rows={6}
        autoFocus
        value={lines}
        onChange={setLines}
      />
      <TextField label={t('definition')} rows={2} value={definition} onChange={setDefinition} />
    </Dialog>
  )
}

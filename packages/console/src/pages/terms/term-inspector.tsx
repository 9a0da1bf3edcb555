/** One term: its names with their status, and what can be done with it. */
import type { Term } from '@dragoman/contract/wire'
import { useState } from 'react'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button } from '../../parts/controls.tsx'
import { Inspector, Panel } from '../../parts/page.tsx'
import { useSearchState } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/terms.json'
import { useWords } from '../../words/words.ts'

export function TermInspector({
  term,
  onClose,
}: {
  readonly term: Term
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('terms')
  const writers = useWriters()
  const { allowed } = useSession()
  const [, change] = useSearchState()
  const [isAsked, setAsked] = useState(false)
  const { termId, version, entries, definition } = term
  return (
    <Inspector
      label={t('term')}
      title={<bdi>{entries[0]?.text}</bdi>}
      onClose={onClose}
      acts={
        allowed.includes('changeTerm') && (
          <>
            <Button small onClick={() => change({ form: 'change' }, 'push')}>
              {t('change')}
            </Button>
            <Button small kind="danger" glyph="bin" onClick={() => setAsked(true)}>
              {t('delete')}
            </Button>
          </>
        )
      }
    >
      <Panel title={t('entries')}>
        <ul>
          {entries.map(({ language, text, status, note }) => (
            <li key={`${language} ${text}`}>
              <span className="dim">{writers.language(language)}</span>{' '}
              <b lang={language} dir="auto">
                {text}
              </b>{' '}
              <span className="meta">{t(`status.${status}`)}</span>{' '}
              {note && <bdi className="dim">{note}</bdi>}
            </li>
          ))}
        </ul>
      </Panel>
      {definition && (
        <Panel title={t('definition')}>
          <p dir="auto">{definition}</p>
        </Panel>
      )}
      {isAsked && (
        <AskDialog
          title={t('delete')}
          act={t('delete')}
          kind="danger"
          call="deleteTerm"
          input={{ params: { termId }, query: { version } }}
          changes={['listTerms']}
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            onClose()
          }}
        >
          <p>{t('deleteBody')}</p>
        </AskDialog>
      )}
    </Inspector>
  )
}

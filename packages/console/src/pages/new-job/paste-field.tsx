/** Keys and values as text, for content that is not in a file. */
import { useId, useMemo } from 'react'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import css from './new-job.module.css'
import { readPairs } from './pairs.ts'

export function PasteField({
  text,
  onText,
}: {
  readonly text: string
  readonly onText: (text: string) => void
}) {
  const t = useWords<keyof typeof en>('new-job')
  const id = useId()
  const { pairs, fault } = useMemo(() => readPairs(text), [text])
  return (
    <div className={css.field}>
      <label htmlFor={id}>{t('paste')}</label>
      <textarea
        id={id}
        dir="auto"
        rows={text ? 6 : 3}
        className={`${css.input} mono`}
        spellCheck={false}
        value={text}
        placeholder={t('pasteExample')}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onText(target.value)}
      />
      <p
        id={`${id}-about`}
        className={fault ? css.fault : 'meta dim'}
        role={fault ? 'alert' : undefined}
      >
        {fault
          ? t(`paste.${fault.why}`, { line: fault.line })
          : text.trim()
            ? t('pairs', { count: pairs.length })
            : t('pasteHint')}
      </p>
    </div>
  )
}

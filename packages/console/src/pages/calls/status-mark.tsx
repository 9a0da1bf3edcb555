/** The status of a call: shape first, then the number and the code. */
import type { LoggedCall } from '@dragoman/contract/wire'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'
import css from './calls.module.css'

type Look = { readonly glyph: GlyphName; readonly look: string | undefined }

function lookOf(status: number): Look {
  if (status === 429) return { glyph: 'clock', look: css.throttled }
  if (status >= 500) return { glyph: 'rejected', look: css.broken }
  if (status >= 400) return { glyph: 'error', look: css.refused }
  if (status === 0) return { glyph: 'more', look: css.mixed }
  return { glyph: 'tick', look: css.fine }
}

export function StatusMark({ call: { statusCode, code, count } }: { readonly call: LoggedCall }) {
  const t = useWords<keyof typeof en>('calls')
  const { glyph, look } = lookOf(statusCode)
  return (
    <span className={`${css.mark} ${look}`}>
      <Glyph name={glyph} size={14} />
      <b>{statusCode === 0 ? t('several') : statusCode}</b>
      {statusCode === 429 ? (
        <span>{t('throttled')}</span>
      ) : (
        code && <span className={css.code}>{code}</span>
      )}
      {count > 1 && <span className={css.count}>×{count}</span>}
    </span>
  )
}

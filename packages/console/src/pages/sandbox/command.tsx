/** The command that does the same as the control beside it. */
import { Copy } from '../../parts/controls.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import css from './sandbox.module.css'

export function Command({ text }: { readonly text: string }) {
  const t = useWords<keyof typeof en>('sandbox')
  return (
    <div className={css.command}>
      <code dir="ltr" title={text}>
        {text}
      </code>
      <Copy text={text} label={t('copyCommand')} />
    </div>
  )
}

/** Why something did not work: the hub's sentence. */
export function Refusal({
  failure,
}: {
  readonly failure: { readonly message: string; readonly code: string } | null
}) {
  if (!failure) return null
  return (
    <p role="alert" className={css.refusal}>
      <bdi lang="en">{failure.message || failure.code}</bdi>
    </p>
  )
}

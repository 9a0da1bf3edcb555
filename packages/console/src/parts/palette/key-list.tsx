/**
 * Every key that works on this page, the page's own first, and the switch for single-letter keys.
 */
import { useState } from 'react'
import { allKeys, hasLetters, switchKeys } from '../../keys.ts'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/parts.json'
import { useWords } from '../../words/words.ts'
import { Dialog } from '../dialog.tsx'
import css from './key-list.module.css'

export function KeyList({
  title,
  onClose,
}: {
  readonly title: string
  readonly onClose: () => void
}) {
  const t = useWords<keyof typeof en>('parts')
  const [on, setOn] = useState(hasLetters())
  // Stored in this browser, and at the hub for the person's other browsers.
  const save = useAct('changeMe')
  const [rows] = useState(() => allKeys().filter(({ keys }) => keys))
  return (
    <Dialog title={title} onClose={onClose} wide>
      <dl className={css.keys}>
        {rows.map(({ keys, says }) => (
          <div key={keys} className={!on && isLetters(keys) ? css.off : undefined}>
            <dt dir="ltr">
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <div className={css.switch}>
        <label>
          <input
            type="checkbox"
            role="switch"
            aria-checked={on}
            checked={on}
            onChange={({ target }) => {
              switchKeys(target.checked)
              save.mutate({ body: { preferences: { keys: target.checked } } })
              setOn(target.checked)
            }}
          />
          {t('lettersOn')}
        </label>
        <p className="meta dim">{t('lettersWhy')}</p>
      </div>
    </Dialog>
  )
}

const isLetters = (keys: string): boolean => keys.split(' ').every((key) => key.length === 1)

/** Every key that works on this page. */
import { allKeys } from '../keys.ts'
import { Dialog } from './dialog.tsx'
import css from './key-list.module.css'

export function KeyList({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const rows = [...new Map(allKeys().map((key) => [key.keys, key.says]))]
  return (
    <Dialog title={title} onClose={onClose}>
      <dl className={css.keys}>
        {rows.map(([keys, says]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

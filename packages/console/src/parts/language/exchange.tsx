/** Lists of terms and memories as files: downloads, an import, and the field that finds a text. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type CallName, credentials } from '../../hub.ts'
import { prefix } from '../../page-facts.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/parts.json'
import { useWords } from '../../words/words.ts'
import { Button } from '../controls.tsx'
import { Download } from '../download.tsx'
import css from './exchange.module.css'

type Done = Readonly<Record<string, unknown>>
type ExchangeProps = {
  readonly exports: readonly {
    readonly path: string
    readonly name: string
    readonly title: string
  }[]
  readonly imports?: {
    readonly accept: string
    readonly pathOf: (file: File) => string
    readonly typeOf: (file: File) => string
    readonly says: (done: Done) => string
    readonly changes: CallName
  }
}

export function Exchange({ exports, imports }: ExchangeProps) {
  const t = useWords<keyof typeof en>('parts')
  const { csrf } = useSession()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const take = async (file: File) => {
    if (!imports) return
    setSaid(t('importing'))
    const answer = await fetch(`${prefix}/console/api${imports.pathOf(file)}`, {
      method: 'POST',
      headers: {
        'content-type': imports.typeOf(file),
        'x-dragoman-csrf': csrf,
        'x-dragoman-site': credentials.siteId,
      },
      body: file,
    })
    const done = (await answer.json().catch(() => ({}))) as Done
    setSaid(answer.ok ? imports.says(done) : String(done.message ?? answer.status))
    await client.invalidateQueries({ queryKey: [imports.changes] })
  }
  return (
    <>
      {exports.map(({ path, name, title }) => (
        <span key={path} className={css.file}>
          {title} <Download path={path} name={name} label={t('exportAs', { format: title })} />
        </span>
      ))}
      {imports && (
        <>
          <Button glyph="upload" onClick={() => input.current?.click()}>
            {t('import')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept={imports.accept}
            aria-label={t('import')}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void take(file)
              target.value = ''
            }}
          />
        </>
      )}
      {said && (
        <span role="status" className="meta">
          <bdi>{said}</bdi>
        </span>
      )}
    </>
  )
}

export function SearchBar({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string | undefined) => void
}) {
  return (
    <div className={css.bar}>
      <input
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    </div>
  )
}

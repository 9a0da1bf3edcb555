/**
 * Where files are dropped or chosen, and the progress of each. The whole zone accepts files; the
 * button is for keyboards and screen readers.
 */
import { useRef, useState } from 'react'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import { Button, GlyphButton } from '../../parts/controls.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'
import type { DraftFile } from './form.ts'
import { type Format, formatOf, roundOf, useFormats, useSizes } from './formats.ts'
import css from './new-job.module.css'
import type { Files } from './use-files.ts'

export function DropZone({ files, addFiles, removeFile, resume, hasBytes }: Files) {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const formats = useFormats()
  const sizes = useSizes(formats)
  const interrupted = files.filter(({ state }) => state === 'interrupted')
  const missing = interrupted.filter(({ name }) => !hasBytes(name))
  return (
    <section aria-label={t('files')} className={css.block}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way; the button inside is the other. */}
      <div
        className={css.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          addFiles([...event.dataTransfer.files])
        }}
      >
        <Glyph name="upload" size={24} />
        <p>
          <b>{t('drop')}</b>
          <span className="meta dim">{sizes}</span>
        </p>
        <Button onClick={() => input.current?.click()}>{t('choose')}</Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('choose')}
          onChange={({ target }) => {
            addFiles([...(target.files ?? [])])
            target.value = ''
          }}
        />
      </div>
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((file) => (
            <FileRow
              key={file.name}
              file={file}
              format={formatOf(formats, file.name)}
              onRemove={() => removeFile(file.name)}
            />
          ))}
        </ul>
      )}
      {interrupted.length > 0 && (
        <div className={css.interrupted} role="alert">
          <Glyph name="error" />
          <p>
            {missing.length > 0
              ? t('chooseAgain', { names: writers.list(missing.map(({ name }) => name)) })
              : t('interrupted')}
          </p>
          {missing.length < interrupted.length && (
            <Button small glyph="again" onClick={resume}>
              {t('resume')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

const marks: Readonly<Record<DraftFile['state'], { glyph: GlyphName; look: string }>> = {
  waiting: { glyph: 'created', look: 'created' },
  uploading: { glyph: 'sending', look: 'sending' },
  interrupted: { glyph: 'error', look: 'rejected' },
  stored: { glyph: 'approved', look: 'approved' },
}

type FileRowProps = {
  readonly file: DraftFile
  readonly format: Format | undefined
  readonly onRemove: () => void
}

function FileRow({ file, format, onRemove }: FileRowProps) {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  const { name, size, sent, state, why } = file
  const { glyph, look } = marks[state]
  const percent = size === 0 ? 100 : Math.floor((sent / size) * 100)
  return (
    <li className={css.file}>
      <span className={`${css.fileMark} ${look}`}>
        <Glyph name={glyph} size={14} />
      </span>
      <span className={css.fileName}>
        <bdi>{name}</bdi>
      </span>
      <span className="meta dim num">{writers.bytes(size)}</span>
      <span className={css.fileState} title={why}>
        {t(`file.${state}`, { percent: writers.percent(percent / 100) })}
      </span>
      <GlyphButton glyph="close" label={t('removeFile', { name })} onClick={onRemove} />
      {format && size > format.maxBytes && (
        <p className={css.warning}>
          <Glyph name="error" size={14} />
          {t('tooLarge', { format: format.name, size: writers.bytes(roundOf(format.maxBytes)) })}
        </p>
      )}
      {(state === 'uploading' || state === 'interrupted') && (
        <progress
          className={css.progress}
          max={100}
          value={percent}
          aria-label={t('progressOf', { name })}
        />
      )}
    </li>
  )
}

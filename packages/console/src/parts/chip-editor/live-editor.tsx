/** The chip editor itself, on CodeMirror. chip-editor.tsx loads it, as a file of its own. */
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { nonce } from '../../page-facts.ts'
import { directionOf } from '../../words/words.ts'
import { drawChip } from './chip.ts'
import css from './chip-editor.module.css'
import { useTagWords } from './chip-text.tsx'
import type { ChipEditorHandle, ChipEditorProps } from './editor-props.ts'
import { type MountedEditor, mountEditor } from './mount-editor.ts'
import { PlainEditor } from './plain-editor.tsx'
import { openTagCharacters } from './tag-characters.ts'

export default function LiveEditor(props: ChipEditorProps) {
  const { value, tags, source, language } = props
  // A text may have more tags than there are characters for them.
  const key = JSON.stringify([tags, source, language])
  if (!openTagCharacters(tags, [value], source)) return <PlainEditor {...props} key={key} />
  return <Mounted {...props} key={key} />
}

function Mounted(props: ChipEditorProps) {
  const { value, language, label, describedBy, handle } = props
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedEditor | undefined>(undefined)
  const words = useTagWords()
  const attributes = {
    'aria-label': label,
    ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
    lang: language,
    dir: directionOf(language),
    spellcheck: 'true',
    autocapitalize: 'sentences',
  }
  const latest = useRef({ ...props, words, attributes })
  latest.current = { ...props, words, attributes }

  useLayoutEffect(() => {
    const { tags, source, attributes: first, value: begins, caret } = latest.current
    const editor = mountEditor(place.current as HTMLElement, {
      value: begins,
      tags,
      ...(source && { source }),
      nonce,
      attributes: first,
      caret,
      draw: (number) => {
        const tag = tags.find((one) => one.tag === number) ?? {
          tag: number,
          kind: 'SINGLE',
          shows: '',
        }
        return drawChip(tag, css, latest.current.words)
      },
      onChange: (now) => latest.current.onChange(now),
      onKey: (event) => latest.current.onKey(event),
      onLeave: () => latest.current.onLeave(),
    })
    mounted.current = editor
    return () => editor.destroy()
  }, [])
  // Before the next key.
  useLayoutEffect(() => mounted.current?.take(value), [value])
  const described = JSON.stringify(attributes)
  useEffect(
    () => mounted.current?.describe(JSON.parse(described) as Record<string, string>),
    [described],
  )
  useImperativeHandle(handle, () => {
    const ask = <T,>(act: (editor: ChipEditorHandle) => T): T =>
      act(mounted.current as MountedEditor)
    return {
      insertTag: (tag) => ask((editor) => editor.insertTag(tag)),
      insertText: (text) => ask((editor) => editor.insertText(text)),
      replace: (text) => ask((editor) => editor.replace(text)),
      focus: () => ask((editor) => editor.focus()),
      selection: () => ask((editor) => editor.selection()),
    }
  }, [])
  return <div ref={place} className={css.editor} />
}

/**
 * The editor of one text with tags. CodeMirror loads when the first editor is shown; until then a
 * text field takes its place, so that no key is lost, and hands over its text and caret. In plain
 * mode the text field stays, with the same guarantees.
 */
import { type ComponentType, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ChipEditorHandle, ChipEditorProps } from './editor-props.ts'
import { PlainEditor } from './plain-editor.tsx'

export type { ChipEditorHandle, ChipEditorProps }

let LiveEditor: ComponentType<ChipEditorProps> | undefined

/** If the file does not arrive, the text field stays; the next editor asks again. */
export async function loadEditor(): Promise<void> {
  LiveEditor ??= (await import('./live-editor.tsx').catch(() => undefined))?.default
}

export function ChipEditor({ handle, ...props }: ChipEditorProps) {
  const { tags, source, isPlain = false } = props
  const editor = useRef<ChipEditorHandle>(null)
  const [isLoaded, setLoaded] = useState(LiveEditor !== undefined)
  const [isLive, setLive] = useState(isLoaded)
  /** Where the text field had its caret, if it had the focus. */
  const caret = useRef<number>(undefined)
  useEffect(() => {
    if (!isPlain) void loadEditor().then(() => setLoaded(LiveEditor !== undefined))
  }, [isPlain])
  useImperativeHandle(
    handle,
    () => ({
      insertTag: (tag) => editor.current?.insertTag(tag),
      insertText: (text) => editor.current?.insertText(text),
      replace: (text) => editor.current?.replace(text),
      focus: () => editor.current?.focus(),
      selection: () => editor.current?.selection() ?? '',
    }),
    [],
  )
  if (!isPlain && isLive && LiveEditor)
    return <LiveEditor {...props} handle={editor} caret={caret.current} />
  const handOver = (at: number | undefined) => {
    caret.current = at
    setLive(true)
  }
  return (
    <PlainEditor
      {...props}
      key={JSON.stringify([tags, source])}
      handle={editor}
      {...(!isPlain && isLoaded && { onSettled: handOver })}
    />
  )
}

/**
 * The editor of one text with tags. CodeMirror loads when the first editor is shown; until then the text is shown, and what was
 * asked of the editor waits. In plain mode a text field takes its place, with the same guarantees.
 */
import { lazy, Suspense, useImperativeHandle, useMemo, useRef } from 'react'
import { orMissing } from '../../missing-file.ts'
import { ChipText } from './chip-text.tsx'
import type { ChipEditorHandle, ChipEditorProps } from './editor-props.ts'
import { PlainEditor } from './plain-editor.tsx'

export type { ChipEditorHandle, ChipEditorProps }

const LiveEditor = lazy(() => orMissing(import('./live-editor.tsx')))

export function ChipEditor(props: ChipEditorProps) {
  const { value, tags, source, language, isPlain = false, handle } = props
  const ready = useRef<ChipEditorHandle | null>(null)
  const asked = useRef<((editor: ChipEditorHandle) => void)[]>([])
  useImperativeHandle(handle, () => {
    const ask = (act: (editor: ChipEditorHandle) => void) => {
      if (ready.current) act(ready.current)
      else asked.current.push(act)
    }
    return {
      insertTag: (tag) => ask((editor) => editor.insertTag(tag)),
      insertText: (text) => ask((editor) => editor.insertText(text)),
      replace: (text) => ask((editor) => editor.replace(text)),
      focus: () => ask((editor) => editor.focus()),
      selection: () => ready.current?.selection() ?? '',
    }
  }, [])
  const inner = useMemo(
    () => (editor: ChipEditorHandle | null) => {
      ready.current = editor
      if (editor) for (const act of asked.current.splice(0)) act(editor)
    },
    [],
  )
  if (isPlain) return <PlainEditor {...props} key={JSON.stringify([tags, source])} handle={inner} />
  return (
    <Suspense fallback={<ChipText text={value} tags={tags} language={language} />}>
      <LiveEditor {...props} handle={inner} />
    </Suspense>
  )
}

/**
 * The plain mode: a text field with tags as `{1}`, for screen readers and input methods that a rich
 * editor disturbs.
 */
import type { TextParts } from '@dragoman/contract/wire'
import {
  type KeyboardEvent,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { directionOf } from '../../words/words.ts'
import css from './chip-editor.module.css'
import { openEchoes } from './echoes.ts'
import type { ChipEditorProps } from './editor-props.ts'
import { openPlainForm, type Selected } from './plain-text.ts'
import { sameText, type TextPart } from './texts.ts'

type PlainEditorProps = ChipEditorProps & {
  /**
   * Once it is given, called as soon as no input method is composing: with the caret, each tag
   * counted as one, if it has the focus.
   */
  readonly onSettled?: (caret: number | undefined) => void
}

export function PlainEditor(props: PlainEditorProps) {
  const {
    value,
    tags,
    source,
    language,
    label,
    describedBy,
    onChange,
    onKey,
    onLeave,
    onSettled,
    handle,
  } = props
  const field = useRef<HTMLTextAreaElement>(null)
  // Chosen for the text that the page gave: it does not change while one types.
  const [form, setForm] = useState(() => openPlainForm(tags, [value], source))
  const last = useRef(form.write(value))
  const echoes = useRef(openEchoes(value))
  const selected = useRef<Selected | undefined>(undefined)
  const isComposing = useRef(false)
  /** A value from outside that came while an input method was composing. */
  const waiting = useRef<TextParts>(undefined)

  const put = (text: string, caret: number) => {
    const { current } = field
    if (!current) return
    if (current.value !== text) {
      current.value = text
      current.setSelectionRange(caret, caret)
    }
    if (text === last.current) return
    last.current = text
    const parts = form.read(text)
    echoes.current.sent(parts)
    onChange(parts)
  }
  const settle = () => {
    const { text, caret } = form.mend(last.current, field.current?.value ?? '', selected.current)
    put(text, caret)
  }
  const insert = (text: string) => {
    const { current } = field
    if (!current) return
    const [from, to] = [current.selectionStart, current.selectionEnd]
    const after = current.value.slice(0, from) + text + current.value.slice(to)
    const mended = form.mend(last.current, after, { from, to })
    put(mended.text, mended.caret)
  }
  const takeWaiting = () => {
    const { current } = field
    const text = waiting.current
    waiting.current = undefined
    if (!current || !text || sameText(form.read(current.value), text)) return
    const next = openPlainForm(tags, [text], source)
    setForm(next)
    last.current = next.write(text)
    current.value = last.current
  }
  /** What was typed wins over what came meanwhile. */
  const endComposing = () => {
    isComposing.current = false
    const before = last.current
    settle()
    if (last.current !== before) waiting.current = undefined
    takeWaiting()
    tellSettled()
  }
  const tellSettled = () => {
    const { current } = field
    if (!onSettled || !current || isComposing.current) return
    const before = form.read(current.value.slice(0, current.selectionStart))
    const caret = before.reduce(
      (sum, part) => sum + (typeof part === 'string' ? part.length : 1),
      0,
    )
    onSettled(document.activeElement === current ? caret : undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page gives a value.
  useEffect(() => {
    const found = echoes.current.judge(value)
    if (found !== 'same') waiting.current = found === 'chosen' ? value : undefined
    if (!isComposing.current) takeWaiting()
  }, [value])
  // Before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is given.
  useLayoutEffect(tellSettled, [onSettled === undefined])
  useEffect(() => {
    const { current } = field
    const note = ({ isComposing }: InputEvent) => {
      selected.current =
        current && !isComposing
          ? { from: current.selectionStart, to: current.selectionEnd }
          : undefined
    }
    current?.addEventListener('beforeinput', note)
    current?.setSelectionRange(current.value.length, current.value.length)
    return () => current?.removeEventListener('beforeinput', note)
  }, [])
  useImperativeHandle(handle, () => ({
    insertTag: (tag) => insert(form.tokenOf(tag)),
    insertText: insert,
    replace: (text: readonly TextPart[]) => put(form.write(text), form.write(text).length),
    focus: () => field.current?.focus(),
    selection: () => {
      const { value: all = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
      return form
        .read(all.slice(selectionStart, selectionEnd))
        .filter((part) => typeof part === 'string')
        .join('')
    },
  }))
  return (
    <textarea
      ref={field}
      className={css.plain}
      aria-label={label}
      aria-describedby={describedBy}
      lang={language}
      dir={directionOf(language)}
      rows={2}
      spellCheck
      defaultValue={last.current}
      onInput={(event) => (event.nativeEvent as InputEvent).isComposing || settle()}
      onCompositionStart={() => {
        isComposing.current = true
      }}
      onCompositionEnd={endComposing}
      onKeyDown={(event: KeyboardEvent) => {
        if (!event.nativeEvent.isComposing && onKey(event.nativeEvent)) event.preventDefault()
      }}
      onBlur={onLeave}
    />
  )
}

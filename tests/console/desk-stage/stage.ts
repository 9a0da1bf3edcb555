/**
 * A page for tests of the chip editor and of drafts, with the console's own providers; bundled and
 * served by desk-stage.ts, never built with the console. `?stage=drafts` shows nothing but a
 * session, its sign-in dialog and the drafts of a task.
 */
import '../../../packages/console/src/trusted-types.ts'
import '../../../packages/console/src/look/styles.ts'
import type { Segment, Session, TextParts, TextTag } from '@dragoman/contract/wire'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { call } from '../../../packages/console/src/hub.ts'
import { cssVariables, theme } from '../../../packages/console/src/look/theme.ts'
import { nonce } from '../../../packages/console/src/page-facts.ts'
import {
  type Drafts,
  useDrafts,
} from '../../../packages/console/src/pages/workbench/drafts/use-drafts.ts'
import { Asking } from '../../../packages/console/src/parts/asking.tsx'
import {
  ChipEditor,
  type ChipEditorHandle,
} from '../../../packages/console/src/parts/chip-editor/chip-editor.tsx'
import { ChipText } from '../../../packages/console/src/parts/chip-editor/chip-text.tsx'
import { queryClient } from '../../../packages/console/src/queries.ts'
import { readSession, SessionContext } from '../../../packages/console/src/session.tsx'
import { loadEveryPage } from '../../../packages/console/src/words/words.ts'

export type Shown = {
  readonly value: TextParts
  readonly tags: readonly TextTag[]
  readonly source?: TextParts
  readonly language: string
  readonly isPlain?: boolean
  /** The page renders the value before once more, then the new one, each as another array. */
  readonly isLate?: boolean
  /** Another editor, also for the same text. */
  readonly editor?: number
}
type Task = { readonly providerId: string; readonly jobId: string; readonly assetTaskId: string }
export type Stage = {
  readonly isReady: boolean
  show(shown: Shown): void
  /** The last that the page gave or the editor reported. */
  value: TextParts
  readonly keys: string[]
  leaves: number
  editor: ChipEditorHandle | null
  drafts?: Drafts
  list(): Promise<Segment[]>
}

const query = new URLSearchParams(location.search)
const begins: Shown = { value: [], tags: [], language: 'de-de' }
const stage: { -readonly [Name in keyof Stage]: Stage[Name] } = {
  isReady: false,
  show() {},
  value: [],
  keys: [],
  leaves: 0,
  editor: null,
  list: async () => (await call('listSegments', { params: taskHere() })).segments,
}
Object.assign(globalThis, { stage })

const taskHere = (): Task => {
  const [providerId = '', jobId = '', assetTaskId = ''] = (query.get('task') ?? '').split('/')
  return { providerId, jobId, assetTaskId }
}

function EditorStage() {
  const [shown, show] = useState(begins)
  const [value, setValue] = useState<TextParts>(begins.value)
  stage.isReady = true
  stage.show = (next) => {
    stage.value = next.value
    flushSync(() => {
      show(next)
      setValue(next.value)
    })
  }
  return createElement(
    'main',
    { className: 'stage' },
    createElement('h1', null, 'The stage'),
    createElement('p', { id: 'about' }, 'A segment'),
    createElement(ChipEditor, {
      key: JSON.stringify([shown.tags, shown.isPlain, shown.editor]),
      ...shown,
      value,
      label: 'Translation',
      describedBy: 'about',
      onChange(now: TextParts) {
        stage.value = now
        if (shown.isLate) setValue((before) => [...before])
        if (shown.isLate) setTimeout(() => setValue(now))
        else setValue(now)
      },
      onKey(event: KeyboardEvent) {
        stage.keys.push(event.key)
        return event.key === 'F9'
      },
      onLeave() {
        stage.leaves += 1
      },
      handle(editor: ChipEditorHandle | null) {
        stage.editor = editor
      },
    }),
    createElement(
      'p',
      { id: 'read' },
      createElement(ChipText, { text: value, tags: shown.tags, language: shown.language }),
    ),
    createElement('button', { type: 'button' }, 'Elsewhere'),
  )
}

function DraftStage({ session }: { readonly session: Session }) {
  const [known, learn] = useState(session)
  return createElement(
    SessionContext,
    { value: known },
    createElement(ShownDrafts),
    createElement(Asking, { session: known, onSession: learn }),
  )
}

function ShownDrafts() {
  const drafts = useDrafts(taskHere())
  stage.drafts = drafts
  return createElement('main', null, createElement('p', { id: 'open' }, drafts.open))
}

const inProviders = (children: ReactNode) =>
  createElement(MantineProvider, {
    theme,
    cssVariablesResolver: cssVariables,
    defaultColorScheme: 'auto',
    getStyleNonce: () => nonce,
    children: createElement(QueryClientProvider, { client: queryClient }, children),
  })

await loadEveryPage('en')
const root = createRoot(document.querySelector('#console') as HTMLElement)
if (query.get('stage') === 'drafts')
  root.render(inProviders(createElement(DraftStage, { session: await readSession() })))
else root.render(inProviders(createElement(EditorStage)))

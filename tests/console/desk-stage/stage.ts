/**
 * A page for tests of the chip editor and of drafts, with the console's own providers; bundled and served by desk-stage.ts, never
 * built with the console. `?stage=drafts` shows nothing but a session, its sign-in dialog and the drafts of a task.
 */
import '../../../packages/console/src/trusted-types.ts'
import '../../../packages/console/src/look/styles.ts'
import type { Segment, Session, TextParts, TextTag } from '@dragoman/contract/wire'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { call } from '../../../packages/console/src/hub.ts'
import { nonce } from '../../../packages/console/src/page-facts.ts'
import { type Drafts, useDrafts } from '../../../packages/console/src/pages/workbench/drafts/use-drafts.ts'
import { Asking } from '../../../packages/console/src/parts/asking.tsx'
import { ChipEditor, type ChipEditorHandle } from '../../../packages/console/src/parts/chip-editor/chip-editor.tsx'
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
}
type Task = { readonly providerId: string; readonly jobId: string; readonly assetTaskId: string }
export type Stage = {
  show(shown: Shown): void
  value: TextParts
  /** Every value that the editor reported. */
  readonly changes: TextParts[]
  readonly keys: string[]
  leaves: number
  editor: ChipEditorHandle | null
  drafts?: Drafts
  list(): Promise<Segment[]>
}

const query = new URLSearchParams(location.search)
const begins: Shown = { value: [], tags: [], language: 'de-de' }
const stage: Stage = {
  show() {},
  value: [],
  changes: [],
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
  stage.value = value
  stage.show = (next) => {
    stage.changes.length = 0
    show(next)
    setValue(next.value)
  }
  return createElement(
    'main',
    { className: 'stage' },
    createElement('h1', null, 'The stage'),
    createElement('p', { id: 'about' }, 'A segment'),
    createElement(ChipEditor, {
      key: JSON.stringify([shown.tags, shown.isPlain]),
      ...shown,
      value,
      label: 'Translation',
      describedBy: 'about',
      onChange(now: TextParts) {
        stage.changes.push(now)
        setValue(now)
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
    getStyleNonce: () => nonce,
    children: createElement(QueryClientProvider, { client: queryClient }, children),
  })

await loadEveryPage('en')
const root = createRoot(document.querySelector('#console') as HTMLElement)
if (query.get('stage') === 'drafts')
  root.render(inProviders(createElement(DraftStage, { session: await readSession() })))
else root.render(inProviders(createElement(EditorStage)))

/** If a page crashes, the rest keeps working, and another URL resets the error. A missing file of the console needs a reload. */
import { Component, type ReactNode } from 'react'
import { HubFailure } from '../hub.ts'
import { MissingFile } from '../missing-file.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import { Button } from './controls.tsx'
import { Empty, Failed } from './said.tsx'

type CaughtProps = { readonly at?: string; readonly children: ReactNode }

export class Caught extends Component<CaughtProps, { readonly failure?: Error | undefined }> {
  override state: { readonly failure?: Error | undefined } = {}
  override componentDidUpdate({ at }: CaughtProps) {
    if (at !== this.props.at && this.state.failure) this.setState({ failure: undefined })
  }
  static getDerivedStateFromError(failure: Error) {
    return { failure }
  }
  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    if (failure instanceof MissingFile) return <Missing />
    const told =
      failure instanceof HubFailure ? failure : new HubFailure(-1, { code: 'CONSOLE', message: failure.message })
    return <Failed failure={told} retry={() => this.setState({ failure: undefined })} />
  }
}

/** The network failed, or the hub has another version now: browsers cache such a failure until the page is reloaded. */
function Missing() {
  const t = useWords<keyof typeof en>('parts')
  return (
    <div role="alert">
      <Empty glyph="error" title={t('missingFile')}>
        <p>{t('missingFileBody')}</p>
        <Button glyph="again" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
      </Empty>
    </div>
  )
}

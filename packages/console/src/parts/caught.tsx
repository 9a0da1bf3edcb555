/**
 * If a page crashes, the rest keeps working, and another URL resets the error. A missing file of
 * the console needs a reload.
 */
import { Component, type ReactNode, useEffect, useState } from 'react'
import { HubFailure } from '../hub.ts'
import { isHubThere, useHubBack } from '../live/hub-back.ts'
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
      failure instanceof HubFailure
        ? failure
        : new HubFailure(-1, { code: 'CONSOLE', message: failure.message })
    return <Failed failure={told} retry={() => this.setState({ failure: undefined })} />
  }
}

/**
 * The network failed, or the hub has another version now. Browsers remember a failed file until the
 * page is reloaded, so a retry reloads it, but only while the hub answers: otherwise the browser
 * would put its own error in place of the console.
 */
function Missing() {
  const t = useWords<keyof typeof en>('parts')
  const [isAway, setAway] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const again = async () => {
    setAsking(true)
    const isThere = await isHubThere()
    if (isThere) return location.reload()
    setAsking(false)
    setAway(true)
  }
  useEffect(() => {
    void isHubThere().then((isThere) => setAway(!isThere))
  }, [])
  useHubBack(isAway, () => location.reload())
  return (
    <div role="alert">
      <Empty glyph="error" title={t('missingFile')}>
        <p>{t(isAway ? 'missingFileAway' : 'missingFileBody')}</p>
        <Button glyph="again" busy={isAsking} onClick={() => void again()}>
          {t('retry')}
        </Button>
      </Empty>
    </div>
  )
}

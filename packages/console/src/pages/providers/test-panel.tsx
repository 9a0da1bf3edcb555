/**
 * The test button: the engine translates a sentence, or the clients that work for the provider are
 * listed.
 */
import { useState } from 'react'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { FieldRow, faultsOf, TextField } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/page.tsx'
import { useAct } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/providers.json'
import { directionOf, useWords } from '../../words/words.ts'
import type { Provider } from './provider.tsx'
import css from './providers.module.css'

/** Types whose work is done by others: there is no engine to test. */
const byOthers = ['manual', 'api']

export function TestPanel({ provider }: { readonly provider: Provider }) {
  const t = useWords<keyof typeof en>('providers')
  const writers = useWriters()
  const mayTest = useMay('manager')
  const [text, setText] = useState('')
  const [source, setSource] = useState('')
  const [target, setTarget] = useState('')
  const act = useAct('testProvider')
  const hasEngine = !byOthers.includes(provider.typeId)
  const test = () =>
    act.mutate({
      params: { providerId: provider.id },
      body: {
        ...(text.trim() && { text }),
        ...(source && { sourceNativeLanguageCode: source }),
        ...(target && { targetNativeLanguageCode: target }),
      },
    })
  useKeys(mayTest ? [{ keys: 't', says: t('test'), act: test }] : [])
  const faults = faultsOf(act.error)
  const found = act.data
  return (
    <Panel
      title={t('test')}
      beside={
        <span className={css.atEnd}>
          <Button
            small
            kind="main"
            glyph="play"
            busy={act.isPending}
            refusal={mayTest ? undefined : t('onlyManagers')}
            onClick={test}
          >
            {t(hasEngine ? 'testNow' : 'checkNow')}
          </Button>
        </span>
      }
    >
      <p className="mut">{t(hasEngine ? 'testBody' : 'checkBody')}</p>
      {hasEngine && (
        <>
          <TextField
            label={t('sentence')}
            value={text}
            onChange={setText}
            placeholder={t('usualSentence')}
            fault={faults.get('text')}
          />
          <FieldRow>
            <TextField
              label={t('from')}
              mono
              value={source}
              onChange={setSource}
              placeholder="en"
              fault={faults.get('sourceNativeLanguageCode')}
            />
            <TextField
              label={t('to')}
              mono
              value={target}
              onChange={setTarget}
              placeholder={t('firstTarget')}
              fault={faults.get('targetNativeLanguageCode')}
            />
          </FieldRow>
        </>
      )}
      <div role="status">
        {act.error && faults.size === 0 && (
          <p className={css.bad}>
            <bdi>{act.error.message}</bdi>
          </p>
        )}
        {found && (
          <div className={found.works ? `${css.result} approved` : `${css.result} rejected`}>
            <p>
              <b>{t(found.works ? (hasEngine ? 'works' : 'hasClients') : 'fails')}</b>{' '}
              {hasEngine && <span>{writers.duration(found.durationMs)}</span>}
            </p>
            {found.translation !== undefined && (
              <p
                className={css.translation}
                lang={found.targetNativeLanguageCode}
                dir={directionOf(found.targetNativeLanguageCode ?? '')}
              >
                {found.translation}
              </p>
            )}
            {found.error && (
              <p lang="en">
                <bdi>{found.error}</bdi>
              </p>
            )}
            {found.sourceNativeLanguageCode && (
              <p>
                {t('pair', {
                  source: writers.language(found.sourceNativeLanguageCode),
                  target: writers.language(found.targetNativeLanguageCode ?? ''),
                })}
              </p>
            )}
            {found.clients?.map(({ clientId, lastUsedDate }) => (
              <p key={clientId}>
                <bdi>{clientId}</bdi>:{' '}
                {lastUsedDate ? <Moment at={lastUsedDate} as="relative" /> : t('neverCalled')}
              </p>
            ))}
          </div>
        )}
      </div>
    </Panel>
  )
}

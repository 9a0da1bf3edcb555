/**
 * A task in a format without segments: the file to download, the translation to upload, with the
 * same checks at delivery.
 */
import { useState } from 'react'
import { call, HubFailure } from '../../hub.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { Button } from '../../parts/controls.tsx'
import { Download } from '../../parts/download.tsx'
import { Panel } from '../../parts/page.tsx'
import { useAct } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import { ClaimFirst } from './claim-first.tsx'
import { BenchFrame } from './head.tsx'
import { RejectNote } from './reject-note.tsx'
import { isOver, type Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

export function FileCard({ task }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const { person } = useSession()
  const { at } = task
  const { filename = '', assignee } = task.task
  const [file, setFile] = useState<File>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<HubFailure>()
  const submit = useAct('changeAssetTask', ['findAssetTask', 'listWork', 'countOpen'])
  const isMine = assignee?.personId === person.personId
  const path = `/providers/${at.providerId}/jobs/${at.jobId}/assetTasks/${at.assetTaskId}/sourceFile`
  const deliver = async () => {
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      const place = await call('createTranslatedFile', { params: at })
      const form = new FormData()
      form.append('file', file)
      const answer = await fetch(place.fmsPostMultipartUrl, { method: 'POST', body: form })
      if (!answer.ok) throw new HubFailure(answer.status, { message: await answer.text() })
      await submit.mutateAsync({ params: at, body: { statusCode: 'TRANSLATION_SUBMITTED' } })
      setFile(undefined)
    } catch (error) {
      setFailure(
        error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }),
      )
    }
    setBusy(false)
  }
  return (
    <BenchFrame task={task} acts={null}>
      <div className={css.card}>
        {!isMine && !isOver(task) && <ClaimFirst task={task} />}
        <RejectNote task={task} />
        <Panel title={t('asFile')}>
          <p className="mut">{t('asFileBody')}</p>
          <p className={css.fileLine}>
            <Glyph name="file" />
            <bdi>{filename}</bdi>
            <Download path={path} name={filename} label={t('downloadSource', { name: filename })} />
          </p>
          {isMine && !isOver(task) && (
            <>
              <label className={css.field}>
                <span>{t('translatedFile')}</span>
                <input type="file" onChange={({ target }) => setFile(target.files?.[0])} />
              </label>
              <Button
                kind="main"
                busy={isBusy}
                refusal={file ? undefined : t('chooseFile')}
                onClick={() => void deliver()}
              >
                {t('deliver')}
              </Button>
            </>
          )}
          {failure && (
            <p role="alert" className={css.fault}>
              <bdi>{failure.message}</bdi>
            </p>
          )}
        </Panel>
      </div>
    </BenchFrame>
  )
}

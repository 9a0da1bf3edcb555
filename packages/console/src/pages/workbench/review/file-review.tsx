/**
 * A request in a format without segments, to review: both files to download, what the checks say,
 * and a note for the translator.
 */
import { Glyph } from '../../../look/glyphs.tsx'
import { Download } from '../../../parts/download.tsx'
import { Panel } from '../../../parts/page.tsx'
import { useWords } from '../../../words/words.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import css from '../workbench.module.css'

type FileReviewProps = {
  readonly task: Task
  readonly canJudge: boolean
  readonly note: string
  readonly setNote: (note: string) => void
}

export function FileReview({ task: { at, task }, canJudge, note, setNote }: FileReviewProps) {
  const t = useWords<Key>('workbench')
  const { fileName = task.requestName, fileId, warnings = [] } = task
  const request = `/jobs/${at.jobId}/requests/${at.assetTaskId}`
  return (
    <div className={css.card}>
      <Panel title={t('reviewFile')}>
        <p className="mut">{t('reviewFileBody')}</p>
        {fileId && (
          <p className={css.fileLine}>
            <Glyph name="file" />
            <bdi>{fileName}</bdi>
            <span className="dim">{t('sourceFile')}</span>
            <Download
              path={`/jobs/${at.jobId}/sourcefiles/${fileId}`}
              name={fileName}
              label={t('downloadSource', { name: fileName })}
            />
          </p>
        )}
        <p className={css.fileLine}>
          <Glyph name="file" />
          <bdi>{fileName}</bdi>
          <span className="dim">{t('translatedFile')}</span>
          <Download
            path={`${request}/retrievefile`}
            name={fileName}
            label={t('downloadTranslation', { name: fileName })}
          />
        </p>
        {warnings.map((warning) => (
          <p key={warning} className={css.warning}>
            <Glyph name="error" size={14} />
            <bdi>{warning}</bdi>
          </p>
        ))}
        {canJudge && (
          <label className={css.field}>
            <span>{t('note')}</span>
            <textarea
              data-note
              rows={3}
              dir="auto"
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          </label>
        )}
      </Panel>
    </div>
  )
}

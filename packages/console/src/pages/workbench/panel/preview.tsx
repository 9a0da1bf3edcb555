/**
 * The file as it would be delivered now, in a frame without scripts and network. It follows the
 * segment and what was saved.
 */
import { Glyph } from '../../../look/glyphs.tsx'
import { prefix } from '../../../page-facts.ts'
import { useSession } from '../../../session.tsx'
import { useWords } from '../../../words/words.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import type { Shown } from '../use-segments.ts'
import css from '../workbench.module.css'

type PreviewProps = {
  readonly task: Task
  readonly row: Shown
  readonly savedAt: number | undefined
}

export function Preview({ task: { at }, row, savedAt }: PreviewProps) {
  const t = useWords<Key>('workbench')
  const { siteId } = useSession()
  const query = new URLSearchParams({
    segment: row.segmentId,
    site: siteId,
    ...(savedAt && { at: String(savedAt) }),
  })
  return (
    <section className={css.preview}>
      <p className="meta dim">
        <Glyph name="lock" size={12} /> {t('sealed')}
      </p>
      <iframe
        title={t('preview')}
        sandbox=""
        src={`${prefix}/console/work/${at.providerId}/${at.jobId}/${at.assetTaskId}/preview?${query}#segment`}
      />
    </section>
  )
}

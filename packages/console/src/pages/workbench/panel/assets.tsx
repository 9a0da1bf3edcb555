/**
 * Files that help to translate the job, such as a style guide, to download. Nothing is shown for a
 * job without any.
 */
import { Glyph } from '../../../look/glyphs.tsx'
import { Download } from '../../../parts/download.tsx'
import { Panel as Box } from '../../../parts/page.tsx'
import { useCall } from '../../../queries.ts'
import { useWords } from '../../../words/words.ts'
import type { Task } from '../task.ts'
import type { Key } from '../texts.ts'
import css from '../workbench.module.css'

export function Assets({ task: { at } }: { readonly task: Task }) {
  const t = useWords<Key>('workbench')
  const { providerId, jobId } = at
  const { data } = useCall('listProviderSupportAssets', { params: { providerId, jobId } })
  const assets = data?.supportAssets ?? []
  if (assets.length === 0) return null
  return (
    <Box title={t('assets')}>
      {assets.map(({ supportassetId: id, filename, description }) => (
        <p key={id} title={description} className={css.fileLine}>
          <Glyph name="file" />
          <bdi>{filename}</bdi>
          <Download
            path={`/providers/${providerId}/jobs/${jobId}/supportAssets/${id}/sourceFile`}
            name={filename}
            label={t('downloadSource', { name: filename })}
          />
        </p>
      ))}
    </Box>
  )
}

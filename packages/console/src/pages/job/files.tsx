/** The files of a job: sources and translations, with their sizes. */
import type { Job } from '@dragoman/contract/wire'
import { useMemo } from 'react'
import { Download } from '../../parts/download.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty } from '../../parts/said.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './sentence.tsx'
import type { Entry } from './timeline-rows.ts'

export function FilesTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const [, setSearch] = useSearchState()
  const { jobId } = job
  const pages = usePages('listTimeline', {
    params: { jobId },
    query: { kind: ['file'], order: 'desc' },
  })
  const columns = useMemo((): Column<Entry>[] => {
    const pathOf = ({ id, fileKind, requestIds: [requestId] = [] }: Entry): string | undefined => {
      if (fileKind !== 'translation') return `/jobs/${jobId}/sourcefiles/${id}`
      return requestId && `/jobs/${jobId}/requests/${requestId}/retrievefile`
    }
    return [
      {
        name: 'name',
        title: t('file'),
        width: 'minmax(0, 2fr)',
        cell: ({ name, id, requests: [request] = [] }) => (
          <>
            <bdi>{name ?? id}</bdi>
            {request && (
              <span className="dim">
                {' '}
                <bdi>{request.requestName}</bdi>
              </span>
            )}
          </>
        ),
      },
      {
        name: 'kind',
        title: t('kind'),
        width: 'minmax(0, 140px)',
        narrow: 2,
        cell: ({ fileKind }) => t(fileKind === 'translation' ? 'translation' : 'source'),
      },
      {
        name: 'language',
        title: t('language'),
        width: 'minmax(0, 100px)',
        narrow: 2,
        cell: ({ requests: [request] = [] }) =>
          request && <bdi>{request.targetNativeLanguageCode}</bdi>,
      },
      {
        name: 'size',
        title: t('size'),
        width: '90px',
        atEnd: true,
        narrow: 2,
        cell: ({ size, state }) =>
          size === undefined || state !== 'stored' ? (
            <span className="dim">{t('notUploaded')}</span>
          ) : (
            writers.bytes(size)
          ),
      },
      {
        name: 'time',
        title: t('since'),
        width: '185px',
        narrow: 2,
        cell: ({ time }) => <Moment at={time} />,
      },
      {
        name: 'download',
        title: t('download'),
        width: '90px',
        atEnd: true,
        cell: (file) => {
          const path = pathOf(file)
          if (!path || file.state !== 'stored' || job.archiveStatus !== 'ACTIVE') return null
          return (
            <Download
              path={path}
              name={file.name ?? file.id}
              label={t('downloadFile', { name: file.name ?? '' })}
            />
          )
        },
      },
    ]
  }, [job.archiveStatus, jobId, t, writers])
  return (
    <Grid
      label={t('tab.files')}
      columns={columns}
      pages={pages}
      idOf={({ id }) => id}
      onOpen={(file: Entry) => {
        const requestId = file.requestIds?.[0]
        if (requestId) setSearch({ at: `request.${requestId}` }, 'push')
      }}
      empty={<Empty title={t('noFiles')} glyph="file" />}
    />
  )
}

/** The job as the hub returns it. */
import type { Job } from '@dragoman/contract/wire'
import { Copy } from '../../parts/controls.tsx'
import { Code } from '../../parts/page.tsx'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

export function RawTab({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const text = JSON.stringify(job, null, 2)
  return (
    <div className={css.raw}>
      <div className={css.bar}>
        <code>GET /v2/jobs/{job.jobId}</code>
        <span className={css.push} />
        <Copy text={text} label={t('copyRaw')}>
          {t('copyRaw')}
        </Copy>
      </div>
      <Code text={text} label={t('tab.raw')} />
    </div>
  )
}

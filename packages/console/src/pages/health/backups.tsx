/** Whether a backup is due, and which versions run. */
import { Copy } from '../../parts/controls.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import { NotShown } from './not-shown.tsx'
import type { Key, PartProps } from './part.ts'
import { useOperator } from './use-operator.ts'

const command = 'dragoman backup /var/backups/dragoman'

export function Backups({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const isOperator = useOperator()
  const { version, profile } = useSession()
  return (
    <Page {...frame}>
      <div className={css.panels}>
        <Panel title={t('backup')}>
          {isOperator ? (
            <LastBackup />
          ) : (
            <NotShown title={t('noBackup')} body={t('noBackupBody')} />
          )}
        </Panel>
        <Panel title={t('versions')}>
          <Facts
            facts={[
              { name: t('thisHub'), value: version },
              { name: t('profile'), value: profile },
            ]}
          />
          {isOperator && <NodeVersions />}
        </Panel>
      </div>
    </Page>
  )
}

function LastBackup() {
  const t = useWords<Key>('health')
  const found = useCall('listFindings', { query: { rule: ['backup-old'] } })
  return (
    <Shown of={found} rows={2}>
      {({ findings: [finding] }) => (
        <>
          {finding ? (
            <p lang="en" dir="ltr" className="rejected">
              {finding.sentence}
            </p>
          ) : (
            <p>{t('backupFine')}</p>
          )}
          <p className="dim meta">{t('backupRun')}</p>
          <p className={css.command}>
            <code>{command}</code>
            <Copy text={command} label={command} />
          </p>
        </>
      )}
    </Shown>
  )
}

function NodeVersions() {
  const t = useWords<Key>('health')
  const nodes = useCall('listNodes', {})
  return (
    <Shown of={nodes} rows={1}>
      {({ nodes: all }) => (
        <>
          <dl className={css.pairs}>
            {all.flatMap(({ nodeId, host, version }) => [
              <dt key={nodeId}>
                <bdi>{host ?? nodeId}</bdi>
              </dt>,
              <dd key={`${nodeId} version`}>{version}</dd>,
            ])}
          </dl>
          {new Set(all.map(({ version }) => version)).size > 1 && <p>{t('mixed')}</p>}
        </>
      )}
    </Shown>
  )
}

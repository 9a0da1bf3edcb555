/** One client: what it may do, its secrets with rotation and overlap, and how to disable it. */
import { useState } from 'react'
import { Link } from 'wouter'
import { useNow } from '../../clock.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button } from '../../parts/controls.tsx'
import { ChoiceField } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Facts, Inspector, Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct, usePages } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import css from './access.module.css'
import { type Client, ClientState, endsSoon } from './client-state.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type Key = keyof typeof en
type Props = {
  readonly client: Client
  readonly onClose: () => void
  readonly onChange: () => void
}

export function ClientInspector({ client, onClose, onChange }: Props) {
  const t = useWords<Key>('access')
  const { clientId, disabled } = client
  const mayChange = useMay('admin')
  const [asks, setAsks] = useState<'disable' | 'delete'>()
  const refusal = mayChange ? undefined : t('onlyAdmins')
  return (
    <Inspector
      label={t('client')}
      title={
        <>
          <Name of={client.clientId} />
          <ClientState client={client} />
        </>
      }
      onClose={onClose}
    >
      <Secrets client={client} refusal={refusal} />
      <May client={client} refusal={refusal} onChange={onChange} />
      <Panel title={t('stop')}>
        <p className="mut">{t(client.disabled ? 'disabledBody' : 'stopBody')}</p>
        <div className={css.acts}>
          <Button small refusal={refusal} onClick={() => setAsks('disable')}>
            {t(client.disabled ? 'enable' : 'disable')}
          </Button>
          <Button
            small
            kind="danger"
            glyph="bin"
            refusal={refusal}
            onClick={() => setAsks('delete')}
          >
            {t('delete')}
          </Button>
          <Link href={`/access/audit?client=${encodeURIComponent(client.clientId)}`}>
            {t('whatItDid')}
          </Link>
        </div>
      </Panel>
      {asks === 'disable' && (
        <AskDialog
          title={t(disabled ? 'enableTitle' : 'disableTitle', { client: clientId })}
          act={t(disabled ? 'enable' : 'disable')}
          kind={disabled ? 'main' : 'danger'}
          call="changeClient"
          input={{ params: { clientId }, body: { disabled: !disabled } }}
          changes={['listClients']}
          onDone={() => setAsks(undefined)}
          onClose={() => setAsks(undefined)}
        >
          <p>{t(disabled ? 'enableAsk' : 'disableAsk')}</p>
        </AskDialog>
      )}
      {asks === 'delete' && (
        <AskDialog
          title={t('deleteTitle', { client: clientId })}
          act={t('delete')}
          kind="danger"
          call="deleteClient"
          input={{ params: { clientId } }}
          changes={['listClients']}
          onDone={onClose}
          onClose={() => setAsks(undefined)}
        >
          <p>{t('deleteAsk')}</p>
          {client.scopes.includes('admin') && <p className="mut">{t('lastAdmin')}</p>}
        </AskDialog>
      )}
    </Inspector>
  )
}

const overlaps = ['0s', '1h', '24h', '3d', '7d'] as const

/** Two secrets may be valid at once, the old one until its expiry. */
function Secrets({
  client,
  refusal,
}: {
  readonly client: Client
  readonly refusal: string | undefined
}) {
  const t = useWords<Key>('access')
  const now = useNow()
  const [overlap, setOverlap] = useState<string>('24h')
  const act = useAct('rotateClientSecret', ['listClients'])
  const soon = endsSoon(client, now)
  return (
    <Panel title={t('secrets')} {...(soon && { tone: 'warn' as const })}>
      {client.secrets.length === 0 && <p className="mut">{t('noSecrets')}</p>}
      <ol className={css.secrets}>
        {client.secrets.map(({ createdDate, expiryDate }, at) => (
          <li key={createdDate}>
            <span>
              {t('madeOn')} <Moment at={createdDate} as="dateYear" />
            </span>
            <span className={expiryDate ? css.ends : 'dim'}>
              {expiryDate ? (
                <>
                  {t('ends')} <Moment at={expiryDate} as="relative" />
                </>
              ) : (
                t(at === 0 ? 'current' : 'noEnd')
              )}
            </span>
          </li>
        ))}
      </ol>
      {soon && <p>{t('soonBody')}</p>}
      <div className={css.rotate}>
        <ChoiceField
          label={t('overlap')}
          help={t('overlapHelp')}
          value={overlap}
          onChange={setOverlap}
          choices={overlaps.map((value) => ({ value, title: t(`overlap.${value}`) }))}
        />
        <Button
          small
          glyph="again"
          refusal={refusal}
          busy={act.isPending}
          onClick={() => act.mutate({ params: { clientId: client.clientId }, body: { overlap } })}
        >
          {t('rotate')}
        </Button>
      </div>
      <Refused failure={act.error} />
      {act.data && (
        <SecretDialog
          clientId={act.data.clientId}
          secret={act.data.clientSecret}
          oldUntil={act.data.oldSecretsUntil}
          onClose={() => act.reset()}
        />
      )}
    </Panel>
  )
}

function May({
  client,
  refusal,
  onChange,
}: {
  readonly client: Client
  readonly refusal: string | undefined
  readonly onChange: () => void
}) {
  const t = useWords<Key>('access')
  const writers = useWriters()
  const providers = usePages('listProviders', {}, { enabled: client.providers.length > 0 })
  const nameOf = (id: string) => providers.items.find((one) => one.id === id)?.name ?? id
  const quotas = Object.entries(client.quotas)
  return (
    <Panel
      title={t('may')}
      beside={
        <span className={css.atEnd}>
          <Button small refusal={refusal} onClick={onChange}>
            {t('change')}
          </Button>
        </span>
      }
    >
      <Facts
        facts={[
          {
            name: t('scopes'),
            value: client.scopes.map((scope) => t(`scope.${scope}`)).join(', '),
          },
          client.providers.length > 0 && {
            name: t('providers'),
            value: client.providers.map((id, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link href={`/providers/${id}`}>
                  <Name of={nameOf(id)} />
                </Link>
              </span>
            )),
          },
          { name: t('pageFormat'), value: t(`page.${client.pageFormat}`) },
          {
            name: t('networks'),
            value:
              client.allowFrom.length > 0 ? (
                <bdi dir="ltr">{client.allowFrom.join(', ')}</bdi>
              ) : (
                t('anywhere')
              ),
          },
          client.rateLimit !== undefined && {
            name: t('rateLimit'),
            value: t('perSecond', { count: client.rateLimit }),
          },
          client.certificates.length > 0 && {
            name: t('certificates'),
            value: writers.number(client.certificates.length),
          },
          ...quotas.map(([name, value]) => ({ name, value: writers.number(value) })),
          { name: t('added'), value: <Moment at={client.createdDate} as="dateYear" /> },
          {
            name: t('lastUse'),
            value: client.lastUsedDate ? (
              <Moment at={client.lastUsedDate} as="relative" />
            ) : (
              t('never')
            ),
          },
        ]}
      />
    </Panel>
  )
}

/** One finding: what, since when, where it is, and its action. */
import type { Finding } from '@dragoman/contract/wire'
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useRoleName } from '../../parts/role-names.ts'
import { useMay } from '../../session.tsx'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import type { Key } from './part.ts'
import { Sentence } from './sentence.tsx'
import { useOperator } from './use-operator.ts'

/** The page that shows the thing of a finding. */
function linksOf({ rule, thing, thingId }: Finding): { words: Key; href: string }[] {
  const id = encodeURIComponent(thingId)
  switch (thing) {
    case 'task':
      return [{ words: 'open.task', href: `/health/tasks?task=${id}&state=parked` }]
    case 'listener': {
      const state = rule === 'parked-deliveries' ? '&state=PARKED' : ''
      return [
        { words: 'open.listener', href: `/listeners/${id}` },
        { words: 'open.deliveries', href: `/deliveries?listener=${id}${state}` },
      ]
    }
    case 'job':
      return [{ words: 'open.job', href: `/jobs/${id}` }]
    case 'provider':
      return [{ words: 'open.provider', href: `/providers/${id}` }]
    case 'client':
      return [{ words: 'open.client', href: `/access/clients?client=${id}` }]
    case 'node':
      return [{ words: 'open.node', href: '/health/nodes' }]
    case 'site':
    case 'quota':
    case 'disk':
      return [{ words: 'open.storage', href: '/health/storage' }]
    default:
      return []
  }
}

export function FindingRow({
  finding,
  onRemedy,
}: {
  readonly finding: Finding
  readonly onRemedy: () => void
}) {
  const t = useWords<Key>('health')
  const roleName = useRoleName()
  const { siteId, since, remedy, more } = finding
  const mayAct = useMay('admin')
  const isOperator = useOperator()
  const refusal = mayAct || isOperator ? undefined : t('mayNot', { role: roleName('admin') })
  return (
    <li className={css.finding} tabIndex={-1}>
      <p className={css.sentence}>
        <Sentence finding={finding} />
        {!more && (
          <span>
            <Moment at={since} as="relative" />
          </span>
        )}
        {isOperator && siteId && (
          <span>
            {t('site')} <bdi>{siteId}</bdi>
          </span>
        )}
      </p>
      <div className={css.acts}>
        {remedy && (
          <Button
            kind="main"
            small
            onClick={onRemedy}
            refusal={refusal}
            data-remedy={finding.findingId}
          >
            {t(`remedy.${remedy.name}` as Key)}
          </Button>
        )}
        {linksOf(finding).map(({ words, href }) => (
          <ButtonLink key={href} small href={href}>
            {t(words)}
          </ButtonLink>
        ))}
      </div>
    </li>
  )
}

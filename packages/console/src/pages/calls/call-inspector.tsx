/**
 * One call: first what its response means and what to do, then its facts, its bodies with the
 * faults marked, and copies.
 */
import { type ErrorCode, errors, isRetryable, type LoggedCall } from '@dragoman/contract/wire'
import { Link } from 'wouter'
import { Glyph } from '../../look/glyphs.tsx'
import { prefix } from '../../page-facts.ts'
import { Copy } from '../../parts/controls.tsx'
import { JsonBody } from '../../parts/json-body.tsx'
import type { Detail } from '../../parts/json-lines.ts'
import { Moment } from '../../parts/moment.tsx'
import { Facts, Inspector, Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'
import { curlOf, pathOf, sdkOf } from './as-code.ts'
import css from './calls.module.css'
import { StatusMark } from './status-mark.tsx'

type Key = keyof typeof en

export function CallInspector({
  traceId,
  known,
  onClose,
}: {
  readonly traceId: string
  /** The row of the list, shown until the full call is loaded. */
  readonly known: LoggedCall | undefined
  readonly onClose: () => void
}) {
  const t = useWords<Key>('calls')
  const found = useCall('findCall', { params: { traceId } }, { keepOld: false })
  const shown = { ...found, data: found.data ?? known }
  const title = shown.data ? (
    <>
      <StatusMark call={shown.data} />
      <span className="mono">{shown.data.method}</span>
    </>
  ) : (
    t('call')
  )
  return (
    <Inspector
      label={t('call')}
      title={title}
      onClose={onClose}
      acts={
        <Copy
          text={`${location.origin}${prefix}/calls/${encodeURIComponent(traceId)}`}
          label={t('copyLink')}
        />
      }
    >
      <Shown of={shown}>{(call) => <Whole call={call} isWhole={found.data !== undefined} />}</Shown>
    </Inspector>
  )
}

function Whole({ call, isWhole }: { readonly call: LoggedCall; readonly isWhole: boolean }) {
  const t = useWords<Key>('calls')
  const writers = useWriters()
  const { profile } = useSession()
  const problem = problemOf(call)
  const sdk = sdkOf(call)
  const whyNone = (bytes: number): Key =>
    profile === 'production' ? 'notKept' : bytes > 0 ? 'notText' : 'noBody'
  return (
    <>
      <Meaning call={call} message={problem.message} />
      <Panel>
        <p className={`mono ${css.path}`} dir="ltr">
          {call.method} {pathOf(call)}
        </p>
        <Facts
          facts={[
            { name: t('col.time'), value: <Moment at={call.time} /> },
            call.clientId !== undefined && {
              name: t('col.client'),
              value: (
                <Link href={`/calls?client=${encodeURIComponent(call.clientId)}`}>
                  <bdi>{call.clientId}</bdi>
                </Link>
              ),
            },
            call.jobId !== undefined && {
              name: t('col.job'),
              value: (
                <Link href={`/jobs/${call.jobId}`} className="mono">
                  {call.jobId}
                </Link>
              ),
            },
            ...Object.entries(call.ids ?? {})
              .filter(([name]) => name !== 'jobId')
              .map(([name, id]) => ({
                name,
                value: <IdOf name={name} id={id} jobId={call.jobId} />,
              })),
            { name: t('col.duration'), value: writers.duration(call.durationMs) },
            {
              name: t('bytes'),
              value: t('bytesInOut', {
                in: writers.bytes(call.bytesIn),
                out: writers.bytes(call.bytesOut),
              }),
            },
            { name: t('address'), value: <bdi className="mono">{call.address}</bdi> },
            {
              name: t('trace'),
              value: (
                <span className={css.copied}>
                  <bdi className="mono">{call.traceId}</bdi>
                  <Copy text={call.traceId} label={t('copyTrace')} />
                </span>
              ),
            },
          ]}
        />
        {call.count > 1 && <p className="mut meta">{t('shared', { count: call.count })}</p>}
      </Panel>
      <Panel title={t('callBody')} beside={<Body text={call.callBody} />}>
        <BodyOf
          text={call.callBody}
          isWhole={isWhole}
          why={whyNone(call.bytesIn)}
          label={t('callBody')}
          details={problem.details}
        />
      </Panel>
      <Panel title={t('answerBody')} beside={<Body text={call.answerBody} />}>
        <BodyOf
          text={call.answerBody}
          isWhole={isWhole}
          why={whyNone(call.bytesOut)}
          label={t('answerBody')}
          details={[]}
        />
      </Panel>
      <Panel title={t('again')}>
        <div className={css.copies}>
          <Copy text={curlOf(call, location.origin + prefix)} label={t('copyCurl')}>
            {t('copyCurl')}
          </Copy>
          {sdk !== undefined && (
            <Copy text={sdk} label={t('copySdk')}>
              {t('copySdk')}
            </Copy>
          )}
        </div>
        <p className="meta dim">{t('noQuery')}</p>
      </Panel>
    </>
  )
}

/** The page of a thing, if it has one. */
const pagesOf: Readonly<Record<string, string>> = {
  deliveryId: '/deliveries/',
  listenerId: '/listeners/',
  providerId: '/providers/',
  priceListId: '/prices/',
}

function IdOf({
  name,
  id,
  jobId,
}: {
  readonly name: string
  readonly id: string
  readonly jobId: string | undefined
}) {
  const page = pagesOf[name]
  const isOfJob = jobId !== undefined && (name === 'requestId' || name === 'assetTaskId')
  const href = isOfJob ? `/jobs/${jobId}/requests` : page && page + encodeURIComponent(id)
  const text = <bdi className="mono">{id}</bdi>
  return href ? <Link href={href}>{text}</Link> : text
}

/** What the response means: the hub's own sentence, then what to do. */
function Meaning({
  call,
  message,
}: {
  readonly call: LoggedCall
  readonly message: string | undefined
}) {
  const t = useWords<Key>('calls')
  const { statusCode, code } = call
  const row =
    code !== undefined && Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined
  const isFailed = statusCode >= 400
  if (!isFailed)
    return (
      <Panel tone={statusCode === 0 ? 'warn' : 'good'}>
        <p className={css.sentence}>
          {statusCode === 0 ? t('noStatus') : t('answered', { status: statusCode })}
        </p>
      </Panel>
    )
  return (
    <Panel tone={statusCode === 429 ? 'warn' : 'bad'}>
      <p className={css.sentence} lang="en" dir="auto">
        {message ??
          row?.says.replace(/\{(\w+)\}/g, '‹$1›') ??
          t('failedWith', { status: statusCode })}
      </p>
      <p>{t(remedyOf(statusCode))}</p>
      {row && isRetryable(code as ErrorCode) && statusCode !== 429 && <p>{t('do.retry')}</p>}
      {row && (
        <p className="meta">
          <a href={`${prefix}/docs/errors#${code}`} target="_blank" rel="noreferrer">
            {t('docs', { code: code ?? '' })}
          </a>
        </p>
      )}
    </Panel>
  )
}

const remedies = [400, 401, 403, 404, 409, 429] as const

function remedyOf(status: number): Key {
  const known = remedies.find((one) => one === status)
  return known ? `do.${known}` : status >= 500 ? 'do.5xx' : 'do.other'
}

type Problem = { readonly message: string | undefined; readonly details: readonly Detail[] }

/** What the response said, if bodies are stored. */
function problemOf({ answerBody, statusCode }: LoggedCall): Problem {
  try {
    const said = JSON.parse(answerBody ?? '') as { message?: unknown; details?: unknown }
    const details = Array.isArray(said.details) ? (said.details as Detail[]) : []
    return {
      message: statusCode >= 400 && typeof said.message === 'string' ? said.message : undefined,
      details: details.filter(
        (one) => typeof one?.path === 'string' && typeof one.message === 'string',
      ),
    }
  } catch {
    return { message: undefined, details: [] }
  }
}

function Body({ text }: { readonly text: string | undefined }) {
  const t = useWords<Key>('calls')
  return text ? <Copy text={text} label={t('copyBody')} /> : null
}

function BodyOf({
  text,
  isWhole,
  why,
  label,
  details,
}: {
  readonly text: string | undefined
  readonly isWhole: boolean
  /** Why there is no body. */
  readonly why: Key
  readonly label: string
  readonly details: readonly Detail[]
}) {
  const t = useWords<Key>('calls')
  if (text) return <JsonBody text={text} label={label} details={details} />
  if (!isWhole) return null
  return (
    <p className={`meta dim ${css.copied}`}>
      <Glyph name={why === 'noBody' ? 'file' : 'lock'} size={14} />
      {t(why)}
    </p>
  )
}

/**
 * Comments and questions at a job, a request or a segment: what was said, and a form to say more.
 * The side of a provider sees what its team says among itself; the connector's side does not.
 */
import type { Comment, NewComment } from '@dragoman/contract/wire'
import { useState } from 'react'
import { useAct, usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import type en from '../../words/en/comments.json'
import { useWords } from '../../words/words.ts'
import { Button, Chip, Chips } from '../controls.tsx'
import { TextField } from '../fields.tsx'
import { Moment } from '../moment.tsx'
import { Failed, Loading, Refused } from '../said.tsx'
import css from './comments.module.css'

type Key = keyof typeof en
export type Place = {
  readonly jobId: string
  /** With it the comments are those of the provider's side. */
  readonly providerId?: string | undefined
  readonly requestId?: string
  readonly segmentId?: string
}
const changed = ['listComments', 'listTaskComments', 'listSegments', 'listRequestSegments'] as const

/** `ids`: of those at a segment; absent, all of the request or the job. */
export function Comments({
  place,
  ids,
}: {
  readonly place: Place
  readonly ids?: readonly string[] | undefined
}) {
  useLive('listComments', 'listTaskComments')
  const { jobId, providerId, requestId, segmentId } = place
  const query = {
    ...(ids && { commentId: [...ids].slice(0, mostAtSegment) }),
    ...(requestId !== undefined && segmentId === undefined && { requestId }),
  }
  const isOpen = segmentId === undefined || (ids?.length ?? 0) > 0
  const ours = usePages(
    'listComments',
    { params: { jobId }, query },
    { enabled: isOpen && providerId === undefined },
  )
  const theirs = usePages(
    'listTaskComments',
    { params: { jobId, providerId: providerId ?? '' }, query },
    { enabled: isOpen && providerId !== undefined },
  )
  const list = providerId === undefined ? ours : theirs
  const t = useWords<Key>('comments')
  return (
    <section className={css.comments} aria-label={t('title')}>
      {!isOpen || (!list.isLoading && list.items.length === 0 && !list.failure) ? (
        <p className="dim">{t('none')}</p>
      ) : list.failure ? (
        <Failed failure={list.failure} retry={list.reload} />
      ) : list.isLoading ? (
        <Loading rows={2} />
      ) : (
        <ol className={css.list}>
          {list.items.map((comment) => (
            <li key={comment.commentId}>
              <Said comment={comment} place={place} />
            </li>
          ))}
        </ol>
      )}
      {list.hasMore && <Button onClick={list.loadMore}>{t('more')}</Button>}
      <Say key={`${requestId} ${segmentId}`} place={place} />
    </section>
  )
}
const mostAtSegment = 50

function Said({ comment, place }: { readonly comment: Comment; readonly place: Place }) {
  const t = useWords<Key>('comments')
  const { kind, to, text, by, createdTime, state, answer } = comment
  const isOurs = (to === 'CONNECTOR') === (place.providerId === undefined)
  const isOpen = kind === 'QUESTION' && state === 'OPEN'
  return (
    <article className={css.said} data-comment={comment.commentId}>
      <p className="meta dim">
        <b>{t(`kind.${kind}`)}</b> {t(`to.${to}`)} <bdi>{by}</bdi>{' '}
        <Moment at={createdTime} as="near" />
      </p>
      <p dir="auto" className={css.text}>
        {text}
      </p>
      {answer && (
        <div className={css.answer}>
          <p className="meta dim">
            <b>{t('answer')}</b> <bdi>{answer.by}</bdi> <Moment at={answer.time} as="near" />
          </p>
          <p dir="auto" className={css.text}>
            {answer.text}
          </p>
        </div>
      )}
      {isOpen && (isOurs ? <Answer comment={comment} place={place} /> : <p>{t('open')}</p>)}
    </article>
  )
}

function Answer({ comment, place }: { readonly comment: Comment; readonly place: Place }) {
  const t = useWords<Key>('comments')
  const { allowed } = useSession()
  const [text, setText] = useState('')
  const { jobId, providerId } = place
  const { commentId } = comment
  const ours = useAct('answerComment', changed)
  const theirs = useAct('answerTaskComment', changed)
  const isProvider = providerId !== undefined
  const act = isProvider ? theirs : ours
  if (!allowed.includes(isProvider ? 'answerTaskComment' : 'answerComment'))
    return <p>{t('open')}</p>
  const body = { answer: { text } }
  const send = () =>
    isProvider
      ? theirs.mutate({ params: { jobId, providerId, commentId }, body })
      : ours.mutate({ params: { jobId, commentId }, body })
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') send()
      }}
    >
      <TextField label={t('yourAnswer')} rows={2} value={text} onChange={setText} />
      <Refused failure={act.error} />
      <Button type="submit" busy={act.isPending} refusal={text.trim() ? undefined : t('empty')}>
        {t('sendAnswer')}
      </Button>
    </form>
  )
}

function Say({ place }: { readonly place: Place }) {
  const t = useWords<Key>('comments')
  const { allowed } = useSession()
  const { jobId, providerId, requestId, segmentId } = place
  const isProvider = providerId !== undefined
  const [text, setText] = useState('')
  const [kind, setKind] = useState<NewComment['kind']>('QUESTION')
  const [to, setTo] = useState<NewComment['to']>(isProvider ? 'CONNECTOR' : 'TEAM')
  const ours = useAct('createComment', changed)
  const theirs = useAct('createTaskComment', changed)
  const act = isProvider ? theirs : ours
  if (!allowed.includes(isProvider ? 'createTaskComment' : 'createComment')) return null
  const body: NewComment = {
    ...{ kind, to, text },
    ...(requestId !== undefined && { requestId }),
    ...(segmentId !== undefined && { segmentId }),
  }
  const done = { onSuccess: () => setText('') }
  const send = () =>
    isProvider
      ? theirs.mutate({ params: { jobId, providerId }, body }, done)
      : ours.mutate({ params: { jobId }, body }, done)
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') send()
      }}
    >
      <Chips label={t('kind')}>
        {(['QUESTION', 'NOTE'] as const).map((one) => (
          <Chip key={one} pressed={one === kind} onPress={() => setKind(one)}>
            {t(`kind.${one}`)}
          </Chip>
        ))}
      </Chips>
      <Chips label={t('to')}>
        {(['CONNECTOR', 'TEAM'] as const).map((one) => (
          <Chip key={one} pressed={one === to} onPress={() => setTo(one)}>
            {t(`to.${one}`)}
          </Chip>
        ))}
      </Chips>
      <TextField label={t('yourText')} rows={3} value={text} onChange={setText} />
      <Refused failure={act.error} />
      <Button type="submit" busy={act.isPending} refusal={text.trim() ? undefined : t('empty')}>
        {t(kind === 'QUESTION' ? 'ask' : 'send')}
      </Button>
    </form>
  )
}

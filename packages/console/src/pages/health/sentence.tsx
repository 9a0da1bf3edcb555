/**
 * What a finding says, in the reader's language: names in place of ids, and times, sizes and
 * numbers as the reader writes them.
 */
import type { Finding } from '@dragoman/contract/wire'
import { Fragment } from 'react'
import { useWriters, type Writers } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Key } from './part.ts'

type Fact = string | number
type Told = {
  readonly fact: Fact
  readonly write: Writers
  readonly state: (key: string) => string
  readonly quota: (key: Key) => string
}

const time = ({ fact, write }: Told) => write.full(fact)
const size = ({ fact, write }: Told) => write.bytes(Number(fact))
const amount = ({ fact, write }: Told) => write.number(Number(fact))

/** Facts that are neither names nor texts from outside. */
const told: Readonly<Record<string, (fact: Told) => string>> = {
  time,
  due: time,
  until: time,
  free: size,
  reserve: size,
  used: amount,
  limit: amount,
  seconds: amount,
  percent: ({ fact, write }) => write.percent(Number(fact) / 100),
  status: ({ fact, state }) => state(String(fact)),
  quota: ({ fact, quota }) => quota(`quota.${fact}` as Key),
}
/** Select the form of a message, so they stay as they are. */
const forms = ['count', 'attempts', 'direction']

/** A name may be written in the other direction than the sentence around it. */
const [isolate, end] = ['\u2068', '\u2069']

export function Sentence({ finding: { rule, facts, names, more } }: { readonly finding: Finding }) {
  const t = useWords<Key>('health')
  const state = useWords('states')
  const write = useWriters()
  if (more !== undefined) return t('notListed', { count: more })
  const values = Object.entries(facts).map(([key, fact]): [string, Fact] => {
    if (forms.includes(key)) return [key, fact]
    const text = told[key]?.({ fact, write, state, quota: t }) ?? names?.[key] ?? String(fact)
    return [key, `${isolate}${text.replaceAll(isolate, '').replaceAll(end, '')}${end}`]
  })
  const parts = t(`says.${rule}`, Object.fromEntries(values)).split(isolate)
  return parts.map((part, at) => {
    const [inside = '', after = ''] = at === 0 ? ['', part] : part.split(end)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name.
      <Fragment key={at}>
        {inside && <bdi>{inside}</bdi>}
        {after}
      </Fragment>
    )
  })
}

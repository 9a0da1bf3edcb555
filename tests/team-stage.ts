/** A provider with its people and texts for them: shared by the tests of a team at the desk. */
import type { Role } from '@dragoman/contract'
import { expect } from 'vitest'
import type { TestHub } from './hub.ts'
import { packagesOf } from './packages-kit.ts'
import { enter, type Visitor } from './visitor.ts'

export type Member = Visitor & { readonly personId: string }
export type Shown = {
  segmentId: string
  position: number
  version: number
  state: string
  target?: unknown[]
  origin?: string
  filled?: { from: string; percent?: number; adapted?: boolean }
}

export async function teamOf(hub: TestHub) {
  const kit = packagesOf(hub)
  const manual = (await kit.sent([{ fields: { a: 'x' } }])).job.split('/')[2] ?? ''
  const people = new Map<string, Member>()
  const who = (name: string) => people.get(name) as Member

  const join = async (name: string, roles: readonly Role[], languages?: readonly string[]) => {
    const person = await enter(hub, ['viewer'], 'demo')
    const { personId } = person.session.person
    people.set(name, Object.assign(person, { personId }))
    const sites = [{ roles, providers: [manual], ...(languages && { languages }) }]
    const { status, body } = await kit.call('demo-admin', 'PATCH', `/people/${personId}`, { sites })
    expect(status, JSON.stringify(body)).toBe(200)
  }

  const segmentsOf = async (task: string): Promise<Shown[]> => {
    const { body } = await kit.call<{ segments: Shown[] }>(
      'demo-provider',
      'GET',
      `${task}/segments`,
    )
    return body.segments
  }

  /** Writes a target at a position, as a person or a program. */
  const write = async (task: string, position: number, given: object = {}, by?: Visitor) => {
    const segment = (await segmentsOf(task))[position - 1]
    const path = `${task}/segments/${segment?.segmentId}`
    const body = {
      ...{ target: [`Ziel ${position}`], state: 'TRANSLATED', version: segment?.version ?? 0 },
      ...given,
    }
    return by ? by.call('PUT', path, { body }) : kit.call('demo-provider', 'PUT', path, body)
  }

  /** A text of so many segments. */
  const text = (segments: number, name = 'Text') => ({
    fields: Object.fromEntries(
      Array.from({ length: segments }, (_, at) => [`${name} ${at + 1}`, `${name} line ${at + 1}`]),
    ),
  })

  return { kit, manual, people, who, join, segmentsOf, write, text }
}

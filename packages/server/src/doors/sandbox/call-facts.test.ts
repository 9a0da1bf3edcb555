import { describe, expect, it } from 'vitest'
import { sentFacts } from './call-facts.ts'

const named = {
  connectorName: 'a',
  ConnectorName: 'b',
  connectorVersion: '1',
  ConnectorVersion: '1',
}

describe('the name of a connector', () => {
  it.each([
    ['in extendedMetadata', { jobName: 'x', extendedMetadata: named }],
    ['in a request', { requests: [{ requestName: 'x', ...named }] }],
    ['in a change of requests', { requestsUpdate: named }],
    ['in a list', [{ jobName: 'x', ...named }]],
  ])('is not read %s: the hub does not take it from there either', (_, body) => {
    const facts = sentFacts(body) ?? {}
    expect(facts).not.toHaveProperty('connectorName')
    expect(facts).not.toHaveProperty('connectorVersion')
  })

  it.each(['connectorName', 'ConnectorName'])('is read at the top level, spelled %s', (name) => {
    expect(sentFacts({ [name]: 'guid name 1.0' })).toMatchObject({ connectorName: 'guid name 1.0' })
  })
})

/**
 * The id of a finding: its rule, its thing and a signature. The same thing has the same id for as
 * long as it is found, so a remedy needs no list; and the signature tells an id that the hub once
 * gave out for this site from any other text.
 */
import { type FindingRule, isFindingRule } from '@dragoman/contract'
import { isSameText } from '../../../store/same-text.ts'
import type { Vault } from '../../../store/vault.ts'

export type Named = {
  readonly rule: FindingRule
  readonly thingId: string
  readonly signature: string
}

const signatureBytes = 9

export const findingId = (
  vault: Vault,
  siteId: string,
  rule: FindingRule,
  thingId: string,
): string => `${rule}.${thingId}.${sign(vault, siteId, rule, thingId)}`

/** Its parts; undefined if it cannot be an id. */
export function readFindingId(id: string): Named | undefined {
  const [first, last] = [id.indexOf('.'), id.lastIndexOf('.')]
  const rule = id.slice(0, first)
  if (first < 0 || last <= first + 1 || !isFindingRule(rule)) return undefined
  return { rule, thingId: id.slice(first + 1, last), signature: id.slice(last + 1) }
}

/**
 * Whether the hub gave out this id for a finding of this site; an empty site stands for the whole
 * hub.
 */
export const wasGivenFor = (
  vault: Vault,
  siteId: string,
  { rule, thingId, signature }: Named,
): boolean => isSameText(signature, sign(vault, siteId, rule, thingId))

const sign = (vault: Vault, siteId: string, rule: string, thingId: string): string =>
  vault
    .sign('finding', `${siteId}\n${rule}\n${thingId}`)
    .subarray(0, signatureBytes)
    .toString('base64url')

/**
 * Tokens of file transfers (contract, section 6): random, signed, and valid for one file and one
 * verb. A transfer token is valid as long as its transfer's row; a download link has its own
 * expiry. Both end with their client (holder.ts).
 */
import { randomBytes } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import { isSameText } from '../../store/same-text.ts'
import type { Vault } from '../../store/vault.ts'
import type { Holder } from './holder.ts'

export type Verb = 'tus' | 'multipart'
/** How a download is encoded: raw bytes, or a JSON string of their base64. */
export type Form = 'bytes' | 'json'

/** 128 random bits, a 256-bit signature and, if bound to a client, when that client was added. */
export function newTransferToken(
  vault: Vault,
  verb: Verb,
  fileId: string,
  since: number | undefined,
): string {
  const nonce = randomBytes(16).toString('base64url')
  return transferToken(nonce, signed(vault, verb, fileId, joined(nonce, since)), since)
}

function transferToken(nonce: string, signature: string, since: number | undefined): string {
  return [nonce, signature, ...(since === undefined ? [] : [since.toString(36)])].join('.')
}

/** Returns the time the token is bound to. */
export function checkTransferToken(
  vault: Vault,
  verb: Verb,
  fileId: string,
  token = '',
): number | undefined {
  const [nonce = '', , given] = token.split('.')
  const since = given === undefined ? undefined : Number.parseInt(given, 36)
  // Compares the whole text: base 36 can spell a number in several ways.
  const signature = signed(vault, verb, fileId, joined(nonce, since))
  if (nonce.length !== 22 || !isSameText(token, transferToken(nonce, signature, since)))
    refuse('the token of the transfer is not valid.')
  return since
}

export type LinkTarget = {
  /** A file id, or the ids of a request and its content. */
  readonly subject: string
  readonly form: Form
  readonly until: number
  /** The client that the link is bound to. */
  readonly by: Holder | undefined
}
export type Link = LinkTarget & { readonly signature: string }

export const signLink = (vault: Vault, target: LinkTarget): Link => ({
  ...target,
  signature: signedLink(vault, target),
})

const signedLink = (vault: Vault, { subject, form, until, by }: LinkTarget): string =>
  signed(vault, `download-${form}`, subject, joined(until, by?.clientId, by?.since))

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n')

export function checkLink(vault: Vault, link: Link, now: number): void {
  if (!isSameText(link.signature, signedLink(vault, link)))
    refuse('the download link is not valid; request a new one.')
  if (link.until <= now) refuse('the download link has expired; request a new one.')
}

const signed = (vault: Vault, verb: string, fileId: string, rest: string): string =>
  vault.sign('file-token', `${verb}\n${fileId}\n${rest}`).toString('base64url')

export function refuse(because: string): never {
  throw new HubError('FORBIDDEN', { because })
}

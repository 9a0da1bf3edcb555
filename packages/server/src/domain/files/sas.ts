/**
 * The tokens of file transfer (contract, section 6): random, good for one file and one verb, signed. A transfer token lives
 * as long as its transfer's row says; a download link carries its own end. Both end with their client (holder.ts).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import type { Vault } from '../../store/vault.ts'

export type Verb = 'tus' | 'multipart'
/** How a download is written: the bytes themselves, or a JSON string of their base64. */
export type Form = 'bytes' | 'json'

/** 128 random bits and a signature of 256. A bound one is good for as long as the file's client is. */
export function newTransferToken(vault: Vault, verb: Verb, fileId: string, isBound: boolean): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${signed(vault, verb, fileId, bind(nonce, isBound))}`
}

/** Says whether it is bound. */
export function checkTransferToken(vault: Vault, verb: Verb, fileId: string, token: string | undefined): boolean {
  const [nonce = '', signature = ''] = (token ?? '').split('.')
  const isBound = [true, false].find((one) => same(signature, signed(vault, verb, fileId, bind(nonce, one))))
  if (nonce.length !== 22 || isBound === undefined) refuse('the token of the transfer is not valid.')
  return isBound
}

const bind = (nonce: string, isBound: boolean): string => (isBound ? `${nonce}\nbound` : nonce)

export type Leads = {
  /** To what: a file's id, or the ids of a request and its content. */
  readonly subject: string
  readonly form: Form
  readonly until: number
  /** The client that it is bound to. */
  readonly by: string | undefined
}
export type Link = Leads & { readonly signature: string }

export const signLink = (vault: Vault, leads: Leads): Link => ({ ...leads, signature: signedLink(vault, leads) })

const signedLink = (vault: Vault, { subject, form, until, by }: Leads): string =>
  signed(vault, `download-${form}`, subject, by === undefined ? String(until) : `${until}\n${by}`)

export function checkLink(vault: Vault, link: Link, now: number): void {
  if (!same(link.signature, signedLink(vault, link))) refuse('the download link is not valid; ask for a new one.')
  if (link.until <= now) refuse('the download link has expired; ask for a new one.')
}

const signed = (vault: Vault, verb: string, fileId: string, rest: string): string =>
  vault.sign('file-token', `${verb}\n${fileId}\n${rest}`).toString('base64url')

function same(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function refuse(because: string): never {
  throw new HubError('FORBIDDEN', { because })
}

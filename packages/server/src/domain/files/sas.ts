/**
 * The tokens of file transfer (contract, section 6): random, good for one file and one verb, and checked without a look
 * into any store. A transfer token lives as long as its transfer's row says; a download link carries its own end.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import type { Vault } from '../../store/vault.ts'

export type Verb = 'tus' | 'multipart'
/** How a download is written: the bytes themselves, or a JSON string of their base64. */
export type Form = 'bytes' | 'json'

/** 128 random bits and a signature of 256. */
export function newTransferToken(vault: Vault, verb: Verb, fileId: string): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${signed(vault, verb, fileId, nonce)}`
}

export function checkTransferToken(vault: Vault, verb: Verb, fileId: string, token: string | undefined): void {
  const [nonce = '', signature = ''] = (token ?? '').split('.')
  if (nonce.length !== 22 || !same(signature, signed(vault, verb, fileId, nonce)))
    refuse('the token of the transfer is not valid.')
}

/** `subject` is what the link leads to: a file's id, or the ids of a request and its content. */
export type Link = { readonly subject: string; readonly form: Form; readonly until: number; readonly signature: string }

export function signLink(vault: Vault, subject: string, form: Form, until: number): Link {
  return { subject, form, until, signature: signed(vault, `download-${form}`, subject, String(until)) }
}

export function checkLink(vault: Vault, link: Link, now: number): void {
  if (!same(link.signature, signed(vault, `download-${link.form}`, link.subject, String(link.until))))
    refuse('the download link is not valid; ask for a new one.')
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

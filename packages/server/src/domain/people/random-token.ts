/** Tokens of links and sessions: 256 random bits, of which only a hash is stored. */
import { hash, randomBytes } from 'node:crypto'

export const newToken = (): string => randomBytes(32).toString('base64url')
export const tokenHash = (token: string): string => hash('sha256', token, 'base64url')

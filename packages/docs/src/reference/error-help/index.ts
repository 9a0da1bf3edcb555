/**
 * The cause and the remedy of each error. The sentence in errors.ts states the facts of one case;
 * this is kept apart from that table so that clients do not load it. docs/errors.md and the
 * reference show it.
 */
import type { ErrorCode } from '@dragoman/contract'
import { helpOfCalls } from './of-calls.ts'
import { helpOfStates } from './of-states.ts'

export type ErrorHelp = { readonly cause: string; readonly remedy: string }

export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = { ...helpOfCalls, ...helpOfStates }

/** The tool explainError: what an error means, by its code or by the call that it answered. */
import {
  type ErrorCode,
  ErrorQuestion,
  errors,
  HubError,
  isRetryable,
  type LoggedCall,
} from '@dragoman/contract'
import { errorHelp } from '@dragoman/docs/reference'
import { mayCall } from '../../domain/access/caller.ts'
import { bodyCheck } from '../../validation/validate.ts'
import type { Turn } from './turn.ts'

export async function explainError({ hub, call, runCall }: Turn, given: object): Promise<object> {
  const { code, traceId } = bodyCheck(ErrorQuestion)({ ...given }) as ErrorQuestion
  if (traceId === undefined) {
    if (code === undefined)
      throw new HubError('INVALID_REQUEST', { because: 'give a code or a traceId.' })
    return explained(code)
  }
  if (!mayCall(call.caller, 'admin') && !mayCall(call.caller, 'operator'))
    throw new HubError('FORBIDDEN', {
      because: 'a traceId needs the scope admin or operator; give the code instead.',
    })
  const logged = (await runCall(hub, call, 'findCall', { params: { traceId } })) as LoggedCall
  const { callBody: _, answerBody: __, ...shown } = logged
  return { call: shown, ...(logged.code !== undefined && explained(logged.code)) }
}

function explained(code: string): object {
  if (!Object.hasOwn(errors, code))
    throw new HubError('NOT_FOUND', { what: `The error code ${code.slice(0, 100)}` })
  const { status, says } = errors[code as ErrorCode]
  return {
    code,
    status,
    says,
    ...errorHelp[code as ErrorCode],
    sameCallMayBeSentAgain: isRetryable(code as ErrorCode),
  }
}

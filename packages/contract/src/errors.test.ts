import { errorHelp, errorsPage } from '@dragoman/docs/reference'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes, errors, HubError, isRetryable } from './errors.ts'

const fromContract: Partial<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 400,
  INVALID_PARAMETER: 400,
  INVALID_LANGUAGE: 400,
  INVALID_FILTER: 400,
  INVALID_CURSOR: 400,
  METADATA_INVALID: 400,
  PROVIDER_REQUIRED: 400,
  ANALYSIS_CODE_INVALID: 400,
  PRICE_LIST_INVALID: 400,
  LISTENER_URI_FORBIDDEN: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  REQUEST_NOT_FOUND: 404,
  PROVIDER_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PROVIDER_DISABLED: 409,
  FILE_NOT_UPLOADED: 409,
  JOB_ALREADY_SUBMITTED: 409,
  JOB_NOT_SUBMITTED: 409,
  JOB_COMPLETED: 409,
  JOB_IN_PROGRESS: 409,
  JOB_ARCHIVED: 409,
  ALREADY_SUPERSEDED: 409,
  JOB_EMPTY: 409,
  INVALID_TRANSITION: 409,
  REQUEST_NOT_IN_REVIEW: 409,
  TRANSLATION_NOT_READY: 409,
  LISTENER_EXISTS: 409,
  QUOTA_EXCEEDED: 409,
  GONE: 410,
  FILE_TOO_LARGE: 413,
  CONTENT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_CONFLICT: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  FMS_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
}

describe('the table of errors', () => {
  it.each(Object.entries(fromContract))('has %s with status %i', (code, status) => {
    expect(errors[code as ErrorCode].status).toBe(status)
  })

  it('says with every 429 and 503 that the call may be repeated', () => {
    const waiting = errorCodes.filter((code) => [429, 503].includes(errors[code].status))
    expect(waiting.every(isRetryable)).toBe(true)
    expect(isRetryable('JOB_NOT_FOUND')).toBe(false)
  })
})

describe('cause and remedy of an error', () => {
  const help = errorCodes.flatMap((code) =>
    Object.entries(errorHelp[code]).map(([part, text]) => ({ code, part, text })),
  )

  it('are there for every error, in whole sentences, and docs/errors.md has them', () => {
    expect(Object.keys(errorHelp).sort()).toEqual([...errorCodes].sort())
    expect(help.filter(({ text }) => text.length < 15 || !/^[A-Z`][^\n]*\.$/.test(text))).toEqual(
      [],
    )
    const page = errorsPage()
    expect(help.filter(({ text }) => !page.includes(text.replaceAll('|', '\\|')))).toEqual([])
  })

  it('are the text of one error only, and do not repeat its message', () => {
    const texts = [...help.map(({ text }) => text), ...errorCodes.map((code) => errors[code].says)]
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
    const sentencesOf = (text: string) =>
      text.split(/[.;:] /).map((one) => one.replace(/\.$/, '').trim())
    const repeated = help.filter(({ code, text }) => {
      const said = sentencesOf(errors[code].says)
      return sentencesOf(text).some((sentence) => said.includes(sentence))
    })
    expect(repeated).toEqual([])
  })
})

describe('a HubError', () => {
  it('fills the blanks of its sentence', () => {
    const error = new HubError('QUOTA_EXCEEDED', {
      quota: 'MaxReqsPerJob',
      limit: 2000,
      count: 2001,
    })
    expect(error.message).toBe('MaxReqsPerJob is 2000; with this call it would be 2001.')
    expect({ code: error.code, status: error.status }).toEqual({
      code: 'QUOTA_EXCEEDED',
      status: 409,
    })
    expect(error).toBeInstanceOf(Error)
  })

  it('leaves braces and dollars inside a fact alone', () => {
    const error = new HubError('JOB_NOT_FOUND', { jobId: '{status} $& $1' })
    expect(error.message).toBe('There is no job {status} $& $1 on this site.')
  })

  it('does not repeat a long or broken fact whole', () => {
    const error = new HubError('INVALID_LANGUAGE', { because: `\ud800${'x'.repeat(1_000_000)}` })
    expect(error.message.length).toBeLessThan(1_200)
    expect(error.message.isWellFormed()).toBe(true)
  })

  it('carries details and the seconds to wait', () => {
    const details = [{ path: '/jobName', message: 'is missing' }]
    const error = new HubError(
      'INVALID_REQUEST',
      { because: 'jobName is missing.' },
      { details, retryAfter: 3 },
    )
    expect({ details: error.details, retryAfter: error.retryAfter }).toEqual({
      details,
      retryAfter: 3,
    })
  })

  it('does not compile with other facts than its sentence asks for', () => {
    // @ts-expect-error the sentence asks for jobId
    expect(new HubError('JOB_NOT_FOUND', { job: 'x' }).message).toBe(
      'There is no job  on this site.',
    )
  })
})

it('an error of another copy of this class is one too, and no other is', () => {
  class Copy extends Error {
    override readonly name = 'HubError'
  }
  expect(
    [new Copy(), new HubError('JOB_NOT_FOUND', { jobId: 'x' })].map(
      (one) => one instanceof HubError,
    ),
  ).toEqual([true, true])
  expect(
    [new Error('HubError'), { name: 'HubError' }, null].map((one) => one instanceof HubError),
  ).toEqual([false, false, false])
})

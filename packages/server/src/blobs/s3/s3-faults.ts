// Converts errors of an object store into the port's own errors, with a sentence for the operator.
// Repeats names and codes only: messages of the S3 client may hold signed URLs.
import { BlobConflict, BlobMissing, BlobTrouble } from '../blob-store.ts'

const absent = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload'])
const overwritten = new Set(['InvalidPart', 'InvalidPartOrder', 'PreconditionFailed'])
const refused = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'Forbidden',
  'ExpiredToken',
])

/** Awaits a call of the S3 client and converts its errors. */
export async function said<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    throw asFault(error)
  }
}

/**
 * Every S3 store sends these; without them a read could mix two objects, or an upload could not be
 * completed.
 */
export function mustBeSaid<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined || value === '')
    throw new BlobTrouble(`The object store answered without ${name}.`)
  return value
}

export function asFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name } = error
  const options = { cause: error }
  if (absent.has(name)) return new BlobMissing('There is no such blob.', options)
  if (overwritten.has(name))
    return new BlobConflict('Another writer has changed these bytes in the meantime.', options)
  if (name === 'InvalidRange')
    return new RangeError('The blob is shorter than the range asked for.', options)
  return new BlobTrouble(sentence(name, error), options)
}

function sentence(name: string, error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : name
  if (name === 'NoSuchBucket') return 'The bucket does not exist.'
  if (name === 'CredentialsProviderError') return 'There are no credentials for the object store.'
  if (refused.has(name))
    return `The object store refuses the hub's credentials or they lack a permission (${name}).`
  if (/QuotaExceeded|EntityTooLarge|InsufficientStorage/.test(name))
    return `The object store accepts no more bytes (${name}).`
  return `The object store does not respond correctly (${code}).`
}

export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof BlobMissing)) throw error
}

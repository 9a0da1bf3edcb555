/** Numbers as they are stored: of single precision, in base64url. */
export const writeNumbers = (numbers: Float64Array): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64url')

export function readNumbers(written: string): Float64Array {
  const bytes = new Uint8Array(Buffer.from(written, 'base64url'))
  return Float64Array.from(new Float32Array(bytes.buffer))
}

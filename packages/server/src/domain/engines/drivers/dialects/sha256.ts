/** SHA-256, plain or with a secret, in the form that the signer of AWS takes. */
import { createHash, createHmac } from 'node:crypto'

type Data = string | ArrayBuffer | ArrayBufferView
const bytesOf = (data: Data): string | Uint8Array => {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}
const begin = (secret?: Data) =>
  secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))

export class Sha256 {
  private readonly secret: Data | undefined
  private hash: ReturnType<typeof begin>
  constructor(secret?: Data) {
    this.secret = secret
    this.hash = begin(secret)
  }
  update(data: Data): void {
    this.hash.update(bytesOf(data))
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest()
  }
  reset(): void {
    this.hash = begin(this.secret)
  }
}

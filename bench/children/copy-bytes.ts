/** A worker function that only returns its bytes. */
export const copyBytes = (bytes: Uint8Array): Uint8Array => bytes

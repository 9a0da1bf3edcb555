/** What a worker does with bytes that it only hands back. */
export const copyBytes = (bytes: Uint8Array): Uint8Array => bytes

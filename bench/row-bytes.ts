/** What a row holds: the bytes of its texts, and eight for a number. */
export function rowBytes(row: object): number {
  const sizes = Object.values(row).map((value: unknown) =>
    typeof value === 'string' ? Buffer.byteLength(value) : value === null ? 0 : 8,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

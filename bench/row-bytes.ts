/** The size of a row: the bytes of its texts, and eight per number. */
export function rowBytes(row: object): number {
  const sizes = Object.values(row).map((value: unknown) =>
    typeof value === 'string' ? Buffer.byteLength(value) : value === null ? 0 : 8,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

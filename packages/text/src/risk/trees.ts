/** Small trees of depth three, each adding a little to a score. */
export const depth = 3
const inner = 2 ** depth - 1

/** For each tree seven questions (`feature > threshold` goes right) and eight values. */
export type Trees = {
  readonly features: Uint8Array
  readonly thresholds: Float32Array
  readonly values: Float32Array
}

export function scoreOfTrees({ features, thresholds, values }: Trees, row: Float64Array): number {
  let score = 0
  const count = features.length / inner
  for (let tree = 0; tree < count; tree++) {
    let node = 0
    for (let level = 0; level < depth; level++) {
      const at = tree * inner + node
      const isRight = (row[features[at] ?? 0] ?? 0) > (thresholds[at] ?? 0)
      node = 2 * node + (isRight ? 2 : 1)
    }
    score += values[tree * (inner + 1) + node - inner] ?? 0
  }
  return score
}

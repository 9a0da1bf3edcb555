/**
 * Logistic regression by Newton's method with a Gaussian prior, over a few dozen numbers. `offset`
 * is a score that is taken as it is.
 */
export type Example = {
  readonly row: Float64Array
  readonly label: 0 | 1
  readonly offset?: number
  readonly weight?: number
}
/** The log-likelihood's curvature; the lower triangle, row by row. */
export type Precision = Float64Array

export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score))
export const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const rounds = 12
const enough = 1e-5

/** The weights around zero that explain the examples best, held by the prior's precision. */
export function fitLogistic(
  examples: readonly Example[],
  prior: Precision,
  size: number,
): Float64Array {
  const weights = new Float64Array(size)
  for (let round = 0; round < rounds; round++) {
    const { gradient, curvature } = slopeAt(examples, weights, prior)
    const change = solve(curvature, gradient)
    let largest = 0
    for (let at = 0; at < size; at++) {
      weights[at] = (weights[at] ?? 0) + (change[at] ?? 0)
      largest = Math.max(largest, Math.abs(change[at] ?? 0))
    }
    if (largest < enough) break
  }
  return weights
}

export const indexOf = (row: number, column: number): number => (row * (row + 1)) / 2 + column
export const triangleOf = (size: number): number => (size * (size + 1)) / 2

function slopeAt(examples: readonly Example[], weights: Float64Array, prior: Precision) {
  const size = weights.length
  const curvature = prior.slice()
  const gradient = new Float64Array(size)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const held = prior[row >= column ? indexOf(row, column) : indexOf(column, row)] ?? 0
      gradient[row] = (gradient[row] ?? 0) - held * (weights[column] ?? 0)
    }
  for (const { row, label, offset = 0, weight = 1 } of examples) {
    const chance = sigmoid(offset + dot(weights, row))
    addTo(gradient, row, weight * (label - chance))
    addCurvature(curvature, row, weight * Math.max(chance * (1 - chance), 1e-6))
  }
  return { gradient, curvature }
}

const addTo = (sum: Float64Array, row: Float64Array, factor: number): void => {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + factor * (row[at] ?? 0)
}

export function addCurvature(curvature: Precision, row: Float64Array, factor: number): void {
  for (let one = 0, at = 0; one < row.length; one++) {
    const scaled = factor * (row[one] ?? 0)
    for (let other = 0; other <= one; other++, at++)
      curvature[at] = (curvature[at] ?? 0) + scaled * (row[other] ?? 0)
  }
}

/** Cholesky's way; the matrix is positive because of the prior. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  const lower = matrix.slice()
  const solution = right.slice()
  const at = (row: number, column: number): number => lower[indexOf(row, column)] ?? 0
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = at(row, column)
      for (let before = 0; before < column; before++) sum -= at(row, before) * at(column, before)
      lower[indexOf(row, column)] =
        row === column ? Math.sqrt(Math.max(sum, 1e-9)) : sum / at(column, column)
    }
  for (let row = 0; row < size; row++) {
    let sum = solution[row] ?? 0
    for (let before = 0; before < row; before++) sum -= at(row, before) * (solution[before] ?? 0)
    solution[row] = sum / at(row, row)
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = solution[row] ?? 0
    for (let after = row + 1; after < size; after++) sum -= at(after, row) * (solution[after] ?? 0)
    solution[row] = sum / at(row, row)
  }
  return solution
}

/**
 * The operator asked for something that cannot be done as things are. The message says why, and
 * what to do.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

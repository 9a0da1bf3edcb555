/** A file of the console that did not arrive. The page says so and offers to load again. */
export class MissingFile extends Error {
  constructor(cause: unknown) {
    super('A file of the console did not arrive.', { cause })
  }
}

export const orMissing = <T>(file: Promise<T>): Promise<T> =>
  file.catch((error: unknown) => {
    throw new MissingFile(error)
  })

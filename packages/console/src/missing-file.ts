/** A file of the console that could not be loaded. The page says so and offers to load again. */
export class MissingFile extends Error {
  constructor(cause: unknown) {
    super('A file of the console could not be loaded.', { cause })
  }
}

export const orMissing = <T>(file: Promise<T>): Promise<T> =>
  file.catch((error: unknown) => {
    throw new MissingFile(error)
  })

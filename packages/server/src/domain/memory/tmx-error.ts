/** Why a TMX file was refused: the rest of a sentence that begins with the name of the file. */
export class TmxError extends Error {
  override readonly name = 'TmxError'
}

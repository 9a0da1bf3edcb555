/** Why a TMX file was refused: continues a sentence that starts with the file name. */
export class TmxError extends Error {
  override readonly name = 'TmxError'
}

/** The pseudo-translation driver: small texts in this thread, everything else in a worker. */
import { unknownFormat } from '@dragoman/contract/wire'
import type { Named, Rewritten } from '@dragoman/text/formats'
import { pseudoString } from '@dragoman/text/pseudo'
import { isSmall, runSafely, textWork } from '../../language/worker/run.ts'
import {
  CannotTranslate,
  type Driver,
  faultOfFile,
  noConfig,
  type Source,
  type Translated,
} from './driver.ts'

/**
 * In a worker, with the limits of every read and write. Returns undefined if the format is unknown.
 */
export const pseudoSafely = (
  siteId: string,
  named: Named,
  bytes: Uint8Array,
  targetLanguage: string,
): Promise<Rewritten | undefined> =>
  runSafely(textWork.pseudo, 'pseudoWithRemarks', [named, bytes, targetLanguage], { siteId })

export const pseudo: Driver = {
  typeId: 'pseudo',
  name: 'Pseudo-translation',
  description:
    'A built-in test provider: accents every letter, keeps placeholders and tags, makes texts 30 % longer.',
  configSchema: noConfig,
  capabilities: { supportUpdateTM: false, supportQuote: false },
  translate: async (
    _hub,
    { site_id: siteId },
    { content, targetLanguage }: Source,
  ): Promise<Translated> => {
    try {
      if ('fields' in content) {
        const values = content.fields.map(({ value }) => value)
        const translated = isSmall(values)
          ? values.map(pseudoString)
          : await runSafely<string[]>(textWork.pseudo, 'pseudoStrings', [values], { siteId })
        return {
          fields: content.fields.map(({ key }, at) => ({ key, value: translated[at] ?? '' })),
        }
      }
      const { bytes: source, ...named } = content
      const made = await pseudoSafely(siteId, named, source, targetLanguage)
      if (!made) throw new CannotTranslate(unknownFormat(content.fileName))
      return made
    } catch (error) {
      throw faultOfFile(error)
    }
  },
}

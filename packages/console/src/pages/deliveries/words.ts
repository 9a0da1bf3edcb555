/** The texts of the page. */
import type en from '../../words/en/deliveries.json'
import { useWords, type Words } from '../../words/words.ts'

export type Key = keyof typeof en
export const useDeliveriesWords = (): Words<Key> => useWords<Key>('deliveries')

/** The key under which texts that differ in case alone are one. Made here, not in SQL: the engines fold case differently. */
export const withoutCase = (text: string): string => text.normalize('NFC').toLowerCase()

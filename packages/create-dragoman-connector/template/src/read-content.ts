/** Reads the content to translate. Replace the two texts with the content of your system. */
import type { Item } from '@dragoman/sdk'

export const languages = { source: 'en-us', targets: ['de-de', 'fr-fr'] } as const

/** `id` is how your system finds the text again; the hub returns it with the translation. */
export async function readContent(): Promise<Item[]> {
  return [
    {
      name: 'Start page',
      id: 'page-1',
      fields: { title: 'Good morning', body: 'How can we help you today?' },
    },
    { name: 'Menu', id: 'menu', fields: { home: 'Home', contact: 'Contact us' } },
  ]
}

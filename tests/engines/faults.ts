/** What vendors do wrong, on demand, in the words of the table in docs/engine-faults.md. */
import { translatePhrase } from './phrases.ts'
import type { Reply, Wrong } from './vendor.ts'

const withHeaders = (reply: Reply, headers: Record<string, string>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
const jsonOf = ({ body }: Reply): string => (typeof body === 'string' ? body : JSON.stringify(body))
const marker = /<x id="\d+"\/>|<g id="\d+">|<\/g>|⟦\/?\d+⟧/g
const each =
  (change: (text: string) => string): NonNullable<Wrong['texts']> =>
  (all) =>
    all.map(change)

export const faults = {
  'answers too many calls': { reply: (vendor) => vendor.errors.rate },
  'answers too many calls and asks for a pause': {
    reply: (vendor) => withHeaders(vendor.errors.rate, { 'retry-after': '60' }),
  },
  'has a quota that is used up': { reply: (vendor) => vendor.errors.quota },
  'refuses the key and repeats it': { reply: (vendor) => vendor.errors.key },
  'says that it lacks the pair': { reply: (vendor, right) => vendor.errors.pair ?? right },
  'fails with 500': { reply: (vendor) => vendor.errors.server },
  'does not answer in time': { reply: () => 'waits' },
  'closes the connection': { reply: () => 'breaks' },
  'redirects into the network': {
    reply: () => ({
      status: 307,
      headers: { location: 'http://169.254.169.254/latest/meta-data/' },
      body: {},
    }),
  },
  'answers 200 without a body': { reply: (_, right) => ({ ...right, body: '' }) },
  'answers 200 with a page of HTML': {
    reply: (_, right) => ({
      ...withHeaders(right, { 'content-type': 'text/html' }),
      body: '<h1>Welcome</h1>',
    }),
  },
  'cuts the JSON short': { reply: (_, right) => ({ ...right, body: jsonOf(right).slice(0, -20) }) },
  'answers 200 with its error object': {
    reply: (vendor) => ({ ...vendor.errors.server, status: 200 }),
  },
  'leaves out half of the texts': { texts: (all) => all.slice(0, Math.floor(all.length / 2)) },
  'adds texts': { texts: (all) => [...all, ...all] },
  'gives null for a text': { texts: (all) => all.map((text, at) => (at === 0 ? null : text)) },
  'gives empty texts': { texts: each(() => '') },
  'changes the order of the texts': { texts: (all) => all.toReversed() },
  'returns the source': { texts: (_, { texts }) => texts },
  'answers in another language': {
    texts: (_, { texts }) => texts.map((text) => translatePhrase(text, 'fr')),
  },
  'adds markup': { texts: each((text) => `<b>${text}</b>`) },
  'loses tags and placeholders': { texts: each((text) => text.replace(marker, '')) },
  'doubles tags and placeholders': { texts: each((text) => text.replace(marker, '$&$&')) },
  'changes numbers': { texts: each((text) => text.replace('12', '21').replace('18', '81')) },
  'escapes entities twice': {
    texts: each((text) => text.replaceAll('&', '&amp;').replaceAll('ü', '&uuml;')),
  },
  'talks about the text': {
    texts: each((text) => `${text} I hope that this translation is helpful. `.repeat(12)),
  },
} as const satisfies Readonly<Record<string, Wrong>>

export type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as readonly FaultName[]

import { expect, test } from 'vitest'
import { growthOfWork, mostGrowth, withWorkCount } from '../../../../../tests/work-count.ts'
import { pseudoNamedFile } from '../../pseudo/pseudo-file.ts'
import { html } from './html.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textsIn = (text: string): string[] =>
  html
    .read(bytesOf(text))
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '·')).join(''))
const write = (
  text: string,
  say: (text: string) => string | undefined,
  targetLanguage = 'de-DE',
): string => {
  const bytes = bytesOf(text)
  const said = html.read(bytes).flatMap(({ id, parts }) => {
    const now = parts.map((part) =>
      part.type === 'text' ? { ...part, text: say(part.text) ?? part.text } : part,
    )
    return [[id, now] as const]
  })
  return new TextDecoder().decode(html.write(bytes, new Map(said), { targetLanguage }))
}

test.each([
  ['<img src="a.png" alt="A dog">', ['A dog']],
  ['<p title="Tip">Text</p>', ['Tip', 'Text']],
  ['<input placeholder="Your name" name="Not this">', ['Your name']],
  ['<button aria-label="Close">x</button>', ['Close', 'x']],
  [
    '<input type="submit" value="Send"><input type=button value=\'Go\'><input type=text value="kept">',
    ['Send', 'Go'],
  ],
  [
    '<select><optgroup label="Fruit"><option label="Apple" value="1">A</option></optgroup></select>',
    ['Fruit', 'Apple', 'A'],
  ],
  ['<video><track label="English" src="a.vtt"></video>', ['English']],
  [
    '<meta name="description" content="About us"><meta name="viewport" content="width=device-width">',
    ['About us'],
  ],
  [
    '<meta name=keywords content="a, b"><meta property="og:title" content="T"><meta property="og:url" content="u">',
    ['a, b', 'T'],
  ],
  [
    '<meta name="twitter:description" content="D"><meta name="twitter:card" content="summary">',
    ['D'],
  ],
  ['<link rel="stylesheet" title="Dark" href="a.css">', []],
  ['<p>See <img alt="a dog"> run</p>', ['a dog', 'See · run']],
  [
    '<p translate="no" title="kept">kept <img alt="kept"></p><img class="notranslate" alt="kept">',
    [],
  ],
  [
    '<p>Hi <img translate="no" alt="kept"> <span class=notranslate title="kept">kept</span></p>',
    ['Hi · ·'],
  ],
  ['<img alt="{name}"><img alt=""><img alt>', []],
])('%s says %j', (text, said) => {
  expect(textsIn(text)).toEqual(said)
})

test.each([
  ['<img alt="Dog">', 'DOG "x" & <y>', '<img alt="DOG &quot;x&quot; &amp; &#60;y>">'],
  ["<img alt='Dog'>", `it's "x"`, `<img alt='it&#39;s "x"'>`],
  ['<img alt=Dog>', 'A dog', '<img alt=A&#32;dog>'],
  ['<img alt="Caf&#233; &copy; x">', 'é', '<img alt="&#233;&copy;&#233;">'],
])('%s takes %s and stays one attribute', (text, say, written) => {
  expect(write(text, () => say)).toBe(written)
})

test('attributes of tags inside a text are written with it, also where it moves them or is not translated itself', () => {
  const text = '<p>See <img src="1" alt="one"> or <a title="two" href="#">this</a>.</p>'
  expect(write(text, (said) => said.toUpperCase())).toBe(
    '<p>SEE <img src="1" alt="ONE"> OR <a title="TWO" href="#">THIS</a>.</p>',
  )
  expect(write(text, (said) => (said === 'one' ? 'eins' : undefined))).toBe(
    text.replace('one', 'eins'),
  )
  const bytes = bytesOf(text)
  const run = html.read(bytes).at(-1)
  const turned = new Map([[run?.id ?? '', [...(run?.parts ?? [])].reverse()]])
  expect(new TextDecoder().decode(html.write(bytes, turned, { targetLanguage: 'de' }))).toBe(
    '<p>.</a>this<a title="two" href="#"> or <img src="1" alt="one">See </p>',
  )
})

test.each([
  ['<html lang="en-US"><p>x</p>', '<html lang="de-DE"><p>X</p>'],
  [
    "<html class=a xml:lang='en' lang=en><p>x</p>",
    "<html class=a xml:lang='de-DE' lang=de-DE><p>X</p>",
  ],
  ['<html><p lang="en">x</p>', '<html><p lang="en">X</p>'],
])('the root of %s names the target language', (text, written) => {
  expect(write(text, (said) => said.toUpperCase())).toBe(written)
})

test('the work for a page of many tags with attributes grows with their number', async () => {
  const page = (count: number) => `<p>x ${'<img alt="a dog"> y <b title="z">'.repeat(count)}</p>`
  const read = (text: string) => pseudoNamedFile('a.html', bytesOf(text), 'de')
  expect(await withWorkCount((count) => growthOfWork(count, read, page, 500))).toBeLessThan(
    mostGrowth,
  )
})

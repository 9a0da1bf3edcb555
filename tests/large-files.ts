/**
 * Test files of realistic size and variety, the same in every run: JSON, HTML and XLIFF 1.2 of a
 * few megabytes.
 */
const words =
  `garden spade rake with and for the your delivery within working days order basket handle steel wooden choose from
  more than sizes colours please contact us if you have any questions about this product we are happy to help`.split(
    /\s+/,
  )

/** Pseudo-random numbers with a fixed sequence (a linear congruential generator). */
export function openDice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function sentence(dice: (below: number) => number, codes: readonly string[]): string {
  const some = Array.from({ length: 6 + dice(14) }, () => words[dice(words.length)] ?? '')
  if (dice(3) === 0) some.splice(dice(some.length), 0, codes[dice(codes.length)] ?? '')
  const text = `${some.join(' ')}${'.!?'.charAt(dice(3))}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function largeJson(bytes: number): string {
  const dice = openDice(1)
  const codes = [
    '{name}',
    '%1$s',
    '{{count}}',
    '<b>now</b>',
    'https://example.com/a?b=1',
    '\u2028',
    '"quoted"',
    'é\u0301',
    '{n, plural, one {# item} other {# items}}',
  ]
  const pages: object[] = []
  for (let size = 0; size < bytes; ) {
    const page = {
      id: pages.length,
      title: sentence(dice, codes),
      published: dice(2) === 0,
      price: dice(10_000) / 100,
      parent: null,
      blocks: Array.from({ length: dice(8) }, (_, at) => ({
        kind: at,
        text: sentence(dice, codes),
        tags: [sentence(dice, codes), at],
      })),
    }
    size += Buffer.byteLength(JSON.stringify(page))
    pages.push(page)
  }
  return JSON.stringify({ pages }, null, 1)
}

export function largeHtml(bytes: number): string {
  const dice = openDice(2)
  const codes = [
    '<b>spades &amp; rakes</b>',
    '<a href="/x?a=1&amp;b=2" title="All">here</a>',
    '&copy; &nbsp;',
    '{name}',
    '<br>',
    '<img src="a.png" alt="A">',
    '<i>very <b>deep</b></i>',
    '5 &lt; 6',
  ]
  const parts = [
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Large page</title></head><body>\n',
  ]
  for (let size = 0; size < bytes; ) {
    const kind = dice(10)
    const text = () => sentence(dice, codes)
    const part =
      kind === 0
        ? `<script>const text = "${dice(1_000)} </b> not a text"</script>\n<!-- a note <b> -->\n`
        : kind === 1
          ? `<table><tr><td>${text()}</td><td>${dice(1_000)}</td></tr></table>\n`
          : kind === 2
            ? `<ul>\n  <li>${text()}</li>\n  <li translate="no">ACME ${dice(100)}</li>\n</ul>\n`
            : `<p class="p${kind}">${text()} ${text()}</p>\n`
    size += Buffer.byteLength(part)
    parts.push(part)
  }
  return `${parts.join('')}</body></html>\n`
}

export function largeXliff(bytes: number): string {
  const dice = openDice(3)
  const codes = [
    '<g id="1">bold</g>',
    '<x id="2"/>',
    '<ph id="3">&lt;br/&gt;</ph>',
    '&amp;',
    '{name}',
    '%s',
    '<bpt id="4">&lt;i&gt;</bpt>slanted<ept id="4">&lt;/i&gt;</ept>',
  ]
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n' +
      '  <file original="large.html" source-language="en-US" datatype="html">\n    <body>\n',
  ]
  for (let size = 0, id = 1; size < bytes; id += 1) {
    const note = dice(4) === 0 ? `\n        <note>${sentence(dice, ['x'])}</note>` : ''
    const part = `      <trans-unit id="u${id}" resname="n.${dice(99)}">\n        <source>${sentence(dice, codes)}</source>${note}\n      </trans-unit>\n`
    size += Buffer.byteLength(part)
    parts.push(part)
  }
  return `${parts.join('')}    </body>\n  </file>\n</xliff>\n`
}

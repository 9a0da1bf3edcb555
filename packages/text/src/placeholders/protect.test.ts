import { expect, test } from 'vitest'
import { sampled } from '../../../../tests/draws.ts'
import { perCharacter, withWorkCount } from '../../../../tests/work-count.ts'
import { type ProtectOptions, protect } from './protect.ts'

/** Texts as they are, codes in guillemets. */
const shown = (text: string, options?: ProtectOptions): string =>
  protect(text, options)
    .map((piece) => ('text' in piece ? piece.text : `«${piece.raw}»`))
    .join('')

test.each([
  ['Hello {name}!', 'Hello «{name}»!'],
  [
    'Hello { name }, {0} {} {user.name} {n, number, #.##}',
    'Hello «{ name }», «{0}» «{}» «{user.name}» «{n, number, #.##}»',
  ],
  ['{{x}} {{ user.name }} {{{raw}}}', '«{{x}}» «{{ user.name }}» «{{{raw}}}»'],
  [`\${x} #{y} %{z} %(name)s %<name>d`, `«\${x}» «#{y}» «%{z}» «%(name)s» «%<name>d»`],
  [
    '%s of %1$d, %@ and %ld: %.2f, %-5s, %05d',
    '«%s» of «%1$d», «%@» and «%ld»: «%.2f», «%-5s», «%05d»',
  ],
  ['Hello %name%, %user.id% and %DATE%.', 'Hello «%name%», «%user.id%» and «%DATE%».'],
  ['%dx%d, 100%of%, %s% %ld%%', '«%d»x«%d», 100%of%, «%s»% «%ld»«%%»'],
  ['%dpx and %1$sth', '«%d»px and «%1$s»th'],
  [
    '50% off, 20% discount, 100%sure, 100%-ig, 100%',
    '50% off, 20% discount, 100%sure, 100%-ig, 100%',
  ],
  ['%%s is 5%%', '«%%»s is 5«%%»'],
  ['a <b>c</b><br/> <a href="x>y">z</a>', 'a «<b>»c«</b>»«<br/>» «<a href="x>y">»z«</a>»'],
  ['1 < 2 and 3 > 2, a <- b, <3', '1 < 2 and 3 > 2, a <- b, <3'],
  [
    'Tom &amp; Jerry &#169; &#xA9; R&D; &',
    'Tom «&amp;» Jerry «&#169;» «&#xA9;» R«&D;» &'.replace('«&D;»', '&D;'),
  ],
  ['see (https://a.b/c_(d)?x=1). And www.a.de!', 'see («https://a.b/c_(d)?x=1»). And «www.a.de»!'],
  ['mail me@example.co.uk, not @home', 'mail «me@example.co.uk», not @home'],
  ['{not a placeholder at all}', '{not a placeholder at all}'],
  ['⟦1⟧', '«⟦»1«⟧»'],
  ['{% if user %}Hi{% endif %} {# note #}', '«{% if user %}»Hi«{% endif %}» «{# note #}»'],
  [
    'See $t(common.more) or $t(a, {"n": 1}), $total',
    'See «$t(common.more)» or «$t(a, {"n": 1})», $total',
  ],
  [
    '@:menu.file. and @.lower:menu @:{a b} x@: y',
    '«@:menu.file». and «@.lower:menu» «@:{a b}» x@: y',
  ],
  ['on %Y-%m-%d at %H:%M', 'on «%Y»-«%m»-«%d» at «%H»:«%M»'],
  ['%n %u, %u%n, -%u%n', '«%n» «%u», «%u»«%n», -«%u»«%n»'],
  [
    '%-d. %B, %e %^a %h %C %3N %:z %-l:%M %P',
    '«%-d». «%B», «%e» «%^a» «%h» «%C» «%3N» «%:z» «%-l»:«%M» «%P»',
  ],
  ['50%n, 20 %null, 100 %t.', '50%n, 20 %null, 100 «%t».'],
  ['5%Umsatz, 5 %Y, 20 %Anteil, 100%B', '5%Umsatz, 5 «%Y», 20 %Anteil, 100%B'],
  ['Dear :name, time 10:30, a:b', 'Dear :name, time 10:30, a:b'],
])('%j is cut into %j', (text, cut) => {
  expect(shown(text)).toBe(cut)
})

test('the structure of a plural is kept and its texts are free', () => {
  expect(
    shown(
      'You have {n, plural, offset:1 =0 {no items} one {# item} other {# items in <b>{place}</b>}}.',
    ),
  ).toBe(
    'You have «{n, plural, offset:1 =0 {»no items«} one {»«#» item«} other {»«#» items in «<b>»«{place}»«</b>»«}}».',
  )
})

test('a choice within a plural is opened too, and # is a number only in plurals', () => {
  expect(
    shown('{g, select, male {He # has {n, plural, one {# car} other {# cars}}} other {They}}'),
  ).toBe(
    '«{g, select, male {»He # has «{n, plural, one {»«#» car«} other {»«#» cars«}}»«} other {»They«}}»',
  )
})

test('apostrophes quote braces in a message, and are only apostrophes elsewhere', () => {
  expect(shown("{n, plural, other {It's '{x}' here}}")).toBe(
    "«{n, plural, other {»It's '«{x}»' here«}}»",
  )
  expect(shown("{n, plural, other {an '{' brace}}")).toBe("«{n, plural, other {»an '{' brace«}}»")
  expect(shown("{n, plural, other {l'{name} et}}")).toBe("«{n, plural, other {»l'«{name}» et«}}»")
})

test('a message without other is kept whole, a broken one is text', () => {
  expect(shown('{n, plural, one {# item}} x')).toBe('«{n, plural, one {# item}}» x')
  expect(shown('{n, plural, one {# item} x')).toBe('{n, plural, one {# item} x')
})

test('line ends are codes where the format asks for it', () => {
  expect(shown('a\r\nb\nc')).toBe('a\r\nb\nc')
  expect(shown('a\r\nb\nc', { newlines: true })).toBe('a«\r\n»b«\n»c')
})

test('a name behind a colon is a placeholder in software alone', () => {
  expect(shown(':count of :total, at 10:30, a:b, :smile:, https://a.b:80', { names: true })).toBe(
    '«:count» of «:total», at 10:30, a:b, :smile:, «https://a.b:80»',
  )
})

const hostile: [string, string][] = [
  ['a percent sign and zeros', `%${'0'.repeat(50_000)}`],
  ['dots', 'a.'.repeat(50_000)],
  ['opening braces', '{'.repeat(50_000)],
  ['plurals in plurals', '{a,plural,other{'.repeat(20_000)],
  ['plurals that never close', `${'{a,plural,other{'.repeat(40)}${'x '.repeat(500_000)}`],
  ['tags that never close', '<a '.repeat(50_000)],
  ['attributes that never close', '<a b="'.repeat(30_000)],
  ['one long attribute list', `<a ${'b=c '.repeat(50_000)}`],
  ['at signs', 'a@'.repeat(50_000)],
  ['domains', `x@${'a.'.repeat(50_000)}`],
  ['ampersands', '&a'.repeat(50_000)],
  ['addresses', 'https://'.repeat(20_000)],
  ['closing brackets after an address', `https://a${')'.repeat(50_000)}`],
  ['comments', '<!--'.repeat(50_000)],
  ['apostrophes', `{a,plural,other{${"'{".repeat(50_000)}`],
  ['statements that never close', '{% '.repeat(50_000)],
  ['links that never close', '$t('.repeat(50_000)],
  ['linked names', '@:a.'.repeat(50_000)],
  ['colons', ':a'.repeat(50_000)],
  ['blanks', `{${' '.repeat(50_000)}a`],
]
test.each(sampled(hostile, 5))('%s take little work', async (_, text) => {
  const [work = 0] = await withWorkCount((count) => count(protect, text))
  expect(work / text.length).toBeLessThan(perCharacter)
  const pieces = protect(text)
  expect(pieces.map((piece) => ('text' in piece ? piece.text : piece.raw)).join('')).toBe(text)
})

/** The content of the demo, and the parts of it that a translation must not change. */
export const languages = ['de-DE', 'fr-FR', 'ja-JP']

export const page = `<!DOCTYPE html>
<html lang="en">
  <head><title>Garden tools</title></head>
  <body>
    <h1>Tools for your <em>garden</em></h1>
    <p>Dear {name}, choose from <b>24 spades</b> and <a href="/rakes">12 rakes</a>.</p>
  </body>
</html>
`
export const messages = `{
  "welcome": "Welcome back, {name}!",
  "basket": "{count, plural, one {# tool in your basket} other {# tools in your basket}}",
  "delivery": "Delivery within <b>%d days</b>"
}
`
export const menu = [
  { key: 'home', value: 'Home' },
  { key: 'hello', value: 'Hello {name}, good to see you' },
]

const kept = /<[^>]*>|\{name\}|%d|#|\{count, plural, one|other|"\w+":/g

/** `lang` names the target in the translation. */
const codesOf = (text) => JSON.stringify(text.replace(/ lang="[^"]*"/, '').match(kept))
export const sameCodes = (one, other) => codesOf(one) === codesOf(other)

/** The first line with a changed word: it has a non-ASCII letter. */
export const firstLine = (text) =>
  (text.split('\n').find((line) => /[^\p{ASCII}]/u.test(line)) ?? '').trim()

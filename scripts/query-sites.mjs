/**
 * Checks that a statement stays within one site: every table with a site column must be restricted
 * to one, by an inserted column or a mandatory comparison. A function whose statements are not says
 * why in its comment, or in that of its file: `No site: …`. Tables that belong to no site are
 * listed here.
 */

const byTable = {
  attempts: 'attempts are reached by the position of a delivery, which was found under its site',
  buckets: "the hub's own table: calls a second by address",
  chains: "the hub's own table",
  client_providers: 'a client id is unique over all sites while it has a row',
  client_secrets: 'a client id is unique over all sites while it has a row',
  guesses: 'a token call names no site',
  hub_state: "the hub's own table",
  memory_postings: 'postings are reached by their memory, which was found under its site',
  memory_units: 'units are reached by their memory, which was found under its site',
  nodes: "the hub's own table",
  passkeys: 'a passkey belongs to a person, who may have roles in several sites',
  people: 'a person may have roles in several sites and signs in without naming one',
  person_links: 'a link is found by its 256 random bits',
  recovery_codes: 'a code belongs to a person, who may have roles in several sites',
  sessions: 'a session belongs to a person, who may have roles in several sites',
  revoked: "the hub's own table: the ids of tokens and keys are random",
  signing_keys: "the hub's own table",
}

const clauses =
  /\b(where|on conflict|on|order by|group by|having|limit|returning|set|values|for (?:no key )?(?:update|share|key share)|(?:(?:inner|left|cross) )*join|from|using)\b/

const reserved = new Set(
  'where on order group having limit returning set values for inner left cross join from using select default offset union'.split(
    ' ',
  ),
)

/**
 * The tables of a statement without a restriction: `loose` have a site column, `bare` have none.
 * `sited`: some have one.
 */
export function tablesWithoutSite(statement, columns) {
  const scopes = []
  const root = readScopes(statement.replaceAll('"', '').replace(/\s+/g, ' ').trim(), scopes)
  const found = { loose: new Set(), bare: new Set(), sited: false }
  look(root, new Map(), { columns, scopes, found })
  return { loose: [...found.loose].sort(), bare: [...found.bare].sort(), sited: found.sited }
}

/** The text with `(#n)` for each bracket, whose content is scope n. */
function readScopes(text, scopes) {
  let flat = ''
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "'") {
      const end = text.indexOf("'", at + 1)
      flat += text.slice(at, end + 1)
      at = end
    } else if (text[at] === '(') {
      let depth = 1
      let end = at + 1
      for (; depth > 0; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
      const number = scopes.push('') - 1
      scopes[number] = readScopes(text.slice(at + 1, end - 1), scopes)
      flat += `(#${number})`
      at = end - 1
    } else flat += text[at]
  }
  return flat
}

const isSelect = (text) => /^(select|with|values|insert|update|delete)\b/.test(text)
const inside = (text, scopes) => scopes[Number(/#(\d+)/.exec(text)?.[1])] ?? ''

function look(text, outer, seen) {
  const { columns, scopes, found } = seen
  const tables = [...text.matchAll(/\b(?:from|join|update|into) (\w+)(?: (?:as )?(\w+))?/g)]
    .filter(([, name]) => columns.has(name))
    .map(([, name, alias]) => ({ name, alias: alias && !reserved.has(alias) ? alias : name }))
  const tied = new Map([...outer, ...tables.map(({ alias }) => [alias, false])])
  const mine = tables.filter(({ name }) => columns.get(name).includes('site_id'))
  const conditions = conditionsOf(text)
  // Follows joins to restricted tables until nothing is added.
  for (let before = -1, now = 0; now !== before; ) {
    before = now
    for (const { alias } of mine)
      if (conditions.some((one) => ties(one, alias, mine.length === 1, { tied, scopes })))
        tied.set(alias, true)
    now = [...tied.values()].filter(Boolean).length
  }
  const written = /\binsert into (\w+) \(#(\d+)\)/.exec(text)
  if (written && /\bsite_id\b/.test(scopes[Number(written[2])])) {
    const target = /\bon conflict (\(#\d+\))? ?do update/.exec(text)
    if (!target || /\bsite_id\b/.test(inside(target[1] ?? '', scopes))) tied.set(written[1], true)
  }
  if (mine.length > 0) found.sited = true
  for (const { alias, name } of mine) if (!tied.get(alias)) found.loose.add(name)
  for (const { name } of tables) if (!columns.get(name).includes('site_id')) found.bare.add(name)
  for (const [, number] of text.matchAll(/#(\d+)/g)) lookInside(scopes[Number(number)], tied, seen)
}

function lookInside(text, tied, seen) {
  if (isSelect(text)) look(text, tied, seen)
  else
    for (const [, number] of text.matchAll(/#(\d+)/g))
      lookInside(seen.scopes[Number(number)], tied, seen)
}

/** The text after each `where` and `on`. */
function conditionsOf(text) {
  const parts = text.split(clauses)
  return parts
    .filter((_, at) => parts[at - 1] === 'where' || parts[at - 1] === 'on')
    .map((part) => part.trim())
}

function ties(condition, alias, isOnly, { tied, scopes }) {
  return condition.split(/ or /).every((part) =>
    part.split(/ and /).some((one) => {
      const bracket = /^\(#\d+\)$/.test(one.trim()) && inside(one, scopes)
      if (bracket) return !isSelect(bracket) && ties(bracket, alias, isOnly, { tied, scopes })
      const [left, right] = one.trim().split(/ = /)
      // A sign or an empty text keeps a database from searching by the column.
      const names = (side) => side?.replace(/^\+| \|\| ''$/g, '').trim()
      const isMine = (side) =>
        names(side) === `${alias}.site_id` || (isOnly && names(side) === 'site_id')
      const isTied = (side) => {
        const other = /^(\w+)\.site_id$/.exec(names(side) ?? '')?.[1]
        return other === undefined
          ? !/^site_id$/.test(names(side) ?? '')
          : (tied.get(other) ?? true)
      }
      return (
        right !== undefined && ((isMine(left) && isTied(right)) || (isMine(right) && isTied(left)))
      )
    }),
  )
}

/** The reasons of a function and of its file, from their comments in the source. */
function reasonsIn(source, name) {
  const place = source.search(
    new RegExp(`^export (?:async )?(?:function\\*?|const) ${name}\\b`, 'm'),
  )
  const before = source.slice(0, Math.max(place, 0)).trimEnd()
  const own = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : ''
  return { own: reasonIn(own), ofFile: reasonIn(source.slice(0, source.indexOf('*/'))) }
}

function reasonIn(comment) {
  const [, said] = comment
    .replaceAll('\n *', ' ')
    .replaceAll('*/', ' ')
    .replace(/\s+/g, ' ')
    .split('No site: ')
  return said?.split('. ')[0].replace(/\.? ?$/, '')
}

/** Why each statement without a site may be so; throws if no comment says it. */
export function whyNoSite(source, name, statements, columns) {
  const { own, ofFile } = reasonsIn(source, name)
  const reasons = new Map()
  for (const statement of statements) {
    const { loose, bare, sited } = tablesWithoutSite(statement, columns)
    if (loose.length > 0) reasons.set(statement, own ?? ofFile ?? refuse(loose))
    else if (!sited && bare.length > 0)
      reasons.set(
        statement,
        [...new Set(bare.map((table) => byTable[table] ?? refuseBare(table)))].join('; '),
      )
  }
  if (own && ![...reasons.values()].includes(own))
    throw new Error('its comment says "No site", but it has one')
  return reasons
}

function refuseBare(table) {
  throw new Error(`the table ${table} has no site: say why in byTable of scripts/query-sites.mjs`)
}

function refuse(tables) {
  throw new Error(
    `it is tied to no site in ${tables.join(', ')}: add the site, or say why it may do without, as "No site: …" in its comment`,
  )
}

/** The keys about people: the first admin, ways to sign in, the OpenID provider. */
import { type Role, roles } from '@dragoman/contract'
import { type ConfigKey, configKeys } from './config-keys.ts'
import { ConfigError } from './config-sources.ts'
import { together } from './config-tls.ts'
import * as value from './config-values.ts'

export type OidcRole = { readonly value: string; readonly role: Role; readonly siteId: string }

export type PeopleConfig = {
  readonly passwordSignIn: boolean
  /** Allows sign-in over plain http from other machines. */
  readonly plainHttpSignIn: boolean
  /** Absent: no mail is sent. */
  readonly mail?: { readonly url: string; readonly from: string }
  readonly admin?: { readonly email: string; readonly passwordHash: string }
  readonly oidc?: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret?: string
    readonly name: string
    readonly scopes: string
    readonly claim: string
    /** Absent: roles are given in the console. */
    readonly roles?: readonly OidcRole[]
  }
}

type Read = <T>(key: ConfigKey, reads: (text: string) => T | undefined) => T | undefined

const onOff = value.oneOf('on', 'off')
/** As `hashChosen` of access/secrets.ts makes them. */
const passwordHash = value.matching(/^scrypt\$\d{5,7}\$[\w-]{22}\$[\w-]{43}$/)

export function readPeople(read: Read): PeopleConfig {
  const [email, hash] = together(
    [
      'DRAGOMAN_ADMIN_EMAIL',
      read('DRAGOMAN_ADMIN_EMAIL', value.matching(/^[^@\s]{1,64}@[^@\s]{1,189}$/)),
    ],
    ['DRAGOMAN_ADMIN_PASSWORD_HASH', read('DRAGOMAN_ADMIN_PASSWORD_HASH', passwordHash)],
  )
  const oidc = readOidc(read)
  const mail = readMail(read)
  const passwordSignIn = read('DRAGOMAN_PASSWORD_SIGN_IN', onOff) !== 'off'
  if (email !== undefined && !passwordSignIn)
    throw new ConfigError(
      'DRAGOMAN_ADMIN_EMAIL needs DRAGOMAN_PASSWORD_SIGN_IN=on: that person has only a password.',
    )
  return {
    passwordSignIn,
    plainHttpSignIn: read('DRAGOMAN_PLAIN_HTTP_SIGN_IN', onOff) === 'on',
    ...(email !== undefined && hash !== undefined && { admin: { email, passwordHash: hash } }),
    ...(oidc && { oidc }),
    ...(mail && { mail }),
  }
}

/** Links in mail need the address of the hub, which no call tells there. */
function readMail(read: Read): PeopleConfig['mail'] {
  const [url, from] = together(
    ['DRAGOMAN_SMTP_URL', read('DRAGOMAN_SMTP_URL', smtpUrl)],
    [
      'DRAGOMAN_MAIL_FROM',
      read('DRAGOMAN_MAIL_FROM', value.matching(/^[^@\s<>,"]{1,64}@[^@\s<>,"]{1,189}$/)),
    ],
  )
  if (url === undefined || from === undefined) return undefined
  if (read('DRAGOMAN_PUBLIC_URL', (text) => text) === undefined)
    throw new ConfigError(
      'DRAGOMAN_PUBLIC_URL is missing: DRAGOMAN_SMTP_URL requires it, for the links in mail.',
    )
  return { url, from }
}

function smtpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, pathname, search, hash } = new URL(text)
  const isPlain = (pathname === '' || pathname === '/') && search === '' && hash === ''
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isPlain ? text : undefined
}

const withIssuer = [
  ...(['DRAGOMAN_OIDC_CLIENT_SECRET', 'DRAGOMAN_OIDC_NAME', 'DRAGOMAN_OIDC_SCOPES'] as const),
  ...(['DRAGOMAN_OIDC_CLAIM', 'DRAGOMAN_OIDC_ROLES'] as const),
]

function readOidc(read: Read): PeopleConfig['oidc'] {
  const [issuer, clientId] = together(
    ['DRAGOMAN_OIDC_ISSUER', read('DRAGOMAN_OIDC_ISSUER', (text) => value.httpUrl(text) && text)],
    ['DRAGOMAN_OIDC_CLIENT_ID', read('DRAGOMAN_OIDC_CLIENT_ID', value.matching(/^\S{1,500}$/))],
  )
  const clientSecret = read('DRAGOMAN_OIDC_CLIENT_SECRET', value.matching(/^[^\0]{1,1000}$/))
  const name = read('DRAGOMAN_OIDC_NAME', value.matching(/^[^\p{Cc}]{1,60}$/u))
  const scopes = read('DRAGOMAN_OIDC_SCOPES', (text) =>
    text.split(' ').includes('openid') ? text : undefined,
  )
  const claim = read('DRAGOMAN_OIDC_CLAIM', value.matching(/^\S{1,200}$/))
  const given = read('DRAGOMAN_OIDC_ROLES', value.listOf(oidcRole))
  if (issuer === undefined || clientId === undefined) {
    const alone = withIssuer.find((key) => read(key, (text) => text) !== undefined)
    if (alone)
      throw new ConfigError(`${alone} needs DRAGOMAN_OIDC_ISSUER and DRAGOMAN_OIDC_CLIENT_ID.`)
    return undefined
  }
  return {
    issuer,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    name: name ?? new URL(issuer).hostname,
    scopes: scopes ?? 'openid profile email',
    claim: claim ?? 'groups',
    ...(given && { roles: given }),
  }
}

/** `VALUE=ROLE@SITE`; the value may hold `=` and `@` itself. */
function oidcRole(text: string): OidcRole | undefined {
  const at = text.lastIndexOf('=')
  const [name = '', siteId = '', more] = text.slice(at + 1).split('@')
  const role = roles.find((one) => one === name)
  if (at < 1 || !role || more !== undefined) return undefined
  if (role === 'operator')
    return siteId === '' ? { value: text.slice(0, at), role, siteId } : undefined
  return value.siteName(siteId) === undefined
    ? undefined
    : { value: text.slice(0, at), role, siteId }
}

/** What staging and production refuse. */
export function mustBeSafePeople({ oidc }: PeopleConfig): void {
  const issuer = oidc && new URL(oidc.issuer)
  if (issuer?.protocol === 'http:' && !value.isLoopback(issuer.hostname.replace(/^\[|\]$/g, '')))
    throw new ConfigError(
      `DRAGOMAN_OIDC_ISSUER is "${oidc?.issuer}"; it must be ${configKeys.DRAGOMAN_OIDC_ISSUER.wants}.`,
    )
}

/**
 * Hands one message to the operator's mail server. Plain text, to one person. A server that does
 * not answer fails the call within half a minute. A password is never sent to another machine
 * without TLS.
 */
import type { Hub } from '../hub.ts'

export type Letter = {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  /** The same for every try, so that a mail program shows a message once that was sent twice. */
  readonly id: string
}

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const loopback = new Set(['127.0.0.1', '[::1]', '::1', 'localhost'])

export async function sendMail(
  { url, from }: NonNullable<Hub['config']['mail']>,
  letter: Letter,
): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const auth = username !== '' && {
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...patience,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(auth && { auth, requireTLS: !loopback.has(hostname) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from,
      to: letter.to,
      subject: letter.subject,
      text: letter.text,
      messageId: `<${letter.id}@${from.slice(from.indexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    transport.close()
  }
}

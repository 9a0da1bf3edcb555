/**
 * The readers of small texts: headers, addresses, passwords and tables, and what connectors read of
 * a hub and of a sender.
 */
import { cutName, verifyDelivery } from '@dragoman/sdk'
import { matchesGlob, restOf } from '../../packages/cli/src/connector/glob-match.ts'
import { readSheet } from '../../packages/cli/src/price-sheet.ts'
import { readFailure } from '../../packages/sdk/src/call.ts'
import { folded, safePath } from '../../packages/sdk/src/node/safe-path.ts'
import { nameIn, nameInOrigin } from '../../packages/server/src/config/own-names.ts'
import { apertium } from '../../packages/server/src/domain/engines/drivers/dialects/apertium.ts'
import { judgeSignature } from '../../packages/server/src/domain/listeners/signature-mistakes.ts'
import { plainEmail } from '../../packages/server/src/domain/people/new-person.ts'
import { ownPath } from '../../packages/server/src/domain/people/oidc.ts'
import { whyWeak } from '../../packages/server/src/domain/people/passwords.ts'
import { acceptedEncodings } from '../../packages/server/src/doors/http/accepted-encodings.ts'
import { unmapped } from '../../packages/server/src/process/networks.ts'
import { sizeCheck } from '../../packages/server/src/validation/check-size.ts'
import { alone, around, blanks, marks, quoted, type Reader } from './hostile-texts.ts'

const signed = {
  id: 'i',
  timestamp: '0',
  otherTimestamps: [],
  secrets: [{ secret: 'whsec_AAAA', hasEnded: false }],
}
const delivered = (signature: string, body: string) =>
  verifyDelivery(
    { 'webhook-id': 'i', 'webhook-timestamp': '0', 'webhook-signature': signature },
    body,
    {
      secret: 'whsec_AAAA',
      toleranceMs: Number.POSITIVE_INFINITY,
    },
  )
const checkSize = sizeCheck({ maxJsonBytes: 2 ** 30, maxDepth: 20 })

export const clientReaders: readonly Reader[] = [
  {
    name: 'accepted encodings',
    read: (text) => acceptedEncodings(text, ['br', 'gzip']),
    hostile: [',', ';', 'gzip;q=0,', '=', 'q=', ...blanks],
    inside: [alone, around('gzip;')],
  },
  {
    name: 'names of hosts and addresses',
    read: (text) => [nameIn(text), nameInOrigin(text), unmapped(text), ownPath(text)],
    hostile: ['.', 'a.', ':', '[', '::', '0:', '/', '%', '@', ...blanks],
    inside: [alone, around('http://'), around('::ffff:'), around('/')],
  },
  {
    name: 'passwords and e-mail addresses',
    read: (text) => [whyWeak(text, 'a@example.com'), plainEmail(text)],
    hostile: ['1!a2b3c', ...marks, ...blanks, '1', 'a', '!', '@'],
  },
  {
    name: 'objects of free shape',
    read: (text) => checkSize(JSON.parse(text) as object, { all: [], path: [] } as never),
    hostile: ['"a",', '[],', '{},', '0,'],
    inside: [around('[', '0]'), quoted],
  },
  {
    name: 'pasted signatures',
    read: (text) => judgeSignature(text, { ...signed, body: '{"a":1}' }),
    hostile: ['v1,', 'v1,AAAA ', '=', 'A', 'v1,A', '0', ...blanks],
    inside: [alone, around('v1,')],
  },
  {
    name: 'deliveries at a connector',
    read: (text) => delivered(text, text),
    hostile: ['v1,AAAA ', 'v1,', ' ', 'A', '=', 'v1,!', `v1,${'A'.repeat(43)}= `],
    inside: [alone, around('v1,')],
  },
  {
    name: 'refusals at a connector',
    read: (text) =>
      readFailure(new Response(text, { status: 429, headers: { 'retry-after': text } }), 'hub'),
    hostile: ['0', '-', 'a', '{"a":', '"', ' '],
    inside: [alone, around('{"code":"', '"}'), around('1', 's')],
  },
  {
    name: 'names of files at a connector',
    read: (text) => [folded(safePath(text)), cutName(text)],
    hostile: [...marks, '/', '../', '.', ' ', 'a.', '. ', 'con.', '~1', '\u200c', '\\', 'ﷺ'],
    inside: [alone, around('a/', '.txt'), around('a.')],
  },
  {
    name: 'paths beside patterns',
    read: (text) => [matchesGlob('content/**/*a*b?.md', text), restOf('content/**', text)],
    hostile: ['a/', 'a', 'ab', '/', '*', '../', 'b.md/'],
    inside: [alone, around('content/'), around('content/', '/ab1.md')],
  },
  {
    name: 'price sheets',
    read: (text) => readSheet(text),
    hostile: ['"', '""', ',', ';', '\t', 'a\n', '"a",', '\r', 'price,', ...blanks],
    inside: [alone, around('"', '"'), around('a,b\n')],
  },
  {
    name: 'answers of Apertium',
    read: (text) => {
      const call = {
        texts: ['a'.repeat(text.length), text],
        source: 'en',
        target: 'de',
        format: 'html' as const,
      }
      return apertium.translate.read({ responseData: { translatedText: text } }, call as never)
    },
    hostile: ['<p>', '</p>', '<p>a</p>', '<x id="1"/> ', ' ', '  a', '<x id="1"/>a'],
    inside: [alone, around('<p>', '</p><p></p>')],
  },
]

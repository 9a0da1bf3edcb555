/** The readers of calls: bodies, headers, parameters, and the parts of them that are stored. */
import {
  findLanguage,
  nearestLanguage,
  parseDuration,
  parseTime,
  spellingsOf,
} from '@dragoman/contract'
import { mustBeFileName } from '../../packages/server/src/domain/files/begin-transfer.ts'
import { mediaTypeOf } from '../../packages/server/src/domain/files/media-types.ts'
import { dispositionOf } from '../../packages/server/src/domain/files/serve.ts'
import { parseFilter } from '../../packages/server/src/domain/jobs/filter.ts'
import { orderTerms } from '../../packages/server/src/domain/jobs/lists/order.ts'
import { writeFields } from '../../packages/server/src/domain/jobs/requests/content-file.ts'
import { readFields } from '../../packages/server/src/domain/jobs/requests/read-fields.ts'
import { pauseOf } from '../../packages/server/src/domain/listeners/schedule.ts'
import { readJson } from '../../packages/server/src/doors/http/json-body.ts'
import { readLargeJson } from '../../packages/server/src/doors/http/large-json.ts'
import { redactBody } from '../../packages/server/src/doors/http/redact.ts'
import { mustKeepIntegers } from '../../packages/server/src/doors/http/unstorable-values.ts'
import { openEnvelope } from '../../packages/server/src/doors/soap/envelope.ts'
import { escapeXml } from '../../packages/server/src/doors/soap/xml-tree.ts'
import { formOf } from '../../packages/server/src/doors/transfer/addresses.ts'
import { headOf } from '../../packages/server/src/doors/transfer/part-head.ts'
import { parseRange } from '../../packages/server/src/doors/transfer/range.ts'
import { readForm } from '../../packages/server/src/doors/transfer/read-form.ts'
import { creationIn } from '../../packages/server/src/doors/transfer/tus-headers.ts'
import { scrubText } from '../../packages/server/src/process/scrub.ts'
import { openCursor } from '../../packages/server/src/store/page.ts'
import { openVault } from '../../packages/server/src/store/vault.ts'
import { withoutCase } from '../../packages/text/src/characters/without-case.ts'
import {
  alone,
  around,
  blanks,
  bytesOf,
  escaped,
  inField,
  marks,
  markup,
  piecesOf,
  quoted,
  type Reader,
} from './hostile-texts.ts'

const soap = 'http://schemas.xmlsoap.org/soap/envelope/'
const inBody = around(`<s:Envelope xmlns:s="${soap}"><s:Body><a>`, '</a></s:Body></s:Envelope>')
const vault = openVault(Buffer.alloc(32, 7))

/** In pieces of a socket's size. */
async function readWholeForm(payload: string): Promise<void> {
  const parts = readForm(piecesOf(payload), 'multipart/form-data; boundary=b', 2 ** 30)
  for await (const { bytes } of parts) for await (const _ of bytes);
}
const disposition = '--b\r\ncontent-disposition: form-data; name="file"; filename="'

export const callReaders: readonly Reader[] = [
  {
    name: 'integers of a body',
    read: mustKeepIntegers,
    hostile: ['1', '-', '"', '\\', '1e9,', '"\\"', '9007199254740992,'],
  },
  { name: 'texts without case', read: withoutCase, hostile: [...marks, 'İ', 'ß', 'Σ'] },
  {
    name: 'forms',
    read: readWholeForm,
    hostile: [
      '\r',
      '\r\n',
      '\r\n-',
      '\r\n--',
      '\r\n--b',
      '--b',
      '-',
      '\r\n--b\r\n',
      'a: b\r\n',
      '"',
      '\\"',
      ';',
    ],
    inside: [
      alone,
      around(disposition, '"\r\n\r\nx\r\n--b--\r\n'),
      around(`${disposition}a"\r\n`, '\r\n\r\nx\r\n--b--\r\n'),
      around(`${disposition}a"\r\n\r\n`, '\r\n--b--\r\n'),
      around(`${disposition}a"\r\n\r\n`),
    ],
  },
  {
    name: 'heads of parts',
    read: headOf,
    hostile: [';', '=', '"', '\\"', ' ', '; a=', '; a="b"', '\r\n ', 'a: b\r\n', '%41'],
    inside: [
      alone,
      around('content-disposition: form-data; name="', '"'),
      around('content-disposition: form-data;'),
    ],
  },
  {
    name: 'metadata of uploads',
    read: (text) => creationIn({ 'upload-length': '1', 'upload-metadata': text }),
    hostile: [',', ' ', 'a ', 'a YQ==,', '='],
    inside: [alone, around('filename ')],
  },
  {
    name: 'accepted types',
    read: formOf,
    hostile: [...blanks, ';', 'application/json'],
    inside: [alone, around('application/json', 'x'), around('application/json;', ',')],
  },
  {
    name: 'filters',
    read: parseFilter,
    hostile: ['(', 'not ', "'", "''", ' ', "jobName eq 'a' and ", 'a'],
    inside: [alone, around("jobName eq '", "'")],
  },
  { name: 'orders', read: orderTerms, hostile: [',', ' ', 'createdDate,', 'a ', '\u00a0'] },
  {
    name: 'cursors',
    read: (text) => openCursor(vault, 'site', 'jobs', text),
    hostile: ['.', 'a', '=', 'é'],
  },
  {
    name: 'delivered fields',
    read: (text) => readFields(bytesOf(text)),
    hostile: [...markup, '<field key="a"/>', '</field><field key="a">', ']]>', '&#10;'],
    inside: [
      alone,
      inField,
      escaped(inField),
      escaped(around('<content><field key="', '"/></content>')),
    ],
  },
  {
    name: 'written fields',
    read: (text) => writeFields([{ key: text, value: text }]),
    hostile: ['&', '"', '\r\n', 'a'],
  },
  {
    name: 'SOAP',
    read: (text) => openEnvelope(bytesOf(text)),
    hostile: [...markup, 'a="b" ', 'xmlns:a="b" ', '<a>', '<a/>', '<s:Body/>', '&#10;', ...blanks],
    inside: [
      alone,
      inBody,
      escaped(inBody),
      around('<a ', '>'),
      around('<a xmlns="', '"/>'),
      around(`<s:Envelope xmlns:s="${soap}">`),
    ],
  },
  { name: 'written XML', read: escapeXml, hostile: ['&', '\r', '\u0001'] },
  {
    name: 'ranges',
    read: (text) => parseRange(text, 1_000),
    hostile: [...blanks, '0-0,', '-', ',', '0', '1 - '],
    inside: [alone, around('bytes='), around('bytes=0-', 'x')],
  },
  {
    name: 'JSON bodies',
    read: (text) => readJson(Buffer.from(text)),
    hostile: [
      '[',
      '{"a":',
      '"',
      '\\',
      '\\"',
      '\\\\"',
      '"a":1,',
      '{},',
      '[],',
      '0,',
      '\\ud800',
      ...blanks,
    ],
    inside: [alone, quoted, around('["', '"]'), around('[', '0]'), around('{"a":"')],
  },
  {
    name: 'JSON bodies in slices',
    read: (text) => readLargeJson(Buffer.from(text), Number.POSITIVE_INFINITY, 1_000),
    hostile: [
      '[',
      '{"a":',
      '"',
      '\\',
      '\\"',
      '\\\\"',
      '"a":1,',
      '{},',
      '[],',
      '0,',
      '\\ud800',
      ...blanks,
    ],
    inside: [
      alone,
      quoted,
      around('["', '"]'),
      around('[', '0]'),
      around('[[', '0],1]'),
      around('{"a":"'),
    ],
  },
  {
    name: 'kept bodies',
    read: (text) =>
      ['application/json', 'text/xml', 'application/x-www-form-urlencoded'].map((type) =>
        redactBody(text, type),
      ),
    hostile: [
      '-----BEGIN',
      '-----BEGIN-----',
      'eyJ',
      'eyJ.',
      'a://',
      '/fms/',
      '?a',
      'token',
      'bearer ',
      '<token',
      '&#1',
      '%41',
      'a=b&',
      '\\u0041',
    ],
    inside: [alone, quoted],
  },
  {
    name: 'log lines',
    read: scrubText,
    hostile: [
      'token=',
      '"token":"',
      '"token":"\\',
      'Bearer ',
      'eyJ',
      'a://b:',
      'a://',
      '-----BEGIN PRIVATE KEY-----',
      'a-',
      ...blanks,
    ],
  },
  {
    name: 'languages',
    read: (text) => [findLanguage(text), nearestLanguage(text), spellingsOf(text)],
    hostile: ['a', '-', '_', 'é'],
  },
  {
    name: 'durations and times',
    read: (text) => [parseDuration(text), parseTime(text), pauseOf(text, text, 0)],
    hostile: ['0', '1s', '2026-', ' ', '('],
  },
  {
    name: 'names of files',
    read: (text) => [mediaTypeOf(text), dispositionOf(text), mustBeFileName(text)],
    hostile: ['.', 'a', 'a;', '; a=', '"', '\ud83d\ude00', "'", '%'],
    inside: [alone, around('a/b'), around('a', '.txt')],
  },
]

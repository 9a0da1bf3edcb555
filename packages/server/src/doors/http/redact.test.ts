import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { perCharacter, withWorkCount } from '../../../../../tests/work-count.ts'
import { redactBody, storedBytes } from './redact.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const hidden = 'S3cr3tMarker'

describe('a body for the call log', () => {
  const rows: { name: string; body: string; type: string | undefined }[] = [
    { name: 'a client secret in a form', body: `grant_type=x&client_secret=${hidden}`, type: form },
    {
      name: 'a client secret under an escaped name',
      body: `client%5Fs%65cret=${hidden}&a=b`,
      type: form,
    },
    { name: 'a form whose escapes are broken', body: `a=%zz&client_secret=${hidden}`, type: form },
    { name: 'JSON under the label of a form', body: `{"client_secret":"${hidden}"}`, type: form },
    { name: 'a form under the label of JSON', body: `client_secret=${hidden}`, type: json },
    { name: 'a secret in JSON', body: `{"a":{"Secret":"${hidden}"}}`, type: json },
    { name: 'an object as a credential', body: `{"credentials":{"a":"${hidden}"}}`, type: json },
    { name: 'a list of secrets', body: `{"secrets":["x","${hidden}"]}`, type: json },
    { name: 'a SAS token', body: `{"fmsSASToken":"${hidden}"}`, type: json },
    { name: 'a transfer object', body: `{"fmsUploadUrl":"http://h/fms/${hidden}"}`, type: json },
    {
      name: 'a signed URL in any text',
      body: `{"note":"see http://h/fms/a?x=${hidden} now"}`,
      type: json,
    },
    {
      name: 'a presigned URL',
      body: `{"href":"https://b.s3/x?X-Amz-Signature=${hidden}"}`,
      type: json,
    },
    { name: 'a relative signed path', body: `{"href":"/other?sig=${hidden}"}`, type: json },
    {
      name: 'credentials in a URL',
      body: `{"uri":"https://me:${hidden}@example.com/x"}`,
      type: json,
    },
    { name: 'a JWT', body: `{"x":"eyJhbGciOiJ.eyJ${hidden}.${hidden}"}`, type: json },
    { name: 'a bearer in a text', body: `{"x":"sent Bearer ${hidden} to it"}`, type: json },
    {
      name: 'JSON inside a string',
      body: JSON.stringify({ x: `{"password":"${hidden}"}` }),
      type: json,
    },
    {
      name: 'XML inside a string',
      body: JSON.stringify({ x: `<a:Password Type="t">${hidden}</a:Password>` }),
      type: json,
    },
    {
      name: 'a name given as a value',
      body: `{"name":"client_secret","value":"${hidden}"}`,
      type: json,
    },
    { name: 'a secret as a key', body: `{"password=${hidden}":1}`, type: json },
    { name: 'a key __proto__', body: `{"__proto__":{"password":"${hidden}"}}`, type: json },
    { name: 'JSON cut in a secret', body: `{"client_secret":"${hidden}`, type: json },
    {
      name: 'JSON with a missing quote',
      body: `{"a":"b, "client_secret":"my ${hidden}, and"}`,
      type: json,
    },
    {
      name: 'broken JSON with an escaped name',
      body: `{,"client\\u005fs\\u0065cret":"${hidden}"}`,
      type: json,
    },
    { name: 'an XML password', body: `<Password>${hidden}</Password>`, type: 'text/xml' },
    { name: 'an entity in an XML name', body: `<x p&#97;ssword="${hidden}"/>`, type: 'text/xml' },
    { name: 'a private key', body: `-----BEGIN PRIVATE KEY-----\n${hidden}`, type: 'text/plain' },
    { name: 'an authorization line', body: `Authorization: Basic ${hidden}`, type: undefined },
    { name: 'bytes', body: `%PDF ${hidden}`, type: 'application/octet-stream' },
    {
      name: 'a multipart body',
      body: `--x\r\n\r\n${hidden}`,
      type: 'multipart/form-data; boundary=x',
    },
  ]
  for (const { name, body, type } of rows)
    it(`loses ${name}`, () => expect(redactBody(body, type)).not.toContain(hidden))

  it('keeps what is not a secret', () => {
    const body = {
      jobName: 'Ünïcode 👍',
      n: 1,
      list: [true, null],
      token_type: 'Bearer',
      href: '/v2/jobs?navNext=abc',
      id: 'AbCdEfGhIjKlMnOpQrStUv',
      file: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    }
    expect(JSON.parse(redactBody(JSON.stringify(body), json) ?? '')).toEqual(body)
    expect(redactBody('grant_type=client_credentials&client_id=demo', form)).toContain(
      'client_id=demo',
    )
    expect(redactBody('<a>Hello</a> world', 'text/xml')).toContain('Hello')
  })

  it('keeps nothing if there is no body', () => expect(redactBody(undefined, json)).toBeUndefined())

  it('survives a hundred thousand levels', () => {
    expect(redactBody('['.repeat(30_000) + ']'.repeat(30_000), json)).toContain('[removed]')
    expect(redactBody('['.repeat(100_000), json)).toBeDefined()
  })

  it('has no character that a database refuses and no half of one', () => {
    expect(redactBody('a\u0000b c', 'text/plain')).not.toContain('\u0000')
    const long = redactBody(JSON.stringify({ a: 'é👍'.repeat(10_000) }), json) ?? ''
    expect(long).not.toContain('\uFFFD')
    expect(long.isWellFormed()).toBe(true)
  })

  it('takes little work for a large hostile text', async () => {
    const kinds = [json, 'text/plain']
    const reads = kinds.map((kind) => (text: string) => redactBody(text, kind))
    await withWorkCount(async (count) => {
      for (const part of [
        ...[
          '?token',
          'eyJ',
          'a.b-',
          'http://',
          '<secret',
          '-----BEGIN ',
          'bearer ',
          'https://x@',
          '%20',
        ],
        ...['<a secret', 'secret"', '-----BEGIN-----', 'eyJ.', '//a', '%22token', '<<a'],
      ]) {
        const texts = [part.repeat(6_000 / part.length), `{${part.repeat(6_000 / part.length)} `]
        texts.push(JSON.stringify({ a: texts[0] }))
        for (const read of reads)
          for (const [at, work] of (await count(read, ...texts)).entries())
            expect(work / (texts[at]?.length ?? 1), part).toBeLessThan(perCharacter)
      }
    })
    for (const part of ['?token', 'eyJ', '<secret']) redactBody(part.repeat(100_000), 'text/plain')
  })
})

describe('whatever is sent', () => {
  const marker = fc.stringMatching(/^[A-Za-z0-9]{12,30}$/).map((text) => `Zq7${text}`)
  const secretName = fc.constantFrom(
    'client_secret',
    'password',
    'access_token',
    'fmsSASToken',
    'apiKey',
    'Authorization',
  )
  const place = fc.oneof(
    fc
      .tuple(secretName, marker)
      .map(([name, text]) => ({ text, member: { [name]: `${text}, "and" ${text}` } })),
    marker.map((text) => ({ text, member: { note: `Bearer ${text}` } })),
    marker.map((text) => ({ text, member: { href: `https://h/fms/a/b?sig=${text}` } })),
    marker.map((text) => ({ text, member: { x: `eyJ${text}.${text}.${text}` } })),
  )

  it('no secret is kept, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        place,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (other, at, share) => {
          const body = JSON.stringify([other, { before: other, ...at.member, after: other }])
          const kept = redactBody(body.slice(0, Math.ceil(body.length * share)), json) ?? ''
          expect(kept).not.toContain(at.text.slice(0, 8))
          expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(storedBytes)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('no secret under its name is kept when a character of punctuation is lost or added', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 2 }),
        secretName,
        marker,
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', ',', "'"),
        (other, name, text, where, put) => {
          const body = JSON.stringify({ before: other, [name]: text, after: other })
          const marks = [...body.matchAll(/["{},:[\]]/g)].map((found) => found.index)
          const at = marks[where % marks.length] ?? 0
          expect(redactBody(body.slice(0, at) + put + body.slice(at + 1), json)).not.toContain(text)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('any text fits into 16 KiB', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40_000 }),
        fc.constantFrom(json, form, 'text/xml', undefined),
        (body, type) => {
          expect(Buffer.byteLength(redactBody(body, type) ?? '')).toBeLessThanOrEqual(storedBytes)
        },
      ),
    )
  })
})

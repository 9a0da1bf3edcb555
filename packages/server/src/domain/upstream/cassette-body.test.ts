import { describe, expect, it } from 'vitest'
import { pathAt } from './addresses.ts'
import { bodyOf, plainUrl, type ReplacedUrl } from './cassette-body.ts'

const place: ReplacedUrl = { url: 'https://jobs.example/hub', word: '{upstream}' }
const json = (value: unknown, isCut = false) =>
  bodyOf(
    { bytes: Buffer.from(JSON.stringify(value)), isCut },
    'application/json; charset=utf-8',
    place,
  )

describe('a body in a cassette', () => {
  it('has no secret, by the name of its member, at any depth', () => {
    const sent = {
      secret: 'x',
      clientSecret: 'y',
      items: [{ access_token: 'z', name: 'kept' }],
      password: null,
    }
    expect(json(sent)).toEqual({
      json: {
        secret: '[removed]',
        clientSecret: '[removed]',
        items: [{ access_token: '[removed]', name: 'kept' }],
        password: null,
      },
    })
  })

  it('names the signed address of a file alike wherever it appears', () => {
    const address = 'https://jobs.example/hub/fms/multipart/7?sig=abc'
    const { json: kept } = json({ fmsPostMultipartUrl: address, fmsSASToken: 'abc' }) ?? {}
    const name = pathAt(place.url, address).transfer
    expect(kept).toEqual({
      fmsPostMultipartUrl: `{upstream}/fms/${name}`,
      fmsSASToken: '[removed]',
    })
    expect(plainUrl('/hub/fms/multipart/7?sig=abc', place)).toBe(`{upstream}/fms/${name}`)
    const elsewhere = 'https://bucket.example/a?X-Amz-Signature=abc'
    expect(json({ fmsUploadUrl: elsewhere, seen: elsewhere })?.json).toEqual({
      fmsUploadUrl: `{upstream}/fms/${pathAt(place.url, elsewhere).transfer}`,
      seen: 'https://bucket.example/a?[removed]',
    })
  })

  it('of JSON that was cut keeps nothing, of other text what there is, of other bytes base64', () => {
    expect(json({ secret: 'x' }, true)).toEqual({ bytes: 14, cut: true })
    const other = (bytes: Uint8Array, isCut = false) => bodyOf({ bytes, isCut }, 'text/html', place)
    expect(other(Buffer.from('<p>é'), true)).toEqual({ text: '<p>é', cut: true })
    expect(other(Buffer.from([0xff, 0xfe, 0]))).toEqual({ base64: '//4A' })
    expect(bodyOf({ bytes: Buffer.from('{'), isCut: false }, 'application/json', place)).toEqual({
      bytes: 1,
    })
  })

  it('keeps a path below the address of the upstream, without secrets in its query', () => {
    expect(pathAt(place.url, 'https://jobs.example/hub/v2/jobs?pageSize=5&token=x')).toEqual({
      path: '/v2/jobs',
      query: '?pageSize=5&token=%5Bremoved%5D',
    })
  })
})

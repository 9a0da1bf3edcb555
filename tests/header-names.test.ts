/**
 * Contract, section 3: header names go out in their customary capitals on every door, for clients
 * that look them up with case.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

/** Names that the specifications write small. */
const small = /^(x-request-id|webhook-[a-z]+)$/
const capital = /^[A-Z][A-Za-z0-9]*(-[A-Z][A-Za-z0-9]*)*$/

describe('header names', () => {
  let hub: TestHub
  let token: string
  let jobId: string
  let tus: URL
  let sas: string
  beforeAll(async () => {
    hub = await startHub()
    token = await hub.token('demo-connector')
    const as = 'demo-connector'
    jobId = String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'x' } })).body.jobId)
    const { body } = await hub.call('POST', `/v2/jobs/${jobId}/sourcefiles?fileName=a.txt`, { as })
    tus = new URL(String(body.fmsUploadUrl))
    sas = String(body.fmsSASToken)
  })
  afterAll(() => hub.close())

  /** The names of the answer as they are on the wire. */
  const namesOf = (
    call: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(hub.url)
      const lines = Object.entries({ host: hostname, connection: 'close', ...headers }).map(
        ([n, v]) => `${n}: ${v}`,
      )
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `${call} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        ),
      )
      let text = ''
      socket.on('data', (some) => {
        text += some
      })
      socket.on('error', reject)
      socket.on('close', () => {
        const [head = ''] = text.split('\r\n\r\n', 1)
        resolve(
          head
            .split('\r\n')
            .slice(1)
            .map((line) => line.slice(0, line.indexOf(':'))),
        )
      })
    })

  const bearer = () => ({ authorization: `Bearer ${token}` })
  const upload = () => ({ sastoken: sas, 'tus-resumable': '1.0.0' })
  it.each<[string, () => Promise<string[]>, string[]]>([
    [
      'a page',
      () => namesOf('GET /v2/jobs', bearer()),
      ['Content-Type', 'Content-Length', 'Cache-Control'],
    ],
    ['a refusal', () => namesOf('GET /v2/jobs'), ['WWW-Authenticate', 'Content-Type']],
    ['a wrong method', () => namesOf('PATCH /v2/jobs', bearer()), ['Allow']],
    [
      'a deprecated call',
      () =>
        namesOf(
          `PUT /v2/jobs/${jobId}`,
          { ...bearer(), 'content-type': 'application/json' },
          '{"jobName":"y"}',
        ),
      ['Deprecation', 'Link'],
    ],
    [
      'a token',
      () =>
        namesOf(
          'POST /connect/token',
          { 'content-type': 'application/x-www-form-urlencoded' },
          'grant_type=client_credentials&client_id=demo-connector&client_secret=demo-connector-secret',
        ),
      ['Cache-Control', 'Content-Type'],
    ],
    [
      'a new upload',
      () => namesOf(`POST ${tus.pathname}`, { ...upload(), 'upload-length': '4' }),
      ['Location', 'Tus-Resumable', 'Upload-Expires'],
    ],
    [
      'the options of uploads',
      () => namesOf(`OPTIONS ${tus.pathname}`, upload()),
      ['Tus-Version', 'Tus-Extension'],
    ],
    [
      'a refused upload',
      () => namesOf(`POST ${tus.pathname}`, { 'tus-resumable': '1.0.0' }),
      ['Content-Type'],
    ],
    ['the WSDL', () => namesOf('GET /ProjectSettingsService.svc?wsdl'), ['Content-Type']],
    ['a SOAP fault', () => namesOf('POST /ProjectSettingsService.svc'), ['Content-Type']],
    ['the home page', () => namesOf('GET /'), ['Content-Security-Policy', 'Content-Type']],
    [
      'what is not HTTP',
      () => namesOf('GET / HTTP/9.9'),
      ['Content-Type', 'Content-Length', 'Connection'],
    ],
  ])('of %s', async (_, names, wanted) => {
    const found = await names()
    expect(found).toEqual(expect.arrayContaining([...wanted, 'x-request-id']))
    expect(found.filter((name) => !capital.test(name) && !small.test(name))).toEqual([])
  })
})

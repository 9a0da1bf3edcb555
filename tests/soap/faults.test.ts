/**
 * Bad input to the project settings service: each a fault with code and sentence, nothing changed,
 * the process alive.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything } from '../scenario.ts'
import {
  action,
  element,
  envelope,
  golden,
  inside,
  namespace,
  type SoapOptions,
  soapCall,
} from './soap-call.ts'

type Bad = SoapOptions & {
  readonly name: string
  readonly operation?: string
  readonly inside?: string
  readonly status?: number
  readonly code: string
  /**
   * Whether its whole answer is a golden file: one for each code, and each way to refuse a message.
   */
  readonly golden?: true
}

const get = element('GetAnalysisCodes')
const xml = (body: string): Pick<Bad, 'body'> => ({ body })
const soap12 = envelope(get).replace(
  'http://schemas.xmlsoap.org/soap/envelope/',
  'http://www.w3.org/2003/05/soap-envelope',
)

const messages: Bad[] = [
  {
    name: 'unknown operation',
    operation: 'GetEverything',
    code: 'ActionNotSupported',
    golden: true,
  },
  { name: 'missing SOAPAction', action: null, code: 'ActionNotSupported', golden: true },
  { name: 'empty SOAPAction', action: '""', code: 'ActionNotSupported' },
  { name: 'wrong SOAPAction', action: '"urn:other/GetAnalysisCodes"', code: 'ActionNotSupported' },
  {
    name: "another operation's SOAPAction",
    action: action('GetOrganisationPriceList'),
    code: 'INVALID_REQUEST',
  },
  { name: 'SOAP 1.2 envelope', ...xml(soap12), code: 'VersionMismatch', golden: true },
  {
    name: 'SOAP 1.2 content type',
    ...xml(soap12),
    headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
    code: 'VersionMismatch',
  },
  {
    name: 'JSON',
    body: '{}',
    headers: { 'content-type': 'application/json' },
    code: 'UNSUPPORTED_MEDIA_TYPE',
    golden: true,
  },
  {
    name: 'wrong namespace',
    ...xml(envelope('<GetAnalysisCodes xmlns="urn:other"/>')),
    code: 'INVALID_REQUEST',
  },
  { name: 'no namespace', ...xml(envelope('<GetAnalysisCodes/>')), code: 'INVALID_REQUEST' },
  {
    name: 'a child of another namespace',
    inside: '<Level xmlns="urn:other">1</Level>',
    code: 'INVALID_REQUEST',
  },
  {
    name: 'wrong envelope namespace',
    ...xml(envelope(get).replace('xmlsoap', 'other')),
    code: 'INVALID_REQUEST',
  },
  { name: 'no envelope', ...xml(get), code: 'INVALID_REQUEST' },
  { name: 'nothing', ...xml(''), code: 'INVALID_REQUEST' },
  { name: 'empty body', ...xml(envelope('')), code: 'INVALID_REQUEST', golden: true },
  { name: 'two elements in the body', ...xml(envelope(get + get)), code: 'INVALID_REQUEST' },
  {
    name: 'two bodies',
    ...xml(envelope(`${get}</s:Body><s:Body>${get}`)),
    code: 'INVALID_REQUEST',
    golden: true,
  },
  {
    name: 'no body',
    ...xml(envelope('').replace('<s:Body></s:Body>', '')),
    code: 'INVALID_REQUEST',
  },
  {
    name: 'a header that must be understood',
    ...xml(envelope(get, '<s:Header><a xmlns="urn:a" s:mustUnderstand="1"/></s:Header>')),
    code: 'MustUnderstand',
    golden: true,
  },
  { name: 'malformed XML', ...xml(envelope('<a>')), code: 'INVALID_REQUEST', golden: true },
  { name: 'an unknown prefix', ...xml(envelope('<q:GetAnalysisCodes/>')), code: 'INVALID_REQUEST' },
  { name: 'two roots', ...xml(`${envelope(get)}<a/>`), code: 'INVALID_REQUEST' },
  { name: 'a message cut short', ...xml(envelope(get).slice(0, -20)), code: 'INVALID_REQUEST' },
  {
    name: 'not UTF-8',
    body: Uint8Array.from([0x3c, 0x61, 0xff, 0x2f, 0x3e]),
    code: 'INVALID_REQUEST',
  },
  {
    name: 'another encoding',
    ...xml(envelope(get).replace('utf-8', 'utf-16')),
    code: 'INVALID_REQUEST',
  },
  {
    name: 'a DTD',
    ...xml(envelope(get).replace('?>', '?><!DOCTYPE s:Envelope [<!ELEMENT a ANY>]>')),
    code: 'INVALID_REQUEST',
    golden: true,
  },
  {
    name: 'entities inside each other',
    ...xml(
      envelope(element('GetAnalysisCodes', '<Level>&b;</Level>')).replace(
        '?>',
        '?><!DOCTYPE x [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;&a;">]>',
      ),
    ),
    code: 'INVALID_REQUEST',
  },
  {
    name: 'an entity of a file',
    ...xml(envelope(get).replace('?>', '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>')),
    code: 'INVALID_REQUEST',
  },
  { name: 'an unknown entity', inside: '<Level>&nbsp;</Level>', code: 'INVALID_REQUEST' },
  { name: 'a processing instruction', inside: '<?php echo 1 ?>', code: 'INVALID_REQUEST' },
  {
    name: '1 MiB and a byte',
    ...xml(padded(1024 ** 2 + 1)),
    code: 'CONTENT_TOO_LARGE',
    golden: true,
  },
  {
    name: '100,000 levels',
    ...xml('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
    code: 'INVALID_REQUEST',
  },
  {
    name: '100,000 levels in the body',
    ...xml(envelope('<a>'.repeat(100_000))),
    code: 'INVALID_REQUEST',
    golden: true,
  },
  {
    name: '50,000 attributes',
    ...xml(envelope(`<a ${numbered((at) => `a${at}="1"`)}/>`)),
    code: 'INVALID_REQUEST',
  },
  { name: '50,000 elements', inside: numbered(() => '<a/>'), code: 'INVALID_REQUEST' },
  { name: 'gzip', headers: { 'content-encoding': 'gzip' }, code: 'UNSUPPORTED_MEDIA_TYPE' },
]

function padded(bytes: number): string {
  const text = envelope(get)
  return text + ' '.repeat(bytes - text.length)
}
function numbered(one: (at: number) => string): string {
  return Array.from({ length: 50_000 }, (_, at) => one(at)).join(' ')
}

const code = (members: string) => `<AnalysisCode>${members}</AnalysisCode>`
const codes = (name: string, inside: string): Bad => ({
  name,
  operation: 'SetOrganisationAnalysisCode',
  inside: code(inside),
  code: 'INVALID_REQUEST',
})

const inputs: Bad[] = [
  { name: 'an extra element', inside: '<Color>red</Color>', code: 'INVALID_REQUEST', golden: true },
  { name: 'an element twice', inside: '<Level>1</Level><Level>2</Level>', code: 'INVALID_REQUEST' },
  { name: 'text between elements', inside: 'what<Level>1</Level>', code: 'INVALID_REQUEST' },
  { name: 'an element inside a number', inside: '<Level><a/></Level>', code: 'INVALID_REQUEST' },
  {
    name: 'a word for a number',
    inside: '<Level>one</Level>',
    code: 'INVALID_REQUEST',
    golden: true,
  },
  { name: 'a broken number', inside: '<Level>1.5</Level>', code: 'INVALID_REQUEST' },
  {
    name: 'a word for a truth',
    inside: '<IncludeHidden>yes</IncludeHidden>',
    code: 'INVALID_REQUEST',
  },
  { name: 'level -1', inside: '<Level>-1</Level>', code: 'INVALID_REQUEST' },
  { name: 'level 11', inside: '<Level>11</Level>', code: 'INVALID_REQUEST' },
  {
    name: 'a missing element',
    operation: 'SetOrganisationAnalysisCode',
    code: 'INVALID_REQUEST',
    golden: true,
  },
  codes('a missing element inside', '<Level>1</Level>'),
  codes('a code at level 0', '<Code>x</Code><Level>0</Level>'),
  codes('a code at level 11', '<Code>x</Code><Level>11</Level>'),
  codes('an empty code', '<Code/><Level>1</Level>'),
  codes('a code of blanks', '<Code> \u00a0 </Code><Level>1</Level>'),
  codes('an empty label', '<Code>x</Code><Level>1</Level><Label/>'),
  codes('a label of blanks', '<Code>x</Code><Level>1</Level><Label>   </Label>'),
  {
    name: 'a label of blanks for a code',
    operation: 'SetOrganisationAnalysisCodeLabel',
    inside: '<AnalysisCodeID>$TAKEN</AnalysisCodeID><Label> </Label>',
    code: 'INVALID_REQUEST',
  },
  codes(
    'a label of 201 characters',
    `<Code>x</Code><Level>1</Level><Label>${'ä'.repeat(201)}</Label>`,
  ),
  codes('an unknown element inside', '<Code>x</Code><Level>1</Level><Colour>red</Colour>'),
  {
    ...codes('the code of another with other case', '<Code>TAKEN</Code><Level>1</Level>'),
    code: 'ANALYSIS_CODE_INVALID',
    golden: true,
  },
  {
    ...codes('a code with an unknown id', '<ID>nobody</ID><Code>x</Code><Level>1</Level>'),
    code: 'ANALYSIS_CODE_NOT_FOUND',
    golden: true,
  },
  {
    name: 'a level for codes of which one is unknown',
    operation: 'SetOrganisationAnalysisCodesLevel',
    inside:
      '<AnalysisCodeIDs><string>$TAKEN</string><string>nobody</string></AnalysisCodeIDs><Level>5</Level>',
    code: 'ANALYSIS_CODE_NOT_FOUND',
  },
  {
    name: 'a level that has the code already',
    operation: 'SetOrganisationAnalysisCodesLevel',
    inside:
      '<AnalysisCodeIDs><string>$OTHER</string><string>$TAKEN</string></AnalysisCodeIDs><Level>2</Level>',
    code: 'ANALYSIS_CODE_INVALID',
  },
  {
    name: 'no codes for a level',
    operation: 'SetOrganisationAnalysisCodesLevel',
    inside: '<AnalysisCodeIDs/><Level>5</Level>',
    code: 'INVALID_REQUEST',
  },
  ...['SetOrganisationAnalysisCodeVisiblity', 'DeleteOrganisationAnalysisCode'].map(
    (operation) => ({
      name: `${operation} of an unknown code`,
      operation,
      inside: `<AnalysisCodeID>nobody</AnalysisCodeID>${operation.startsWith('Set') ? '<Visible>true</Visible>' : ''}`,
      code: 'ANALYSIS_CODE_NOT_FOUND',
    }),
  ),
  {
    name: 'a label of 201 characters for a level',
    operation: 'SetOrganisationAnalysisCodeLevelVisibility',
    inside: `<Level>1</Level><Visible>true</Visible><Label>${'x'.repeat(201)}</Label>`,
    code: 'INVALID_REQUEST',
  },
  {
    name: 'no price list in force',
    operation: 'GetOrganisationPriceList',
    inside: '<At>1999-12-31</At>',
    code: 'PRICE_LIST_NOT_FOUND',
    golden: true,
  },
  {
    name: 'a day that is none',
    operation: 'GetOrganisationPriceList',
    inside: '<At>31.12.1999</At>',
    code: 'INVALID_REQUEST',
  },
  {
    name: 'an unknown price list',
    operation: 'GetOrganisationPriceListbyPriceListID',
    inside: '<PriceListID>nobody</PriceListID>',
    code: 'PRICE_LIST_NOT_FOUND',
  },
  ...['GetAnalysisCodes', 'GetOrganisationPriceList', 'SetOrganisationAnalysisCode'].map(
    (operation) => ({
      name: `${operation} of another organisation`,
      operation,
      inside: `<OrganisationID>other</OrganisationID>${operation.startsWith('Set') ? code('<Code>x</Code><Level>1</Level>') : ''}`,
      code: 'NOT_FOUND',
      ...(operation === 'GetAnalysisCodes' && { golden: true as const }),
    }),
  ),
]

type Parts = { currency?: string; days?: string; bands?: string; lines?: string; price?: string }
const band = (name: string, kind: string, range = ''): string =>
  `<Band><Name>${name}</Name><Kind>${kind}</Kind>${range}<Factor>1</Factor></Band>`
const range = (min: number, max: number) =>
  `<MinPercent>${min}</MinPercent><MaxPercent>${max}</MaxPercent>`
const line = (source: string, price: string) =>
  `<PriceLine><Service>Translation</Service><SourceLanguage>${source}</SourceLanguage><TargetLanguage>*</TargetLanguage>` +
  `<Unit>Word</Unit><UnitPrice>${price}</UnitPrice></PriceLine>`
const usual = '<ValidFrom>2024-01-01</ValidFrom>'
const prices = (name: string, parts: Parts, code = 'PRICE_LIST_INVALID'): Bad => ({
  name,
  operation: 'SetOrganisationPriceList',
  inside:
    `<PriceList><Name>P</Name><Currency>${parts.currency ?? 'EUR'}</Currency>${parts.days ?? usual}` +
    `<Bands>${parts.bands ?? band('New', 'New')}</Bands>` +
    `<Lines>${parts.lines ?? line('en-us', parts.price ?? '0.1')}</Lines></PriceList>`,
  code,
})
const priceLists: Bad[] = [
  { ...prices('a price with a comma', { price: '1,5' }, 'INVALID_REQUEST'), golden: true },
  ...['-1', 'NaN', 'INF', '1e2', '0.1234567', '1234567890123', ''].map((price) =>
    prices(`the price ${price || 'nothing'}`, { price }, 'INVALID_REQUEST'),
  ),
  { ...prices('an unknown currency', { currency: 'XXQ' }), golden: true },
  prices('a currency in small letters', { currency: 'eur' }, 'INVALID_REQUEST'),
  {
    ...prices('overlapping lines', { lines: line('en-us', '1') + line('EN_US', '2') }),
    golden: true,
  },
  {
    ...prices('an unknown language', { lines: line('xx-xx', '1') }, 'INVALID_LANGUAGE'),
    golden: true,
  },
  {
    ...prices('a gap between bands', {
      bands: band('E', 'Exact') + band('F', 'Fuzzy', range(75, 94)) + band('N', 'New'),
    }),
    golden: true,
  },
  prices('overlapping bands', {
    bands:
      band('E', 'Exact') +
      band('F', 'Fuzzy', range(85, 99)) +
      band('G', 'Fuzzy', range(75, 85)) +
      band('N', 'New'),
  }),
  prices('a band of an unknown kind', { bands: band('N', 'Newish') }, 'INVALID_REQUEST'),
  prices('no bands', { bands: '' }, 'INVALID_REQUEST'),
  prices('no lines', { lines: ' ' }, 'INVALID_REQUEST'),
  prices('a last day before the first', { days: `${usual}<ValidTo>2023-12-31</ValidTo>` }),
  prices(
    'a day that does not exist',
    { days: '<ValidFrom>2024-02-30</ValidFrom>' },
    'INVALID_REQUEST',
  ),
  prices('a line with an unknown analysis code', {
    lines: line('*', '1').replace(
      '</PriceLine>',
      '<AnalysisCodeID>nobody</AnalysisCodeID></PriceLine>',
    ),
  }),
]

const callers: Bad[] = [
  { name: 'no credentials', as: '', status: 401, code: 'UNAUTHORIZED', golden: true },
  {
    name: 'a wrong secret',
    as: '',
    headers: { authorization: `Basic ${Buffer.from('demo-settings:wrong').toString('base64')}` },
    status: 401,
    code: 'UNAUTHORIZED',
  },
  { name: 'an unknown client', as: 'nobody', status: 401, code: 'UNAUTHORIZED' },
  {
    name: 'credentials without a colon',
    as: '',
    headers: { authorization: 'Basic eA==' },
    status: 401,
    code: 'UNAUTHORIZED',
  },
  {
    name: 'a wrong token',
    as: '',
    headers: { authorization: 'Bearer x' },
    status: 401,
    code: 'UNAUTHORIZED',
  },
  {
    name: 'a scheme of its own',
    as: '',
    headers: { authorization: 'Digest x' },
    status: 401,
    code: 'UNAUTHORIZED',
  },
  { name: 'another scope', as: 'demo-connector', status: 403, code: 'FORBIDDEN', golden: true },
]

describe.each(databases)('the project settings service on %s refuses', (database) => {
  let hub: TestHub
  let untouched: string
  const ids = new Map<string, string>()
  beforeAll(async () => {
    hub = await startHub({ database })
    const make = async (level: number, name: string) =>
      inside(
        (
          await soapCall(
            hub,
            'SetOrganisationAnalysisCode',
            code(`<Code>${name}</Code><Level>${level}</Level>`),
          )
        ).text,
        'ID',
      )
    ids.set('$TAKEN', await make(1, 'Taken')).set('$OTHER', await make(2, 'taken'))
    untouched = await everything(hub)
  })
  afterAll(() => hub.close())

  it.each([...messages, ...inputs, ...priceLists, ...callers])('$name', async (bad) => {
    const { operation = 'GetAnalysisCodes', status = 500 } = bad
    const given = (bad.inside ?? '').replace(/\$[A-Z]+/g, (id) => ids.get(id) ?? id)
    const answer = await soapCall(hub, operation, given, bad)
    expect([answer.status, inside(answer.text, 'Code')], answer.text).toEqual([status, bad.code])
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    expect(inside(answer.text, 'faultcode')).toBe('s:Client')
    expect(inside(answer.text, 'faultstring')).toMatch(/^(&quot;|[A-Z]).{10,}\.$/s)
    expect(inside(answer.text, 'Message')).toBe(inside(answer.text, 'faultstring'))
    expect(answer.text).toContain(`<SettingsFault xmlns="${namespace}">`)
    expect(answer.text).not.toMatch(/node_modules|\bat .*\.ts:|select .* from|SQLITE/i)
    if (status === 401)
      expect(answer.headers.get('www-authenticate')).toMatch(/Bearer realm.*Basic realm/)
    if (bad.golden)
      await expect(golden(answer.text)).toMatchFileSnapshot(
        `fault-${bad.name.replace(/\W+/g, '-')}.xml`,
      )
    expect(await everything(hub)).toBe(untouched)
  })

  it("what is another site's, as if it were not there", async () => {
    hub.secrets.set('other-settings', 'a-secret-of-another-site')
    await enrolClient(hub.inner, {
      siteId: 'elsewhere',
      clientId: 'other-settings',
      secret: 'a-secret-of-another-site',
      scopes: ['settings'],
      providerIds: [],
    })
    const label = `<AnalysisCodeID>${ids.get('$TAKEN')}</AnalysisCodeID><Label>x</Label>`
    const { status, text } = await soapCall(hub, 'SetOrganisationAnalysisCodeLabel', label, {
      as: 'other-settings',
    })
    expect([status, inside(text, 'Code')]).toEqual([500, 'ANALYSIS_CODE_NOT_FOUND'])
    const { text: own } = await soapCall(hub, 'GetAnalysisCodes', '', { as: 'other-settings' })
    expect(own).toContain('<GetAnalysisCodesResult><Levels></Levels></GetAnalysisCodesResult>')
  })

  it('with a line in the call log that names the code', async () => {
    await soapCall(hub, 'GetAnalysisCodes', '<Level>11</Level>')
    await expect
      .poll(async () =>
        hub.inner.db.read
          .selectFrom('calls')
          .select(['route', 'status', 'error_code', 'client_id'])
          .where('error_code', '=', 'INVALID_REQUEST')
          .where('client_id', '=', 'demo-settings')
          .execute(),
      )
      .toContainEqual({
        route: '/ProjectSettingsService.svc',
        status: 500,
        error_code: 'INVALID_REQUEST',
        client_id: 'demo-settings',
      })
  })
})

it('a failure of the hub itself is a fault of the server that shows nothing of the inside', async () => {
  const hub = await startHub()
  try {
    await hub.inner.db.transact((tx) => tx.schema.dropTable('analysis_levels').execute())
    const { status, text } = await soapCall(hub, 'GetAnalysisCodes')
    expect([status, inside(text, 'faultcode'), inside(text, 'Code')]).toEqual([
      500,
      's:Server',
      'INTERNAL',
    ])
    await expect(golden(text)).toMatchFileSnapshot('fault-inside.xml')
    expect(hub.logged()).toContain('analysis_levels')
    const line = hub
      .logged()
      .split('\n')
      .find((one) => one.includes('"internal error"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'error',
      traceId: expect.stringMatching(/^[\da-f]{24}$/),
    })
  } finally {
    await hub.close()
  }
})

it('a service that is asked too often says so, with its status', async () => {
  const hub = await startHub({ env: { DRAGOMAN_RATE_LIMIT: '1' } })
  try {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => soapCall(hub, 'GetAnalysisCodes')),
    )
    const refused = answers.find(({ status }) => status === 429)
    expect(inside(refused?.text ?? '', 'Code')).toBe('RATE_LIMITED')
    expect(refused?.headers.get('retry-after')).toBe('1')
  } finally {
    await hub.close()
  }
})

/**
 * Every operation against its golden file, on both databases; the WSDL too. `npx vitest run
 * tests/soap -u` renews them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import {
  action,
  element,
  envelope,
  golden,
  inside,
  namespace,
  path,
  soapCall,
} from './soap-call.ts'

const line = (
  prices: string,
  languages = '<SourceLanguage>en-us</SourceLanguage><TargetLanguage>*</TargetLanguage>',
) => `<PriceLine><Service>Translation</Service>${languages}<Unit>Word</Unit>${prices}</PriceLine>`
const priceList = `<PriceList>
  <Name>Standard &amp; more</Name><Currency>EUR</Currency><ValidFrom>2024-01-01</ValidFrom><ValidTo>2099-12-31</ValidTo>
  <MinimumFee>25</MinimumFee><ManagementFeePercent>7.5</ManagementFeePercent>
  <Bands>
    <Band><Name>Repetitions</Name><Kind>Repetition</Kind><Factor>0.1</Factor></Band>
    <Band><Name>Exact</Name><Kind>Exact</Kind><Factor>.2</Factor></Band>
    <Band><Name>75-99</Name><Kind>Fuzzy</Kind><MinPercent>75</MinPercent><MaxPercent>99</MaxPercent><Factor>0.6</Factor></Band>
    <Band><Name>New</Name><Kind>New</Kind><Factor>1</Factor></Band>
  </Bands>
  <Lines>${line('<UnitPrice>0.145000</UnitPrice><MinimumFee>12.50</MinimumFee><AnalysisCodeID>$ONE</AnalysisCodeID>')}
  ${line('<UnitPrice>+0.2</UnitPrice>', '<SourceLanguage>*</SourceLanguage><TargetLanguage>*</TargetLanguage>')}</Lines>
</PriceList>`

/** In this order; `$ONE`, `$TWO` and `$LIST` are ids of answers before. */
const calls: readonly [
  name: string,
  operation: string,
  inside: string,
  keeps?: [string, string],
][] = [
  [
    'SetOrganisationAnalysisCode',
    'SetOrganisationAnalysisCode',
    '<AnalysisCode><Code>CC-100</Code><Label>Märkte &amp; &lt;Co&gt;</Label><Level>1</Level><Visible>true</Visible></AnalysisCode>',
    ['$ONE', 'ID'],
  ],
  [
    'SetOrganisationAnalysisCode-brief',
    'SetOrganisationAnalysisCode',
    '<OrganisationID>demo</OrganisationID><AnalysisCode><Code>cc-200</Code><Level>1</Level></AnalysisCode>',
    ['$TWO', 'ID'],
  ],
  [
    'SetOrganisationAnalysisCode-changed',
    'SetOrganisationAnalysisCode',
    '<AnalysisCode><ID>$TWO</ID><Code>CC-200</Code><Level>1</Level><Label>Second</Label></AnalysisCode>',
  ],
  [
    'SetOrganisationAnalysisCodeLabel',
    'SetOrganisationAnalysisCodeLabel',
    '<AnalysisCodeID>$ONE</AnalysisCodeID><Label>Sales</Label>',
  ],
  [
    'SetOrganisationAnalysisCodesLevel',
    'SetOrganisationAnalysisCodesLevel',
    '<AnalysisCodeIDs><string>$ONE</string><string>$TWO</string></AnalysisCodeIDs><Level>3</Level>',
  ],
  [
    'SetOrganisationAnalysisCodeVisiblity',
    'SetOrganisationAnalysisCodeVisiblity',
    '<AnalysisCodeID>$TWO</AnalysisCodeID><Visible>0</Visible>',
  ],
  [
    'SetOrganisationAnalysisCodeLevelVisibility',
    'SetOrganisationAnalysisCodeLevelVisibility',
    '<Level>3</Level><Visible>true</Visible><Label>Department</Label>',
  ],
  ['GetAnalysisCodes', 'GetAnalysisCodes', ''],
  [
    'GetAnalysisCodes-hidden',
    'GetAnalysisCodes',
    '<Level>3</Level><IncludeHidden>true</IncludeHidden>',
  ],
  [
    'DeleteOrganisationAnalysisCode',
    'DeleteOrganisationAnalysisCode',
    '<AnalysisCodeID>$TWO</AnalysisCodeID>',
  ],
  ['SetOrganisationPriceList', 'SetOrganisationPriceList', priceList, ['$LIST', 'PriceListID']],
  ['GetOrganisationPriceList', 'GetOrganisationPriceList', '<At>2024-06-01</At>'],
  [
    'GetOrganisationPriceListbyPriceListID',
    'GetOrganisationPriceListbyPriceListID',
    '<PriceListID>$LIST</PriceListID>',
  ],
]

describe.each(databases)('the project settings service on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  it('answers every operation as its golden file says', async () => {
    const ids = new Map<string, string>()
    for (const [name, operation, given, keeps] of calls) {
      const sent = given.replace(/\$[A-Z]+/g, (id) => ids.get(id) ?? id)
      const { status, headers, text } = await soapCall(hub, operation, sent)
      expect([name, status, headers.get('content-type')]).toEqual([
        name,
        200,
        'text/xml; charset=utf-8',
      ])
      expect(headers.get('soapaction')).toBe(action(`${operation}Response`))
      await expect(golden(text)).toMatchFileSnapshot(`${name}.xml`)
      if (keeps) ids.set(keeps[0], inside(text, keeps[1]))
    }
    expect(new Set(calls.map(([, operation]) => operation)).size).toBe(10)
  })

  it('serves its WSDL to anybody, with the address it is called by', async () => {
    for (const query of ['?wsdl', '?WSDL', '?singleWsdl', '?Wsdl=']) {
      const { status, headers, body } = await hub.call<string>('GET', `${path}${query}`)
      expect([query, status, headers.get('content-type')]).toEqual([
        query,
        200,
        'text/xml; charset=utf-8',
      ])
      expect(body).toContain(`<soap:address location="${hub.url}${path}"/>`)
      await expect(body.replace(hub.url, 'http://hub.example')).toMatchFileSnapshot('wsdl.xml')
    }
    expect((await hub.call<string>('GET', path)).body).toContain(`${hub.url}${path}?wsdl`)
  })

  it.each([
    ['in quotes', action('GetAnalysisCodes')],
    ['without quotes', action('GetAnalysisCodes').slice(1, -1)],
    ['with spaces around', ` ${action('GetAnalysisCodes')} `],
  ])('takes the SOAPAction %s', async (_, sent) => {
    expect((await soapCall(hub, 'GetAnalysisCodes', '', { action: sent })).status).toBe(200)
  })

  it.each([
    [
      'a prefix',
      envelope(
        `<x:GetAnalysisCodes xmlns:x="${namespace}"><x:Level>1</x:Level></x:GetAnalysisCodes>`,
      ),
    ],
    [
      'a header nobody must understand',
      envelope(element('GetAnalysisCodes'), '<s:Header><a xmlns="urn:a"/></s:Header>'),
    ],
    [
      'comments and CDATA',
      envelope(element('GetAnalysisCodes', '<!-- one --><Level><![CDATA[1]]></Level>')),
    ],
    ['a byte order mark', `\ufeff${envelope(element('GetAnalysisCodes'))}`],
    [
      'nil for what is absent',
      envelope(
        element(
          'GetAnalysisCodes',
          '<Level xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>',
        ),
      ),
    ],
  ])('reads an envelope with %s', async (_, body) => {
    expect((await soapCall(hub, 'GetAnalysisCodes', '', { body })).status).toBe(200)
  })

  it('takes an absent, a nil and a zero level for all levels', async () => {
    const nil = '<Level xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'
    const answers = await Promise.all(
      ['', nil, '<Level>0</Level>'].map((level) => soapCall(hub, 'GetAnalysisCodes', level)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[0]?.text).toContain('<AnalysisCodeLevel>')
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('lets in a bearer of the scope settings, and an admin', async () => {
    for (const as of ['demo-settings', 'demo-admin']) {
      const headers = { authorization: `Bearer ${await hub.token(as)}` }
      expect((await soapCall(hub, 'GetAnalysisCodes', '', { as: '', headers })).status).toBe(200)
      expect((await soapCall(hub, 'GetAnalysisCodes', '', { as })).status).toBe(200)
    }
  })
})

it.each(['', '/'])(
  'takes its namespace, ending with "%s", and its address from the configuration',
  async (end) => {
    const own = `http://soap.example.org/settings${end}`
    const hub = await startHub({
      env: {
        DRAGOMAN_SOAP_NAMESPACE: own,
        DRAGOMAN_PUBLIC_URL: 'https://hub.example.org/dragoman/',
      },
    })
    try {
      const { body } = await hub.call<string>('GET', `${path}?wsdl`)
      expect(body).toContain(`<soap:address location="https://hub.example.org/dragoman${path}"/>`)
      expect(body).toContain(`targetNamespace="${own}"`)
      const sent = envelope(`<GetAnalysisCodes xmlns="${own}"/>`)
      const { status, text } = await soapCall(hub, 'GetAnalysisCodes', '', {
        body: sent,
        action: '"http://soap.example.org/settings/IProjectSettingsService/GetAnalysisCodes"',
      })
      expect([status, text.includes(`<GetAnalysisCodesResponse xmlns="${own}">`)]).toEqual([
        200,
        true,
      ])
      expect((await soapCall(hub, 'GetAnalysisCodes')).status).toBe(500)
    } finally {
      await hub.close()
    }
  },
)

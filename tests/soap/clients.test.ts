/**
 * Stock clients, each generated from the served WSDL alone: all ten operations, and a fault as
 * their own exception.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClientAsync } from 'soap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { path } from './soap-call.ts'

const run = promisify(execFile)
const isThere = async (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    ({ stdout }) => stdout.includes('there'),
    () => false,
  )
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
const hasPhp = await isThere('php', '-r', 'echo class_exists("SoapClient") ? "there" : "";')
const hasZeep = await isThere(python, '-c', 'import zeep; print("there")')

const expected = (prefix: string, fault: object) => ({
  operations: 10,
  made: 'Märkte & <Co>',
  label: 'Sales',
  moved: [`${prefix}-1 of 3`, `${prefix}-2 of 3`],
  hidden: false,
  level: 'Department',
  codes: [`${prefix}-1`, `${prefix}-2`],
  deleted: true,
  fee: '25',
  percent: 75,
  price: '0.145',
  from: '2024-01-01',
  again: true,
  fault: {
    code: 'ANALYSIS_CODE_NOT_FOUND',
    message: 'There is no analysis code nobody on this site.',
    side: 's:Client',
    ...fault,
  },
})

describe.each(databases)('a client of the project settings service on %s', (database) => {
  let hub: TestHub
  const credentials = ['demo-settings', 'demo-settings-secret'] as const
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  it("made by PHP's SoapClient", async (test) => {
    test.skip(!hasPhp, 'there is no PHP with SoapClient on this machine')
    await hub.call('POST', '/sandbox/reset')
    const script = join(import.meta.dirname, 'client.php')
    const { stdout } = await run('php', [script, `${hub.url}${path}?wsdl`, ...credentials, 'php'])
    expect(JSON.parse(stdout)).toEqual(expected('php', { class: 'SoapFault' }))
  })

  it('made by zeep', async (test) => {
    test.skip(!hasZeep, 'there is no zeep on this machine')
    await hub.call('POST', '/sandbox/reset')
    const script = join(import.meta.dirname, 'client.py')
    const { stdout } = await run(
      python,
      [script, `${hub.url}${path}?singleWsdl`, ...credentials, 'py'],
      {
        env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
      },
    )
    expect(JSON.parse(stdout)).toEqual(expected('py', { class: 'Fault' }))
  })

  it('made by the soap package of node', async () => {
    await hub.call('POST', '/sandbox/reset')
    const client = await createClientAsync(`${hub.url}${path}?wsdl`)
    client.addHttpHeader('authorization', `Bearer ${await hub.token('demo-settings')}`)
    type Found = Record<string, never>
    const ask = async (operation: string, input: object): Promise<Found> => {
      const [answer] = await client[`${operation}Async`](input)
      return answer[`${operation}Result`]
    }
    const set = (code: string, label: string) =>
      ask('SetOrganisationAnalysisCode', {
        AnalysisCode: { Code: code, Label: label, Level: 1, Visible: true },
      })
    const one = await set('js-1', 'Märkte & <Co>')
    const two = await set('js-2', 'Second')
    const label = await ask('SetOrganisationAnalysisCodeLabel', {
      AnalysisCodeID: one.ID,
      Label: 'Sales',
    })
    const moved = await ask('SetOrganisationAnalysisCodesLevel', {
      AnalysisCodeIDs: { string: [one.ID, two.ID] },
      Level: 3,
    })
    const hidden = await ask('SetOrganisationAnalysisCodeVisiblity', {
      AnalysisCodeID: two.ID,
      Visible: false,
    })
    const level = await ask('SetOrganisationAnalysisCodeLevelVisibility', {
      Level: 3,
      Visible: true,
      Label: 'Department',
    })
    const codes = (await ask('GetAnalysisCodes', { Level: 3, IncludeHidden: true })) as unknown as {
      Levels: { AnalysisCodeLevel: { Codes: { AnalysisCode: { Code: string }[] } }[] }
    }
    const deleted = await ask('DeleteOrganisationAnalysisCode', { AnalysisCodeID: two.ID })
    const saved = (await ask('SetOrganisationPriceList', {
      PriceList: prices(String(one.ID)),
    })) as unknown as List
    const current = (await ask('GetOrganisationPriceList', { At: '2024-06-01' })) as unknown as List
    const byId = (await ask('GetOrganisationPriceListbyPriceListID', {
      PriceListID: saved.PriceListID,
    })) as unknown as List
    const fault = await ask('SetOrganisationAnalysisCodeLabel', {
      AnalysisCodeID: 'nobody',
      Label: 'x',
    }).then(
      () => undefined,
      (error: Error & { root: { Envelope: { Body: { Fault: Record<string, never> } } } }) => {
        const { faultcode, detail } = error.root.Envelope.Body.Fault as unknown as {
          faultcode: string
          detail: { SettingsFault: { Code: string; Message: string } }
        }
        const { Code, Message } = detail.SettingsFault
        return { class: error.constructor.name, side: faultcode, code: Code, message: Message }
      },
    )
    const service =
      client.describe().ProjectSettingsService.BasicHttpBinding_IProjectSettingsService
    expect({
      operations: Object.keys(service).length,
      made: one.Label,
      label: label.Label,
      moved: (moved.AnalysisCode as unknown as { Code: string; Level: number }[]).map(
        (c) => `${c.Code} of ${c.Level}`,
      ),
      hidden: hidden.Visible,
      level: level.Label,
      codes: codes.Levels.AnalysisCodeLevel[0]?.Codes.AnalysisCode.map(({ Code }) => Code),
      deleted,
      fee: String(saved.MinimumFee),
      percent: saved.Bands.Band[1]?.MinPercent,
      price: String(current.Lines.PriceLine[0]?.UnitPrice),
      // It reads a day as a moment.
      from: new Date(current.ValidFrom).toISOString().slice(0, 10),
      again: byId.PriceListID === saved.PriceListID && byId.Version === saved.Version,
      fault,
    }).toEqual(expected('js', { class: 'Error' }))
  })
})

type List = {
  PriceListID: string
  Version: number
  MinimumFee: string
  ValidFrom: string
  Bands: { Band: { MinPercent: number }[] }
  Lines: { PriceLine: { UnitPrice: string }[] }
}
const prices = (codeId: string) => ({
  Name: 'js',
  Currency: 'EUR',
  ValidFrom: '2024-01-01',
  MinimumFee: '25',
  Bands: {
    Band: [
      { Name: 'Exact', Kind: 'Exact', Factor: '0.2' },
      { Name: 'Fuzzy', Kind: 'Fuzzy', MinPercent: 75, MaxPercent: 99, Factor: '0.6' },
      { Name: 'New', Kind: 'New', Factor: '1' },
    ],
  },
  Lines: {
    PriceLine: [
      {
        Service: 'Translation',
        SourceLanguage: 'en-us',
        TargetLanguage: '*',
        Unit: 'Word',
        UnitPrice: '0.145',
        AnalysisCodeID: codeId,
      },
    ],
  },
})

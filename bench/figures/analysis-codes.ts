/**
 * GetAnalysisCodes with 500 codes and a token over SOAP, against the bare `soap` package sending
 * the same response.
 */
import { startChild } from '../child.ts'
import type { BareSoapVerbs } from '../children/bare-soap.ts'
import type { LoadVerbs } from '../children/load.ts'
import type { Figure, FigureRow } from '../figure.ts'
import { inTurn, rate, ratioOf, type Side } from '../pairs.ts'
import { type Caller, newPlace, startCaller } from '../server.ts'

const connections = 10
const path = '/ProjectSettingsService.svc'
const namespace = 'urn:dragoman:project-settings'
const operation = 'GetAnalysisCodes'
const soapHeaders = {
  'content-type': 'text/xml; charset=utf-8',
  soapaction: `"${namespace}/IProjectSettingsService/${operation}"`,
}
const body =
  '<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
  `<${operation} xmlns="${namespace}"/></s:Body></s:Envelope>`

export const codesOverSoap: Figure = {
  name: 'soap-codes',
  says: 'GetAnalysisCodes with 500 codes over SOAP against the bare soap package',
  run: async (bench) => {
    const count = 500
    const server = await startCaller(bench, await newPlace(bench), 'soap-codes')
    const codes = await fill(server, count)
    const bare = startChild<BareSoapVerbs>(bench, 'bare-soap')
    const wsdl = await (await fetch(`http://127.0.0.1:${server.port}${path}?wsdl`)).text()
    const result = {
      Levels: {
        AnalysisCodeLevel: [{ Level: 1, Label: '', Visible: true, Codes: { AnalysisCode: codes } }],
      },
    }
    const barePort = await bare.ask('open', { path, wsdl, operation, result })
    const headers = { ...server.headers, ...soapHeaders }
    const sizes = await Promise.all(
      [server.port, barePort].map((port) => sizeOf(port, headers, count)),
    )
    const load = startChild<LoadVerbs>(bench, 'load')
    const side =
      (port: number): Side =>
      async (milliseconds) => {
        const { calls, seconds } = await load.ask('calls', {
          port,
          headers,
          connections,
          method: 'POST',
          path,
          body,
          milliseconds,
        })
        return calls / seconds
      }
    const taken = await inTurn(bench, { ours: side(server.port), anchor: side(barePort) })
    await Promise.all([server.stop(), bare.stop(), load.stop()])
    return [row(taken, sizes)]
  },
}

const row = (taken: Record<'ours' | 'anchor', number[]>, sizes: readonly number[]): FigureRow => ({
  figure: `${operation}, 500 codes over SOAP, SQLite (${sizes.map((size) => Math.round(size / 1024)).join(' and ')} KiB)`,
  ours: rate(taken.ours),
  anchor: rate(taken.anchor),
  measured: ratioOf(taken.ours, taken.anchor),
  unit: 'x',
  target: { atLeast: 1 },
})

/** The codes for the anchor to send. */
async function fill({ port, headers }: Caller, count: number): Promise<object[]> {
  const codes: object[] = []
  for (let at = 0; at < count; at += 1) {
    const label = `Cost centre ${at}: marketing & sales`
    const answer = await fetch(`http://127.0.0.1:${port}/v2/settings/analysiscodes`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ code: `CC-${String(at).padStart(4, '0')}`, label, level: 1 }),
    })
    if (answer.status !== 201)
      throw new Error(`An analysis code answered ${answer.status}: ${await answer.text()}`)
    const { id, code } = (await answer.json()) as { id: string; code: string }
    codes.push({ ID: id, Code: code, Label: label, Level: 1, Visible: true })
  }
  return codes
}

async function sizeOf(
  port: number,
  headers: Record<string, string>,
  count: number,
): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  const text = await answer.text()
  const found = text.match(/Label>Cost centre \d+: marketing &amp; sales</g)?.length
  if (answer.status !== 200 || found !== count)
    throw new Error(`${found} codes, ${answer.status}: ${text.slice(0, 500)}`)
  return Buffer.byteLength(text)
}

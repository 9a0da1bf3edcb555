/**
 * SOAP 1.1 envelopes: reads the only element in the body of a call, and wraps a result or a fault.
 */
import { HubError } from '@dragoman/contract'
import { writeElement } from './translate.ts'
import { type Element, escapeXml, readXml } from './xml-tree.ts'

const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/'
const soap12 = 'http://www.w3.org/2003/05/soap-envelope'

/** An error of SOAP itself has its own code besides those of the hub. */
export class SoapRefusal extends Error {
  readonly code: 'ActionNotSupported' | 'VersionMismatch' | 'MustUnderstand'
  constructor(code: SoapRefusal['code'], sentence: string) {
    super(sentence)
    this.code = code
  }
}

/** The element that names the operation. */
export async function openEnvelope(bytes: Uint8Array): Promise<Element> {
  const root = await readXml(bytes)
  if (root.name === 'Envelope' && root.uri === soap12)
    throw new SoapRefusal(
      'VersionMismatch',
      'This is a SOAP 1.2 envelope; the service supports SOAP 1.1.',
    )
  if (root.name !== 'Envelope' || root.uri !== soap11)
    refuse(`its root is ${root.name} of the namespace "${root.uri}", not Envelope of "${soap11}"`)
  const parts = root.children.filter(({ uri }) => uri === soap11)
  const [body, ...more] = parts.filter(({ name }) => name === 'Body')
  if (!body) refuse('the envelope has no Body')
  if (more.length > 0) refuse('the envelope has two Bodies')
  const stranger = root.children.find(
    ({ uri, name }) => uri !== soap11 || (name !== 'Header' && name !== 'Body'),
  )
  if (stranger)
    refuse(`the envelope has an element ${stranger.name}; it may have a Header and a Body`)
  if (parts.length > 2) refuse('the envelope has two Headers')
  for (const block of parts.find(({ name }) => name === 'Header')?.children ?? [])
    mustNeedNothing(block)
  const [operation, ...others] = body.children
  if (!operation) refuse('its Body is empty; it must contain the element of the operation')
  if (others.length > 0) refuse('its Body has more than one element')
  return operation
}

function mustNeedNothing(block: Element): void {
  const must = Object.values(block.attributes).some(
    ({ uri, local, value }) =>
      uri === soap11 && local === 'mustUnderstand' && (value === '1' || value === 'true'),
  )
  if (must)
    throw new SoapRefusal(
      'MustUnderstand',
      `The service does not understand the header ${block.name}.`,
    )
}

function refuse(because: string): never {
  throw new HubError('INVALID_REQUEST', { because: `${because.slice(0, 500)}.` })
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>'

const wrap = (body: string): string =>
  `${declaration}<s:Envelope xmlns:s="${soap11}"><s:Body>${body}</s:Body></s:Envelope>`

export const writeAnswer = (namespace: string, operation: string, result: string): string =>
  wrap(`<${operation}Response xmlns="${escapeXml(namespace)}">${result}</${operation}Response>`)

export type Fault = {
  readonly side: 'Client' | 'Server'
  readonly code: string
  readonly message: string
}

export const writeFault = (namespace: string, { side, code, message }: Fault): string =>
  wrap(
    `<s:Fault><faultcode>s:${side}</faultcode><faultstring xml:lang="en">${escapeXml(message)}</faultstring>` +
      `<detail><SettingsFault xmlns="${escapeXml(namespace)}">` +
      writeElement('Code', 'string', code) +
      writeElement('Message', 'string', message) +
      '</SettingsFault></detail></s:Fault>',
  )

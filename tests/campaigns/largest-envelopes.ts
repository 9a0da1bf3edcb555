/**
 * The largest envelopes that the SOAP service accepts, in every shape that is expensive for an XML
 * reader.
 */
import { limits } from '@dragoman/contract'
import { action, element, envelope, path } from '../soap/soap-call.ts'
import type { Case } from './body-cases.ts'

const names = (many: number, unit: (at: number) => string): string =>
  Array.from({ length: many }, (_, at) => unit(at)).join(' ')
const line = (at: number): string =>
  `<PriceLine><Service>S${at}</Service><SourceLanguage>xx</SourceLanguage><TargetLanguage>yy</TargetLanguage></PriceLine>`

const inside: Readonly<Record<string, (bytes: number) => string>> = {
  'empty elements': (bytes) => '<a/>'.repeat(bytes / 4),
  'as many elements as it takes': (bytes) => '<a b="c"/>'.repeat(Math.min(99_000, bytes / 10)),
  'elements of namespaces': (bytes) => '<x:a xmlns:x="u"/>'.repeat(bytes / 18),
  'elements of many attributes': (bytes) =>
    `<a ${names(63, (at) => `a${at}=""`)}/>`.repeat(bytes / 450),
  'elements of many namespaces': (bytes) =>
    `<a ${names(63, (at) => `xmlns:a${at}="u${at}"`)}/>`.repeat(bytes / 1_050),
  'deep elements': (bytes) => '<a>'.repeat(bytes / 3),
  'a long text': (bytes) => 'x'.repeat(bytes),
  entities: (bytes) => '&lt;'.repeat(bytes / 4),
  'numbers of characters': (bytes) => '&#65;'.repeat(bytes / 5),
  'CDATA sections': (bytes) => '<![CDATA[a]]>'.repeat(bytes / 13),
  comments: (bytes) => '<!---->'.repeat(bytes / 7),
  'text between elements': (bytes) => 'a<b/>'.repeat(bytes / 5),
  'a long name': (bytes) => `<${'a'.repeat(bytes - 3)}/>`,
  'a long attribute': (bytes) => `<a b="${'a'.repeat(bytes - 8)}"/>`,
  'ends of line': (bytes) => '\r\n'.repeat(bytes / 2),
  'lines of prices': (bytes) => `<PriceList><Lines>${names(bytes / 130, line)}</Lines></PriceList>`,
}

export const largestEnvelopes = (): Case[] =>
  Object.entries(inside).map(([shape, make]) => ({
    name: `SOAP, ${shape}`,
    as: 'settings',
    method: 'POST',
    path,
    headers: [
      ['content-type', 'text/xml; charset=utf-8'],
      ['soapaction', action('SetOrganisationPriceList')],
    ],
    body: () =>
      Buffer.from(envelope(element('SetOrganisationPriceList', make(limits.soapBytes - 500)))),
  }))

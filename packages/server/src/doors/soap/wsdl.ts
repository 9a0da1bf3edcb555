/**
 * The complete WSDL of the service, with every type, generated from the rows of operations.ts and
 * shapes.ts.
 */
import { operations } from './operations.ts'
import {
  isSimple,
  type Member,
  type ShapeName,
  type SimpleType,
  shapes,
  simpleTypes,
} from './shapes.ts'
import { escapeXml } from './xml-tree.ts'

export const contractName = 'IProjectSettingsService'
const serviceName = 'ProjectSettingsService'
const bindingName = `BasicHttpBinding_${contractName}`
const names = Object.keys(operations)

export const actionOf = (namespace: string, operation: string): string =>
  `${namespace.replace(/\/$/, '')}/${contractName}/${operation}`

export function writeWsdl(namespace: string, address: string): string {
  const action = (operation: string) => escapeXml(actionOf(namespace, operation))
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions name="${serviceName}" targetNamespace="${escapeXml(namespace)}" xmlns:tns="${escapeXml(namespace)}"
  xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <wsdl:types>
    <xs:schema elementFormDefault="qualified" targetNamespace="${escapeXml(namespace)}">
${[...writeElements(), ...writeSimpleTypes(), ...writeShapes()].map((line) => `      ${line}`).join('\n')}
    </xs:schema>
  </wsdl:types>
${names.map(writeMessages).join('\n')}
  <wsdl:message name="SettingsFault"><wsdl:part name="detail" element="tns:SettingsFault"/></wsdl:message>
  <wsdl:portType name="${contractName}">
${names.map((name) => writePort(name, action)).join('\n')}
  </wsdl:portType>
  <wsdl:binding name="${bindingName}" type="tns:${contractName}">
    <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
${names.map((name) => writeBinding(name, action)).join('\n')}
  </wsdl:binding>
  <wsdl:service name="${serviceName}">
    <wsdl:port name="${bindingName}" binding="tns:${bindingName}">
      <soap:address location="${escapeXml(address)}"/>
    </wsdl:port>
  </wsdl:service>
</wsdl:definitions>
`
}

const writeMessages = (name: string): string =>
  ['', 'Response']
    .map(
      (suffix) =>
        `  <wsdl:message name="${contractName}_${name}${suffix}"><wsdl:part name="parameters" element="tns:${name}${suffix}"/></wsdl:message>`,
    )
    .join('\n')

const writePort = (
  name: string,
  action: (operation: string) => string,
): string => `    <wsdl:operation name="${name}">
      <wsdl:input wsaw:Action="${action(name)}" message="tns:${contractName}_${name}"/>
      <wsdl:output wsaw:Action="${action(`${name}Response`)}" message="tns:${contractName}_${name}Response"/>
      <wsdl:fault wsaw:Action="${action(`${name}SettingsFault`)}" name="SettingsFault" message="tns:SettingsFault"/>
    </wsdl:operation>`

const writeBinding = (
  name: string,
  action: (operation: string) => string,
): string => `    <wsdl:operation name="${name}">
      <soap:operation soapAction="${action(name)}" style="document"/>
      <wsdl:input><soap:body use="literal"/></wsdl:input>
      <wsdl:output><soap:body use="literal"/></wsdl:output>
      <wsdl:fault name="SettingsFault"><soap:fault name="SettingsFault" use="literal"/></wsdl:fault>
    </wsdl:operation>`

function writeElements(): string[] {
  const lines = names.flatMap((name) => {
    const { takes = [], gives = 'string' } = operations[name] ?? {}
    const result: Member = { element: `${name}Result`, field: '', type: gives }
    return [...writeElementOf(name, takes), ...writeElementOf(`${name}Response`, [result])]
  })
  return [...lines, '<xs:element name="SettingsFault" type="tns:SettingsFault"/>']
}

const writeElementOf = (name: string, members: readonly Member[]): string[] => [
  `<xs:element name="${name}"><xs:complexType><xs:sequence>`,
  ...members.map((member) => `  ${writeMember(member)}`),
  '</xs:sequence></xs:complexType></xs:element>',
]

const writeMember = ({ element, type, optional }: Member): string =>
  `<xs:element ${optional ? 'minOccurs="0" ' : ''}name="${element}" type="${typeName(type)}"/>`

/** A type without restrictions is the XSD type itself. */
function typeName(type: SimpleType | ShapeName): string {
  if (!isSimple(type)) return `tns:${type}`
  const simple: { from: string; facets?: object; values?: readonly string[] } = simpleTypes[type]
  return simple.facets || simple.values ? `tns:${type}` : simple.from
}

const writeSimpleTypes = (): string[] =>
  (Object.keys(simpleTypes) as SimpleType[]).flatMap((name) => {
    const {
      from,
      facets = {},
      values = [],
    }: { from: string; facets?: Record<string, string>; values?: readonly string[] } = simpleTypes[
      name
    ]
    const inner = [
      ...Object.entries(facets).map(([facet, value]) => `<xs:${facet} value="${value}"/>`),
      ...values.map((value) => `<xs:enumeration value="${value}"/>`),
    ]
    if (inner.length === 0) return []
    return [
      `<xs:simpleType name="${name}"><xs:restriction base="${from}">${inner.join('')}</xs:restriction></xs:simpleType>`,
    ]
  })

const writeShapes = (): string[] =>
  (Object.keys(shapes) as ShapeName[]).flatMap((name) => {
    const shape = shapes[name]
    const inner =
      'members' in shape
        ? shape.members.map(writeMember)
        : [
            `<xs:element minOccurs="0" maxOccurs="unbounded" name="${shape.items}" type="${typeName(shape.type)}"/>`,
          ]
    return [
      `<xs:complexType name="${name}"><xs:sequence>`,
      ...inner.map((line) => `  ${line}`),
      '</xs:sequence></xs:complexType>',
    ]
  })

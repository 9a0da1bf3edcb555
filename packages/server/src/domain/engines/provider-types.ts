/**
 * The provider types this hub supports (contract, sections 4 and 11), each with the JSON schema of
 * its `config`.
 */
import { HubError, type ProviderType } from '@dragoman/contract'
import { driverOf, drivers } from './drivers/drivers.ts'

export const listProviderTypes = (): { items: ProviderType[] } => ({ items: drivers.map(describe) })

export function findProviderType(typeId: string): ProviderType {
  const driver = driverOf(typeId)
  if (!driver) throw new HubError('PROVIDER_TYPE_NOT_FOUND', { typeId })
  return describe(driver)
}

const describe = ({
  typeId,
  name,
  description,
  configSchema,
  dialects,
}: ProviderType): ProviderType => ({
  typeId,
  name,
  description,
  configSchema,
  ...(dialects && { dialects }),
})

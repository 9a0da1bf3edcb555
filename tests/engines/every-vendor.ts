/** Every vendor with the config of a provider that uses it, and what must never be seen. */

import type { Vendor } from './vendor.ts'
import { amazon, amazonKeyId, amazonRegion, amazonSecret } from './vendors/amazon.ts'
import { azure, azureKey, azureRegion, azureV3 } from './vendors/azure.ts'
import { chat, chatKey, chatModel } from './vendors/chat.ts'
import { deepl, deeplKey } from './vendors/deepl.ts'
import {
  googleKey,
  googleProject,
  googleV2,
  googleV3,
  privateKey,
  serviceAccount,
} from './vendors/google.ts'
import { modernmt, modernmtKey } from './vendors/modernmt.ts'

export type VendorCase = {
  readonly vendor: Vendor
  readonly config: Readonly<Record<string, unknown>>
  readonly secrets: readonly string[]
  /** What is appended to the address of the server. */
  readonly path?: string
}

export const everyVendor = {
  deepl: { vendor: deepl(), config: { dialect: 'deepl', apiKey: deeplKey }, secrets: [deeplKey] },
  'google v2': {
    vendor: googleV2,
    config: { dialect: 'google', apiKey: googleKey },
    secrets: [googleKey],
  },
  'google v3': {
    vendor: googleV3,
    config: { dialect: 'google', version: 'v3', serviceAccount, project: googleProject },
    secrets: [privateKey, privateKey.split('\n')[5] ?? ''],
  },
  'azure 3.0': {
    vendor: azureV3,
    config: { dialect: 'azure', version: '3.0', apiKey: azureKey, region: azureRegion },
    secrets: [azureKey],
  },
  azure: {
    vendor: azure,
    config: { dialect: 'azure', apiKey: azureKey, region: azureRegion },
    secrets: [azureKey],
  },
  amazon: {
    vendor: amazon,
    config: {
      dialect: 'amazon',
      accessKeyId: amazonKeyId,
      apiKey: amazonSecret,
      region: amazonRegion,
    },
    secrets: [amazonSecret],
  },
  chat: {
    vendor: chat({ format: 'enforces' }),
    config: { dialect: 'chat', apiKey: chatKey, model: chatModel },
    secrets: [chatKey],
    path: '/v1',
  },
  modernmt: {
    vendor: modernmt,
    config: { dialect: 'modernmt', apiKey: modernmtKey },
    secrets: [modernmtKey],
  },
} as const satisfies Readonly<Record<string, VendorCase>>

export type VendorName = keyof typeof everyVendor
export const vendorNames = Object.keys(everyVendor) as readonly VendorName[]

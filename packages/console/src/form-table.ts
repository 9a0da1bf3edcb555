/**
 * Made by `npm run generate` from the schemas of the contract; do not edit. How each field of a form
 * is written; a required one ends with an exclamation mark.
 */
export type FieldKind = 'text' | 'number' | 'flag' | 'list'

export const formTable = {
  createProvider: {
    name: 'text!',
    typeId: 'text!',
    'fill.from': 'list!',
    'fill.minimum': 'number',
    'fill.confirm': 'flag',
    'fill.providerId': 'text',
    'limits.charactersPerDay': 'number',
    'limits.charactersPerJob': 'number',
  },
  createClient: {
    clientId: 'text!',
    siteId: 'text',
    scopes: 'list!',
    providers: 'list',
    pageFormat: 'text',
    rateLimit: 'number',
    allowFrom: 'list',
    certificates: 'list',
  },
  createPerson: {
    name: 'text!',
    email: 'text!',
    subject: 'text',
  },
  createAnalysisCode: {
    id: 'text',
    code: 'text!',
    label: 'text',
    level: 'number!',
    visible: 'flag',
  },
  changeAnalysisLevel: {
    visible: 'flag',
    label: 'text',
  },
  createListenerFor: {
    uri: 'text!',
    type: 'text!',
    statusCodes: 'list',
    acknowledgeStatusUpdate: 'flag',
    authType: 'text',
    secret: 'text',
    onSupportAssetCreate: 'flag',
    onTmUpdateCreate: 'flag',
    onComment: 'flag',
    jobId: 'text',
    disabled: 'flag',
  },
  createProviderListenerFor: {
    providerId: 'text',
    jobUri: 'text',
    jobStatusCodes: 'list',
    assetTaskUri: 'text',
    assetTaskStatusCodes: 'list',
    onSupportAssetCreate: 'flag',
    onTmUpdateCreate: 'flag',
    onComment: 'flag',
    authType: 'text',
    secret: 'text',
    disabled: 'flag',
  },
} as const satisfies Record<string, Record<string, FieldKind | `${FieldKind}!`>>

/**
 * What a provider sees of a job and of its requests, which the provider API calls asset tasks
 * (contract, section 8).
 */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { assetTaskStatuses, providerJobStatuses } from '../provider-names.ts'
import { Assignee } from './desk/segment.ts'
import { Share } from './desk/team.ts'
import { JobAnalysisCode, Labels } from './job.ts'
import { AuthType, GivenAuthType } from './listener.ts'
import {
  Count,
  choice,
  EchoedCode,
  EchoedMetadata,
  FileId,
  GivenId,
  given,
  Id,
  JobId,
  Metadata,
  name,
  pageQuery,
  shown,
  Time,
  text,
} from './parts.ts'
import { deliveryFacts } from './request.ts'
import Type from './type.ts'

export const ProviderJobStatusCode = choice(providerJobStatuses, { title: 'ProviderJobStatusCode' })
export const AssetTaskStatusCode = choice(assetTaskStatuses, { title: 'AssetTaskStatusCode' })

export const ProviderJobsQuery = pageQuery({
  statusCode: Type.Optional(Type.Array(ProviderJobStatusCode)),
  filter: Type.Optional(
    Type.String({
      description: "With the fields of this job, such as `statusCode eq 'IN_TRANSLATION'`.",
    }),
  ),
  isAcknowledged: Type.Optional(
    Type.Boolean({ description: 'Only jobs that were acknowledged, or were not.' }),
  ),
})
export const AssetTasksQuery = pageQuery({
  statusCode: Type.Optional(Type.Array(AssetTaskStatusCode)),
})

const told = {
  providerReference: Type.Optional(text(limits.shortTextBytes)),
  hasError: Type.Optional(Type.Boolean()),
  errorMessage: Type.Optional(text(limits.noteBytes)),
}

export const ProviderJobChange = given(
  {
    statusCode: Type.Optional(choice(['IN_TRANSLATION', 'SENT_TO_TRANSLATOR', 'CANCELLED'])),
    ...told,
  },
  { status: 'statusCode' },
  { title: 'ProviderJobChange' },
)
export type ProviderJobChange = Static<typeof ProviderJobChange>

export const AssetTaskChange = given(
  {
    statusCode: Type.Optional(choice(['IN_TRANSLATION', 'TRANSLATION_SUBMITTED', 'CANCELLED'])),
    ...told,
    extendedMetadata: Type.Optional(Metadata),
    force: Type.Optional(
      Type.Boolean({
        description:
          'With TRANSLATION_SUBMITTED: deliver even if the hub would refuse the translation.',
      }),
    ),
  },
  { status: 'statusCode', ExtendedMetadata: 'extendedMetadata' },
  { title: 'AssetTaskChange' },
)
export type AssetTaskChange = Static<typeof AssetTaskChange>

export const AssetTaskChanges = Type.Object(
  {
    assetTaskIds: Type.Array(GivenId, { minItems: 1, maxItems: limits.requestsPerCall }),
    assetTasksUpdate: AssetTaskChange,
  },
  { title: 'AssetTaskChanges' },
)

export const ProviderJob = shown(
  {
    jobId: JobId,
    jobName: Type.String(),
    description: Type.Optional(
      Type.String({ description: `The first ${limits.descriptionCharacters} characters.` }),
    ),
    statusCode: ProviderJobStatusCode,
    hasError: Type.Boolean(),
    latestErrorMessage: Type.Optional(Type.String()),
    creatorId: Type.String(),
    submitterId: Type.Optional(Type.String()),
    siteId: Type.String(),
    archived: Type.Boolean(),
    labels: Type.Optional(Labels),
    providerId: Id,
    providerReference: Type.Optional(Type.String()),
    poReference: Type.Optional(Type.String()),
    dueDate: Type.Optional(Time),
    createdDate: Time,
    modifiedDate: Time,
    submittedDate: Type.Optional(Time),
    shouldQuote: Type.Optional(Type.Boolean()),
    serviceType: Type.Optional(Type.String()),
    connectorName: Type.Optional(Type.String()),
    connectorVersion: Type.Optional(Type.String()),
    analysisCodes: Type.Optional(Type.Array(JobAnalysisCode)),
    customData: Type.Optional(Type.String()),
    extendedMetadata: Type.Optional(EchoedMetadata),
    globalTrackingId: Type.Optional(Type.String()),
    assetTaskCount: Count,
    supportAssetTaskCount: Count,
    isAcknowledged: Type.Boolean(),
  },
  {
    status: 'statusCode',
    ExtendedMetadata: 'extendedMetadata',
    ConnectorName: 'connectorName',
    ConnectorVersion: 'connectorVersion',
  },
  { title: 'ProviderJob' },
)
export type ProviderJob = Static<typeof ProviderJob>

export const AssetTask = shown(
  {
    assetTaskId: Id,
    jobId: JobId,
    requestName: Type.String(),
    sourceNativeId: Type.String(),
    fileId: Type.Optional(FileId),
    filename: Type.String(),
    filetype: Type.String(),
    statusCode: AssetTaskStatusCode,
    hasError: Type.Boolean(),
    latestErrorMessage: Type.Optional(Type.String()),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeLanguageCode: EchoedCode,
    createdDate: Time,
    modifiedDate: Time,
    rejectNote: Type.Optional(Type.String()),
    translatedFileId: Type.Optional(FileId),
    ...deliveryFacts,
    providerReference: Type.Optional(Type.String()),
    assignee: Type.Optional(Assignee),
    shares: Type.Optional(
      Type.Array(Share, { description: 'Who has which part, if it is shared between people.' }),
    ),
    segments: Type.Optional(
      Type.Boolean({ description: 'false: it can only be translated as a file.' }),
    ),
    extendedMetadata: Type.Optional(EchoedMetadata),
  },
  { status: 'statusCode', ExtendedMetadata: 'extendedMetadata', fmsFileId: 'fileId' },
  { title: 'AssetTask' },
)
export type AssetTask = Static<typeof AssetTask>

/**
 * The states that a provider's listener can report; an empty list means all (contract, section 11).
 */
export const providerListenerStatuses = {
  job: ['SENDING_READY_FOR_RETRIEVE', 'IN_TRANSLATION', 'COMPLETED', 'CANCELLED'],
  assetTask: ['TRANSLATION_APPROVED', 'TRANSLATION_REJECTED', 'CANCELLED'],
} as const

const uri = name(limits.listenerUriBytes)
const jobCodes = Type.Array(choice(providerListenerStatuses.job))
const assetTaskCodes = Type.Array(choice(providerListenerStatuses.assetTask))

/** The same for creating and changing; a listener without a URL receives nothing. */
export const GivenProviderListener = Type.Object(
  {
    providerId: Type.Optional(GivenId),
    jobUri: Type.Optional(uri),
    jobStatusCodes: Type.Optional(jobCodes),
    assetTaskUri: Type.Optional(uri),
    assetTaskStatusCodes: Type.Optional(assetTaskCodes),
    onSupportAssetCreate: Type.Optional(Type.Boolean()),
    onTmUpdateCreate: Type.Optional(Type.Boolean()),
    onComment: Type.Optional(Type.Boolean()),
    authType: Type.Optional(GivenAuthType),
    secret: Type.Optional(name(limits.listenerSecretBytes)),
    disabled: Type.Optional(Type.Boolean()),
  },
  { title: 'GivenProviderListener' },
)
export type GivenProviderListener = Static<typeof GivenProviderListener>

export const ProviderListener = Type.Object(
  {
    listenerId: Id,
    providerId: Type.Optional(Id),
    jobUri: Type.Optional(Type.String()),
    jobStatusCodes: jobCodes,
    assetTaskUri: Type.Optional(Type.String()),
    assetTaskStatusCodes: assetTaskCodes,
    onSupportAssetCreate: Type.Boolean(),
    onTmUpdateCreate: Type.Boolean(),
    onComment: Type.Boolean(),
    authType: AuthType,
    disabled: Type.Boolean(),
    disabledReason: Type.Optional(Type.String()),
    secret: Type.Optional(Type.String({ description: 'Returned only when it is created.' })),
    clientId: Type.Optional(
      Type.String({ description: 'The client that owns it; only for an admin.' }),
    ),
  },
  { title: 'ProviderListener' },
)
export type ProviderListener = Static<typeof ProviderListener>

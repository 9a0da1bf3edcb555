/**
 * The job: what a connector sends to create or change one, and what it gets back (contract, section
 * 4).
 */
import type { Static } from 'typebox'
import { archiveStatuses, jobStatuses, requestStatuses } from '../lifecycle.ts'
import { limits } from '../limits.ts'
import { segmentations } from '../segmentation.ts'
import { FormatOptions } from './format-options.ts'
import {
  Count,
  choice,
  EchoedCode,
  EchoedMetadata,
  GivenId,
  GivenTime,
  given,
  Id,
  JobId,
  LanguageCode,
  LanguageCodes,
  lineTitle,
  Metadata,
  mapOf,
  name,
  pageQuery,
  shown,
  Time,
  text,
  title,
} from './parts.ts'
import { RoutedBy } from './routing.ts'
import { AnalysisCodeText } from './settings.ts'
import Type from './type.ts'

export const JobStatusCode = choice(jobStatuses, { title: 'JobStatusCodeEnum' })
export const ArchiveStatusCode = choice(archiveStatuses, { title: 'ArchiveStatus' })

const Segmentation = choice(segmentations, { title: 'Segmentation' })

const Label = name(limits.labelBytes)
const LabelValue = Type.Union([Label, Type.Number(), Type.Boolean()])
export const Labels = Type.Union(
  [
    Type.Array(Label, { maxItems: limits.labels }),
    mapOf(LabelValue, { maxProperties: limits.labels, propertyNames: Label }),
  ],
  {
    title: 'Labels',
    description: 'A list of labels, or an object of named labels. Returned as sent.',
  },
)
export type Labels = Static<typeof Labels>

export const JobAnalysisCode = Type.Object(
  { level: Type.Integer({ minimum: 1, maximum: limits.analysisLevels }), code: AnalysisCodeText },
  { title: 'JobAnalysisCode' },
)

const shortText = text(limits.shortTextBytes)
const optionalFields = {
  description: Type.Optional(
    text(limits.descriptionBytes, {
      description: `Stored in full; a provider receives the first ${limits.descriptionCharacters} characters.`,
    }),
  ),
  poReference: Type.Optional(shortText),
  dueDate: Type.Optional(GivenTime),
  customData: Type.Optional(text(limits.customDataBytes)),
  shouldQuote: Type.Optional(Type.Boolean()),
  providerId: Type.Optional(GivenId),
  connectorName: Type.Optional(shortText),
  connectorVersion: Type.Optional(shortText),
  serviceType: Type.Optional(shortText),
  extendedMetadata: Type.Optional(Metadata),
  formatOptions: Type.Optional(FormatOptions),
  segmentation: Type.Optional(Segmentation),
  labels: Type.Optional(Labels),
  sourceNativeLanguageCode: Type.Optional(LanguageCode),
  targetNativeLanguageCodes: Type.Optional(
    Type.Array(LanguageCode, { maxItems: limits.targetLanguages, denyNull: true }),
  ),
  analysisCodes: Type.Optional(Type.Array(JobAnalysisCode, { maxItems: limits.analysisLevels })),
}
const aliases = {
  ExtendedMetadata: 'extendedMetadata',
  ConnectorName: 'connectorName',
  ConnectorVersion: 'connectorVersion',
} as const

const HubId = name(limits.hubIdBytes)

export const NewJob = given(
  {
    jobName: lineTitle(limits.jobNameBytes),
    ...optionalFields,
    hops: Type.Optional(Type.Array(HubId, { maxItems: limits.hopsListed })),
  },
  aliases,
  { title: 'NewJob' },
)
export type NewJob = Static<typeof NewJob>

/** PATCH accepts any field of creation; jobName is optional but cannot be emptied. */
export const JobChange = given(
  {
    jobName: Type.Optional(lineTitle(limits.jobNameBytes)),
    ...optionalFields,
  },
  aliases,
  { title: 'JobChange' },
)
export type JobChange = Static<typeof JobChange>

export const Submission = Type.Object(
  { providerId: Type.Optional(GivenId) },
  { title: 'Submission' },
)

export const JobPlan = Type.Object(
  {
    dueDate: Type.Optional({ ...GivenTime, description: 'The new due date.' }),
    description: Type.Optional(
      text(limits.descriptionBytes, { description: 'The new description.' }),
    ),
  },
  { title: 'JobPlan' },
)
export type JobPlan = Static<typeof JobPlan>

export const Cancellation = Type.Object(
  {
    note: Type.Optional(
      title(limits.commentBytes, {
        description: 'Why. It becomes a comment of the job, which the provider reads.',
      }),
    ),
  },
  { title: 'Cancellation' },
)
export type Cancellation = Static<typeof Cancellation>

export const JobCopy = Type.Object(
  {
    jobName: Type.Optional({
      ...lineTitle(limits.jobNameBytes),
      description: 'The name of the copy; by default that of the job.',
    }),
    providerId: Type.Optional({
      ...GivenId,
      description: 'The provider of the copy; by default that of the job, while it is enabled.',
    }),
    targetNativeLanguageCodes: Type.Optional({
      ...LanguageCodes,
      denyNull: true,
      description:
        'The languages of the copy: one request for each content and language. Absent: those of the requests.',
    }),
    requestIds: Type.Optional(
      Type.Array(GivenId, {
        minItems: 1,
        maxItems: limits.requestsPerCall,
        description: 'The requests whose content is copied; by default all of them.',
      }),
    ),
  },
  { title: 'JobCopy' },
)
export type JobCopy = Static<typeof JobCopy>

export const AggregateRequests = Type.Object(
  {
    total: Count,
    withErrors: Count,
    byStatusCode: mapOf(Count, { propertyNames: choice(requestStatuses) }),
  },
  { title: 'AggregateRequests' },
)

export const UpstreamJob = Type.Object(
  {
    url: Type.String({ description: 'The address of the service that the job was sent on to.' }),
    jobId: Type.Optional(Type.String({ description: 'The id of the job there, once it has one.' })),
  },
  { title: 'UpstreamJob' },
)

export const Job = shown(
  {
    jobId: JobId,
    jobName: Type.String(),
    description: Type.Optional(Type.String()),
    statusCode: JobStatusCode,
    hasError: Type.Boolean(),
    latestErrorMessage: Type.Optional(Type.String()),
    creatorId: Type.String(),
    submitterId: Type.Optional(Type.String()),
    siteId: Type.String(),
    providerId: Type.Optional(Id),
    chainId: Type.Optional(Id),
    routedBy: Type.Optional(RoutedBy),
    hops: Type.Optional(Type.Array(Type.String())),
    upstream: Type.Optional(UpstreamJob),
    providerReference: Type.Optional(Type.String()),
    poReference: Type.Optional(Type.String()),
    dueDate: Type.Optional(Time),
    createdDate: Time,
    modifiedDate: Time,
    submittedDate: Type.Optional(Time),
    activityDate: Time,
    estimatedArchivalDate: Type.Optional(Time),
    archived: Type.Boolean(),
    archiveStatus: ArchiveStatusCode,
    customData: Type.Optional(Type.String()),
    shouldQuote: Type.Optional(Type.Boolean()),
    connectorName: Type.Optional(Type.String()),
    connectorVersion: Type.Optional(Type.String()),
    serviceType: Type.Optional(Type.String()),
    extendedMetadata: Type.Optional(EchoedMetadata),
    formatOptions: Type.Optional(FormatOptions),
    segmentation: Segmentation,
    labels: Type.Optional(Labels),
    sourceNativeLanguageCode: Type.Optional(EchoedCode),
    targetNativeLanguageCodes: Type.Optional(Type.Array(EchoedCode)),
    analysisCodes: Type.Optional(Type.Array(JobAnalysisCode)),
    globalTrackingId: Type.Optional(Type.String({ description: 'Set when the job is submitted.' })),
    aggregateRequests: Type.Optional(AggregateRequests),
  },
  { ...aliases, status: 'statusCode', estArchivalDate: 'estimatedArchivalDate' },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

const aggregateRequests = Type.Optional(
  Type.Boolean({ description: 'Count the requests of each job by status.' }),
)
export const JobQuery = Type.Object({ aggregateRequests })
export const JobsQuery = pageQuery({
  filter: Type.Optional(
    Type.String({
      description:
        "For example `statusCode in ('CREATED', 'SENDING') and contains(jobName, 'web') and dueDate lt 2027-01-01`.",
    }),
  ),
  orderBy: Type.Optional(
    Type.String({ description: 'For example `createdDate desc, dueDate`; date fields only.' }),
  ),
  statusCode: Type.Optional(
    Type.Array(JobStatusCode, { description: 'Jobs with any of these statuses; repeatable.' }),
  ),
  labels: Type.Optional(
    Type.Array(Label, {
      maxItems: limits.labels,
      description: 'Jobs with any of these labels; repeatable.',
    }),
  ),
  providerId: Type.Optional(
    Type.Array(GivenId, {
      maxItems: limits.pageItems,
      description: 'Jobs of any of these providers; repeatable.',
    }),
  ),
  jobId: Type.Optional(
    Type.Array(GivenId, {
      maxItems: limits.pageItems,
      description: 'Jobs with any of these ids; repeatable.',
    }),
  ),
  aggregateRequests,
})

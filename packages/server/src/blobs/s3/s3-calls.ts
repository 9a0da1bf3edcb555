// The calls on a bucket, each with a bounded time and number of tries. Errors of the object store
// are converted to errors of the port here, so no other file sees an error of the S3 client.
import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import { mustBeSaid, said, unlessMissing } from './s3-faults.ts'
import type { S3Location } from './s3-url.ts'

export type Upload = { readonly key: string; readonly uploadId: string; readonly begunAt: number }
export type UploadedPart = { readonly etag: string; readonly number: number }
export type Listed = { readonly key: string; readonly size: number; readonly modifiedAt: number }
export type Got = { readonly size: number; readonly etag: string; readonly body: Readable }
export type Calls = Awaited<ReturnType<typeof openCalls>>

const limits = {
  maxAttempts: 4,
  requestHandler: {
    connectionTimeout: 5_000,
    socketTimeout: 20_000,
    requestTimeout: 60_000,
    throwOnRequestTimeout: true,
  },
} as const

export async function openCalls(location: S3Location) {
  // Which version of Node the package will want in a year is nothing for the log of a hub.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const Bucket = location.bucket
  const settings = {
    ...limits,
    region: location.region,
    forcePathStyle: location.forcePathStyle,
    // The signature already covers a sha256 of every body; many stores do not know the newer
    // checksum trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const
  const client = new sdk.S3Client({
    ...settings,
    ...(location.endpoint ? { endpoint: location.endpoint } : {}),
  })
  const linkClient = location.publicEndpoint
    ? new sdk.S3Client({ ...settings, endpoint: location.publicEndpoint })
    : client

  const sourceOf = (key: string): string =>
    `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`

  return {
    async put(Key: string, Body: Uint8Array): Promise<void> {
      await said(
        client.send(
          new sdk.PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.byteLength }),
        ),
      )
    },

    async get(Key: string, range?: { start: number; end: number }, etag?: string): Promise<Got> {
      const Range = range && `bytes=${range.start}-${range.end}`
      const answer = await said(
        client.send(new sdk.GetObjectCommand({ Bucket, Key, Range, IfMatch: etag })),
      )
      const size = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength)
      return { size, etag: mustBeSaid('ETag', answer.ETag), body: answer.Body as Readable }
    },

    async head(Key: string): Promise<{ readonly size: number; readonly etag: string }> {
      const answer = await said(client.send(new sdk.HeadObjectCommand({ Bucket, Key })))
      return {
        size: mustBeSaid('Content-Length', answer.ContentLength),
        etag: mustBeSaid('ETag', answer.ETag),
      }
    },

    async remove(Key: string): Promise<void> {
      await said(client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))).catch(unlessMissing)
    },

    /** The store copies it; its bytes do not pass here. */
    async copy(from: string, Key: string): Promise<void> {
      const CopySource = sourceOf(from)
      await said(client.send(new sdk.CopyObjectCommand({ Bucket, Key, CopySource })))
    },

    async beginUpload(Key: string): Promise<string> {
      const answer = await said(client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key })))
      return mustBeSaid('UploadId', answer.UploadId)
    },

    async uploadPart(
      Key: string,
      UploadId: string,
      PartNumber: number,
      Body: Uint8Array,
    ): Promise<string> {
      const ContentLength = Body.byteLength
      const command = new sdk.UploadPartCommand({
        Bucket,
        Key,
        UploadId,
        PartNumber,
        Body,
        ContentLength,
      })
      return mustBeSaid('ETag', (await said(client.send(command))).ETag)
    },

    /** Uses an existing object as a part, without downloading its bytes. */
    async copyPart(
      Key: string,
      UploadId: string,
      PartNumber: number,
      from: string,
    ): Promise<string> {
      const CopySource = sourceOf(from)
      const command = new sdk.UploadPartCopyCommand({
        Bucket,
        Key,
        UploadId,
        PartNumber,
        CopySource,
      })
      return mustBeSaid('ETag', (await said(client.send(command))).CopyPartResult?.ETag)
    },

    /** If the response was lost, a retry finds no upload any more, but the whole object. */
    async completeUpload(
      Key: string,
      UploadId: string,
      parts: readonly UploadedPart[],
      size: number,
    ): Promise<void> {
      const Parts = parts.map(({ etag, number }) => ({ ETag: etag, PartNumber: number }))
      const command = new sdk.CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts },
      })
      try {
        await said(client.send(command))
      } catch (error) {
        unlessMissing(error)
        const found = await said(client.send(new sdk.HeadObjectCommand({ Bucket, Key })))
        if (found.ContentLength !== size) throw error
      }
    },

    async abortUpload(Key: string, UploadId: string): Promise<void> {
      await said(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))).catch(
        unlessMissing,
      )
    },

    /** When the last part of an upload arrived, 0 if there is none. */
    async lastPartAt(Key: string, UploadId: string): Promise<number> {
      const answer = await said(
        client.send(new sdk.ListPartsCommand({ Bucket, Key, UploadId })),
      ).catch(unlessMissing)
      return Math.max(0, ...(answer?.Parts ?? []).map((part) => part.LastModified?.getTime() ?? 0))
    },

    async *objects(Prefix: string): AsyncGenerator<Listed> {
      let ContinuationToken: string | undefined
      do {
        const page: Sdk.ListObjectsV2CommandOutput = await said(
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })),
        )
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key !== undefined)
            yield { key: Key, size: Size ?? 0, modifiedAt: LastModified?.getTime() ?? 0 }
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken)
    },

    async *uploads(Prefix: string): AsyncGenerator<Upload> {
      let KeyMarker: string | undefined
      let UploadIdMarker: string | undefined
      do {
        const page: Sdk.ListMultipartUploadsCommandOutput = await said(
          client.send(
            new sdk.ListMultipartUploadsCommand({ Bucket, Prefix, KeyMarker, UploadIdMarker }),
          ),
        )
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (Key && UploadId)
            yield { key: Key, uploadId: UploadId, begunAt: Initiated?.getTime() ?? 0 }
        }
        KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined
        UploadIdMarker = page.IsTruncated ? page.NextUploadIdMarker : undefined
      } while (KeyMarker)
    },

    async link(
      Key: string,
      expiresIn: number,
      contentType: string,
      contentDisposition: string,
    ): Promise<string> {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new sdk.GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
      })
      return said(getSignedUrl(linkClient, command, { expiresIn }))
    },

    /** One try, five seconds: a readiness check needs its answer now. */
    async ask(): Promise<void> {
      const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: location.prefix, MaxKeys: 1 })
      await said(client.send(command, { abortSignal: AbortSignal.timeout(5_000) }))
    },

    close(): void {
      client.destroy()
      linkClient.destroy()
    },
  }
}

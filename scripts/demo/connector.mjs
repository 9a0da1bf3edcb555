/** The connector of the demo: the calls of a content system, each with its expected response. */
export function openConnector(url) {
  let token = ''

  const send = async (method, address, { status, headers, body }) => {
    const answer = await fetch(new URL(address, url), { method, headers, body, redirect: 'manual' })
    const text = await answer.text()
    if (answer.status !== status)
      throw new Error(
        `${method} ${address.split('?')[0]} answered ${answer.status}, not ${status}: ${text.slice(0, 500)}`,
      )
    return {
      text,
      location: answer.headers.get('location'),
      offset: Number(answer.headers.get('upload-offset')),
    }
  }

  /** A REST call, with token and JSON. */
  const call = async (method, path, body, status = 200) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const sent = { status, headers, ...(body && { body: JSON.stringify(body) }) }
    return JSON.parse((await send(method, `/v2${path}`, sent)).text)
  }

  return {
    call,
    signIn: async (clientId, secret) => {
      const form = new URLSearchParams({ grant_type: 'client_credentials' })
      form.set('client_id', clientId)
      form.set('client_secret', secret)
      const { access_token, expires_in } = JSON.parse(
        (await send('POST', '/connect/token', { status: 200, body: form })).text,
      )
      token = access_token
      return expires_in
    },
    /** In one call, to a URL that needs no token. */
    uploadDirectly: async (job, fileName, bytes) => {
      const transfer = await call('POST', `${job}/sourcefiles?fileName=${fileName}`, undefined, 201)
      const body = new FormData()
      body.append('file', new Blob([bytes]), fileName)
      await send('POST', transfer.fmsPostMultipartUrl, { status: 201, body })
      return transfer.fmsFileId
    },
    /**
     * Piece by piece (TUS), as for a large file on a bad connection; after each piece the hub
     * reports its offset.
     */
    uploadInPieces: async (job, fileName, bytes, pieces) => {
      const transfer = await call('POST', `${job}/sourcefiles?fileName=${fileName}`, undefined, 201)
      const tus = { sastoken: transfer.fmsSASToken, 'tus-resumable': '1.0.0' }
      const created = await send('POST', transfer.fmsUploadUrl, {
        status: 201,
        headers: { ...tus, 'upload-length': String(bytes.length) },
      })
      const size = Math.ceil(bytes.length / pieces)
      for (let at = 0; at < bytes.length; ) {
        const headers = {
          ...tus,
          'upload-offset': String(at),
          'content-type': 'application/offset+octet-stream',
        }
        const body = bytes.subarray(at, at + size)
        at = (await send('PATCH', created.location, { status: 204, headers, body })).offset
      }
      return transfer.fmsFileId
    },
    /** Follows the redirect; its URL is signed and needs no token. */
    download: async (path) => {
      const headers = { authorization: `Bearer ${token}` }
      const { location } = await send('GET', `/v2${path}`, { status: 307, headers })
      return (await send('GET', location, { status: 200 })).text
    },
  }
}

/** Splits a row's `call` into method and path: all that a client needs to send it. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Row = { readonly call: `${Method} /${string}` }

export function methodOf(endpoint: Row): Method {
  return endpoint.call.slice(0, endpoint.call.indexOf(' ')) as Method
}

export function pathOf(endpoint: Row): string {
  return endpoint.call.slice(endpoint.call.indexOf(' ') + 1)
}

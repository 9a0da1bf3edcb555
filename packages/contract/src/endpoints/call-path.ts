/** Splits a row's `call` into method and path: all that a client needs to send it. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type EndpointCall = { readonly call: `${Method} /${string}` }

export function methodOf(endpoint: EndpointCall): Method {
  return endpoint.call.slice(0, endpoint.call.indexOf(' ')) as Method
}

export function pathOf(endpoint: EndpointCall): string {
  return endpoint.call.slice(endpoint.call.indexOf(' ') + 1)
}

/** What to do about a certificate that a program does not accept, by the code of the error. */

const trust =
  'The certificate of the hub is not signed by an authority that this machine knows. Set NODE_EXTRA_CA_CERTS to the file of that authority (or of the certificate itself, if it is self-signed), in PEM'
const advice: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: trust,
  SELF_SIGNED_CERT_IN_CHAIN: trust,
  UNABLE_TO_GET_ISSUER_CERT: trust,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: trust,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${trust}; or let the hub send the certificates between, too`,
  CERT_HAS_EXPIRED:
    'The certificate of the hub has expired, or the clock of this machine is wrong. Renew it',
  CERT_NOT_YET_VALID:
    'The certificate of the hub is not valid yet, or the clock of this machine is wrong. Check both',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the hub is for another name. Call the hub by a name of its certificate',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The hub does not speak TLS at this port. Use http, or the port of https',
}

/** Two sentences without the last full stop; undefined for any other error. */
export const certificateAdvice = (code: string): string | undefined =>
  Object.hasOwn(advice, code) ? advice[code] : undefined

/** The part of the package that we use, so that a build needs no package that only hubs with mail load. */
declare module 'nodemailer' {
  type Transport = { sendMail(message: object): Promise<unknown>; close(): void }
  export function createTransport(options: object): Transport
}

/** Cause and remedy of errors in the call itself: its form, its caller, its target (400 to 405). */
export const helpOfCalls = {
  INVALID_REQUEST: {
    cause: 'The body is not JSON, or a field is missing, has the wrong type or breaks a limit.',
    remedy: 'Correct the fields that `details` names. Do not repeat the call unchanged.',
  },
  INVALID_PARAMETER: {
    cause: 'A value in the path, the query or a header has the wrong form, or appears twice.',
    remedy: 'Correct the parameter that `details` names; check that it is URL-encoded once.',
  },
  INVALID_LANGUAGE: {
    cause: 'A language code is not in the list of accepted codes, or is null.',
    remedy:
      'Map the languages of your system to accepted codes, such as de-DE; the SDK does it with `languages`.',
  },
  INVALID_FILTER: {
    cause:
      'The `filter` of a list has a syntax error, an unknown field or a value of the wrong type.',
    remedy:
      "Look at the position that the message names. Quote values with ' and double a quote inside a value.",
  },
  INVALID_CURSOR: {
    cause: 'The cursor was changed, or comes from another list, filter or order.',
    remedy: 'Keep all other parameters the same from page to page.',
  },
  METADATA_INVALID: {
    cause:
      'The chosen provider has an extendedMetadataSchema, and the extendedMetadata of the job or of one of its requests does not match it; requests are checked at the submission.',
    remedy: "Read the provider's extendedMetadataSchema and send what it requires.",
  },
  LANGUAGES_UNSUPPORTED: {
    cause: 'The job has a language pair that the engine of the provider does not translate.',
    remedy: "Compare the pairs with the provider's capabilities before you submit.",
  },
  PROVIDER_REQUIRED: {
    cause:
      'Neither the job nor the submission names a provider, and no routing rule matches; or the site has no rules, and no provider or several.',
    remedy:
      'Send `providerId` with the submission; GET /providers lists the choices. POST /settings/routing/try says why no rule matches.',
  },
  ANALYSIS_CODE_INVALID: {
    cause: 'A code is unknown on its level, hidden, or given twice for one level.',
    remedy: 'Use a visible code that GET /settings/analysiscodes lists.',
  },
  PRICE_LIST_INVALID: {
    cause:
      'Bands overlap or leave a gap, an amount has too many places, or two lines price the same thing.',
    remedy: 'Correct every place that `details` names; nothing was saved.',
  },
  LISTENER_URI_FORBIDDEN: {
    cause:
      'The URL points to loopback, a private network or a metadata service, or is neither http nor https.',
    remedy:
      'An operator can allow a network with DRAGOMAN_LISTENER_ALLOW. In development use the sandbox, which allows loopback.',
  },
  PASSWORD_WEAK: {
    cause:
      'The password is too short, too long, widely known, or contains the address of the person.',
    remedy: 'Choose a longer one, or sign in with a passkey instead.',
  },
  PASSKEY_REFUSED: {
    cause: "The browser's answer does not belong to this attempt, this site or this passkey.",
    remedy:
      'Start again. If it keeps failing, check that DRAGOMAN_PUBLIC_URL is the address in the browser.',
  },

  UNAUTHORIZED: {
    cause:
      'The Authorization header is missing, or its token is expired, revoked or from another hub.',
    remedy: 'Get a new token from /connect/token and repeat the call once.',
  },
  SIGN_IN_NEEDED: {
    cause: 'The console session has ended, or there was none.',
    remedy: 'Sign in again, then repeat what you did.',
  },
  SIGN_IN_REFUSED: {
    cause: 'The address, password, passkey or recovery code is wrong, or the person is disabled.',
    remedy: 'Try again, or ask an admin for a new link.',
  },
  SECOND_STEP_NEEDED: {
    cause: 'The person has set up a second step, and only the password was sent.',
    remedy: 'Use your passkey, or one of the recovery codes that you saved.',
  },
  FORBIDDEN: {
    cause:
      'The token lacks the scope, the person lacks the role, or the client may not call from this network.',
    remedy:
      'An admin can give the scope or role; each call in the reference names those that it needs.',
  },
  CONFIRM_NEEDED: {
    cause: 'The act is sensitive, and the last confirmation is too old.',
    remedy: 'Enter your password or use your passkey when the console asks.',
  },
  INSECURE_SIGN_IN: {
    cause: 'The console was opened over plain http from another machine.',
    remedy: 'Open it over HTTPS, or through an SSH tunnel to loopback.',
  },
  PERSON_SHARED: {
    cause: 'An admin tried to change or link a person who also belongs to another site.',
    remedy: 'Ask an operator to do it.',
  },

  NOT_FOUND: {
    cause: 'The hub has no such path, often because /v2 is missing or doubled.',
    remedy: 'Compare the path with the reference, including upper and lower case.',
  },
  JOB_NOT_FOUND: {
    cause: 'The id is wrong, the job was deleted, or it belongs to another site.',
    remedy: 'List the jobs with the same token; check that client and job belong to the same site.',
  },
  REQUEST_NOT_FOUND: {
    cause: 'The id is wrong, the request was deleted, or it is in another job.',
    remedy: 'List the requests of the job; an asset task has the id of its request.',
  },
  COMMENT_NOT_FOUND: {
    cause: 'The id is wrong, or belongs to another job, or its team keeps it to itself.',
    remedy: 'List the comments of the job.',
  },
  SEGMENT_NOT_FOUND: {
    cause: 'The id belongs to other content, or to a source that has changed since.',
    remedy: 'List the segments again and use their ids.',
  },
  PROVIDER_NOT_FOUND: {
    cause: 'The id is wrong, or the provider belongs to another site or another client.',
    remedy: 'GET /providers lists those that you can use. A provider client must own the provider.',
  },
  PROVIDER_TYPE_NOT_FOUND: {
    cause: 'The type is misspelt, or this version of the hub does not have it.',
    remedy: 'GET /providers/types lists the types.',
  },
  FILE_NOT_FOUND: {
    cause:
      'The id does not belong to a transfer object of this job, or the upload expired before it was finished.',
    remedy: 'Request a transfer object for this job and upload the file again.',
  },
  SOURCE_CONTENT_NOT_FOUND: {
    cause: 'The id is wrong, or the content was created in another job.',
    remedy: 'Create the content in this job, or send `fields` with the request.',
  },
  SUPPORT_ASSET_NOT_FOUND: {
    cause: 'The id is wrong, or the asset was deleted.',
    remedy: 'List the support assets of the job.',
  },
  TM_UPDATE_NOT_FOUND: {
    cause: 'The id is wrong, or the TM update belongs to another job.',
    remedy: 'List the TM updates of the job.',
  },
  STATUS_UPDATE_NOT_FOUND: {
    cause: 'The id is wrong, or the update belongs to another client of the site.',
    remedy: 'Acknowledge only updates that GET /statusupdates returned to this client.',
  },
  LISTENER_NOT_FOUND: {
    cause: 'The id is wrong, the listener was deleted, or another client owns it.',
    remedy: 'List the listeners of this client; connector and provider have different lists.',
  },
  DELIVERY_NOT_FOUND: {
    cause: 'The id is wrong, or the delivery is so old that the hub has removed it.',
    remedy: 'List the deliveries of the listener.',
  },
  TASK_NOT_FOUND: {
    cause: 'The task has finished, or the id is wrong.',
    remedy: 'The timeline of the job shows what it did.',
  },
  CLIENT_NOT_FOUND: {
    cause: 'The client was removed, or belongs to another site.',
    remedy: 'GET /clients lists the clients of your site.',
  },
  PERSON_NOT_FOUND: {
    cause: 'The person was removed, or has no role in your site.',
    remedy: 'GET /people lists the people of your site.',
  },
  SESSION_NOT_FOUND: {
    cause: 'The session has already ended, or belongs to another person.',
    remedy: 'If you wanted to end it, there is nothing to do.',
  },
  PASSKEY_NOT_FOUND: {
    cause: 'The passkey was already removed, or belongs to another person.',
    remedy: 'Reload your settings.',
  },
  LINK_NOT_FOUND: {
    cause: 'A link works once, for a limited time, and a newer link replaces older ones.',
    remedy: 'Use the newest link that you were sent.',
  },
  SITE_NOT_FOUND: {
    cause: 'The name is misspelt, or the site was removed.',
    remedy: 'GET /sites lists the sites.',
  },
  FINDING_NOT_FOUND: {
    cause: 'The finding has been resolved, or the id is wrong.',
    remedy: 'List the findings again.',
  },
  ANALYSIS_CODE_NOT_FOUND: {
    cause: 'The id is wrong, or the code was deleted.',
    remedy: 'GET /settings/analysiscodes?includeHidden=true lists all codes with their ids.',
  },
  TERM_NOT_FOUND: {
    cause: 'The id is wrong, or the term was deleted.',
    remedy: 'GET /settings/terms?text= finds terms by part of their text.',
  },
  PRICE_LIST_NOT_FOUND: {
    cause: 'The site has no price list for that day, or the id is wrong.',
    remedy: 'Save a price list whose validFrom is not in the future.',
  },
  MEMORY_UNIT_NOT_FOUND: {
    cause: 'The id is wrong, the unit was removed, or it belongs to another site.',
    remedy: 'GET /settings/memory/units lists the units and finds them by their text.',
  },
  MEMORY_IMPORT_NOT_FOUND: {
    cause: 'The id is wrong, or the import belongs to another site.',
    remedy: 'Use the importId from the response to POST /settings/memory/imports.',
  },
  CALL_NOT_FOUND: {
    cause: 'The traceId is wrong, the call is too old, or it was one of many that share an entry.',
    remedy: 'Look for it by time and client with GET /calls.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method that the Allow header lists.',
  },
} as const

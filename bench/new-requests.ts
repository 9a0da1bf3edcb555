/** Requests for the bench: the texts of a product page, as a connector sends them. */
export const newRequests = (many: number) =>
  Array.from({ length: many }, (_, at) => ({
    requestName: `Product page ${at}`,
    sourceNativeId: `page-${at}`,
    sourceNativeLanguageCode: 'en-US',
    targetNativeLanguageCodes: ['de-DE'],
    fields: [
      { key: 'title', value: `Garden spade, model ${at}` },
      {
        key: 'teaser',
        value: 'Hello {name}, choose from more than <b>twenty</b> sizes and colours.',
      },
      {
        key: 'body',
        value: 'Forged steel and an ash handle. Delivery within three working days of your order.',
      },
    ],
  }))

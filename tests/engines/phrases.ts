/**
 * The sentences of the tests in three languages, so that a vendor's answer is in the language that
 * was asked for.
 */

/** `{1}` is a placeholder, `{1}…{/1}` a pair of tags. */
const phrases = [
  {
    en: 'Hello {1}, your order of 12 rakes was shipped on 5 May.',
    de: 'Hallo {1}, Ihre Bestellung über 12 Rechen wurde am 5. Mai verschickt.',
    fr: 'Bonjour {1}, votre commande de 12 râteaux a été expédiée le 5 mai.',
  },
  {
    en: 'Read the {1}manual{/1} before you start the engine.',
    de: 'Lesen Sie das {1}Handbuch{/1}, bevor Sie den Motor starten.',
    fr: "Lisez le {1}manuel{/1} avant de démarrer le moteur de l'appareil.",
  },
  {
    en: 'The shop & the garden are open until 18 o’clock.',
    de: 'Der Laden & der Garten sind bis 18 Uhr für Sie geöffnet.',
    fr: 'Le magasin & le jardin sont ouverts pour vous jusqu’à 18 heures.',
  },
  {
    en: 'We answer every letter that our customers write to us, usually on the same day, and keep none of their addresses.',
    de: 'Wir beantworten jeden Brief, den uns unsere Kunden schreiben, meist am selben Tag, und behalten keine ihrer Adressen.',
    fr: 'Nous répondons à chaque lettre que nos clients nous écrivent, le plus souvent le jour même, et ne gardons aucune adresse.',
  },
  {
    en: 'The quick brown fox jumps over the lazy dog.',
    de: 'Der schnelle braune Fuchs springt über den faulen Hund.',
    fr: 'Le rapide renard brun saute par-dessus le chien paresseux.',
  },
] as const

/** The values of a request that holds the first four sentences, with placeholders of a website. */
export const sources = [
  'Hello {name}, your order of 12 rakes was shipped on 5 May.',
  'Read the <b>manual</b> before you start the engine.',
  'The shop & the garden are open until 18 o’clock.',
  'We answer every letter that our customers write to us, usually on the same day, and keep none of their addresses.',
] as const
export const targets = [
  'Hallo {name}, Ihre Bestellung über 12 Rechen wurde am 5. Mai verschickt.',
  'Lesen Sie das <b>Handbuch</b>, bevor Sie den Motor starten.',
  'Der Laden & der Garten sind bis 18 Uhr für Sie geöffnet.',
  'Wir beantworten jeden Brief, den uns unsere Kunden schreiben, meist am selben Tag, und behalten keine ihrer Adressen.',
] as const

/**
 * The translation of a sentence that came with markers of either style; in capitals if the sentence
 * is not in the list.
 */
export function translatePhrase(text: string, target: string): string {
  const isXml = !/[⟦⟧]/.test(text) && /<[xg] |&(?:amp|lt|gt);/.test(text)
  const plain = isXml ? unescapeXml(text) : text.replace(/⟦(\/?\d+)⟧/g, '{$1}')
  const language = target.slice(0, 2).toLowerCase()
  const phrase = phrases.find(({ en }) => en === plain)
  if (!phrase || (language !== 'de' && language !== 'fr')) return inCapitals(text)
  const found = phrase[language]
  return isXml ? withTags(found, text) : found.replace(/\{(\/?\d+)\}/g, '⟦$1⟧')
}

const unescapeXml = (text: string): string => {
  const open: string[] = []
  return text
    .replace(/<(x|g) id="(\d+)"\/?>|<\/g>/g, (_, name, id) => {
      if (name === 'g') open.push(id)
      return name ? `{${id}}` : `{/${open.pop()}}`
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

const withTags = (phrase: string, source: string): string =>
  phrase
    .replaceAll('&', '&amp;')
    .replace(/\{(\/?)(\d+)\}/g, (_, slash, id) =>
      slash ? '</g>' : source.includes(`<g id="${id}">`) ? `<g id="${id}">` : `<x id="${id}"/>`,
    )

const inCapitals = (text: string): string =>
  text.replace(/&#?\w+;|<[^>]*>|⟦[^⟧]*⟧|[^&<⟦]+/g, (part) =>
    /^[&<⟦]/.test(part) ? part : part.toUpperCase(),
  )

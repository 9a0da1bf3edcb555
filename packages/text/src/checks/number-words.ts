/** The words for the numbers up to twelve, also as ordinals: "two" for 2 is no error. */
import type { Language } from './language.ts'

/** From zero on; `*` stands for any ending. */
const tables: Readonly<Record<string, string>> = {
  en: 'zero|no one|once|first|single|a|an two|twice|second|both|double|pair three|third|triple four* five|fifth six* seven* eight* nine|ninth ten|tenth eleven* twelve|twelfth|dozen',
  de: 'null|kein* ein*|erst* zwei*|zweit*|beide*|doppel* drei*|dritt* vier* fünf* sechs* sieb* acht* neun* zehn* elf* zwölf*|dutzend',
  fr: 'zéro|aucun* un|une|premi* deux* trois* quatr* cinq* six* sept* huit* neuf|neuvième dix* onz* douz*',
  es: 'cero|ningun*|ningún un|uno|una|primer* dos|segund*|ambos|ambas tres|tercer* cuatro|cuart* cinco|quint* seis|sext* siete|séptim* ocho|octav* nueve|noven* diez|décim* once|undécim* doce*',
  it: 'zero|nessun* un|uno|una|prim* due|second*|entramb* tre|terz* quattro|quart* cinque|quint* sei|sest* sette|settim* otto|ottav* nove|nono|nona dieci|decim* undici* dodici*',
  pt: 'zero|nenhum* um|uma|primeir* dois|duas|segund*|ambos|ambas três|terceir* quatro|quart* cinco|quint* seis|sext* sete|sétim* oito|oitav* nove|non* dez|décim* onze doze',
  nl: 'nul|geen een|één|eerst* twee*|beide* drie*|derde vier* vijf* zes* zeven* acht* negen* tien* elf* twaalf*',
  ru: 'ноль|ноля|нуль один*|одн*|перв* два|две|двух|двум*|дву*|втор*|оба|обе три|трех|трёх|трем*|трём*|трет* четыр*|четвёрт*|четверт* пят* шест* сем*|седьм* восем*|восьм* девят* десят* одиннадцат* двенадцат*',
  uk: "нуль|нуля один*|одн*|перш* два|дві|двох|двом*|друг*|обидв* три|трьох|трьом*|трет* чотир*|четверт* п’ят*|п'ят* шіст*|шест* сім*|сьом* вісім*|восьм* дев’ят*|дев'ят* десят* одинадцят* дванадцят*",
  pl: 'zero|żaden jeden|jedn*|pierwsz* dwa|dwie|dwóch|dwu*|drug*|oba|obie trzy|trzech|trzec* czter*|czwart* pięć|pięci*|piąt* sześć|sześci*|szóst* siedem|siedm*|siódm* osiem|ośmi*|ósm* dziewięć|dziewięci*|dziewiąt* dziesięć|dziesięci*|dziesiąt* jedenaś*|jedenast* dwanaś*|dwunast*',
  cs: 'nula|žádn* jeden|jedn*|prvn* dva|dvě|dvou*|druh*|oba|obě tři|tří|třet* čtyř*|čtvrt* pět*|pát* šest* sedm* osm* devět*|devát* deset*|desát* jedenáct* dvanáct*',
  sv: 'noll|ingen|inga en|ett|först* två|andra|båda tre|tredje fyra|fjärde fem* sex|sjätte sju* åtta|åttonde nio* tio* elva|elfte tolv*|tolfte',
  da: 'nul|ingen en|et|én|først* to|anden|andet|begge tre|tredje fire|fjerde fem* seks|sjette syv* otte* ni|niende ti|tiende elleve|ellevte tolv|tolvte',
  nb: 'null|ingen en|ett|et|én|først* to|andre|begge tre|tredje fire|fjerde fem* seks|sjette sju*|syv* åtte* ni|niende ti|tiende elleve|ellevte tolv|tolvte',
  fi: 'nolla|ei yksi|yhde*|ensimmäi* kaksi|kahde*|toinen|toise*|molem* kolme*|kolma* neljä* viisi|viide* kuusi|kuude* seitsemä* kahdeksa* yhdeksä* kymmene* yksitoista kaksitoista',
  tr: 'sıfır bir*|tek|ilk iki* üç* dört*|dörd* beş* altı* yedi* sekiz* dokuz* on|onuncu onbir* oniki*',
  hu: 'nulla|nincs egy*|első* kett*|két*|második* három*|harmadik* négy* öt* hat* hét*|heted* nyolc* kilenc* tíz* tizenegy* tizenkét*|tizenkett*',
  ro: 'zero|niciun* un|una|unu|o|prim* doi|două|doilea|ambele trei* patru* cinci* șase* șapte* opt* nou* zece* unsprezece* doisprezece*|douăsprezece*',
}

/** Written within other characters, without spaces. */
const signs: Readonly<Record<string, string>> = {
  zh: '零〇 一首 二两兩双 三 四 五 六 七 八 九 十 十一 十二',
  ja: '零〇 一 二両 三 四 五 六 七 八 九 十 十一 十二',
  ko: '영공 한하일첫 두둘이 세셋삼 네넷사 다섯오 여섯육 일곱칠 여덟팔 아홉구 열십 열한십일 열두십이',
}

const rows = new Map(Object.entries(tables).map(([base, table]) => [base, rowsOf(table)]))
const aliases: Readonly<Record<string, string>> = {
  no: 'nb',
  nn: 'nb',
  yue: 'zh',
  wuu: 'zh',
  sk: 'cs',
}

/** A space separates the numbers, `|` the words of one. */
function rowsOf(table: string): readonly (readonly string[])[] {
  return table.split(' ').map((row) => row.split('|'))
}

export function hasNumberWord(text: string, value: string, language: Language): boolean {
  const number = /^\d{1,2}$/.test(value) ? Number(value) : 13
  const base = aliases[language.base] ?? language.base
  if (number > 12) return false
  const characters = signs[base]?.split(' ')[number]
  if (characters !== undefined) return [...characters].some((one) => text.includes(one))
  const wanted = rows.get(base)?.[number]
  if (!wanted) return false
  const lower = text.toLowerCase()
  return (lower.match(/[\p{L}\p{M}'’]+/gu) ?? []).some((word) =>
    wanted.some((one) => (one.endsWith('*') ? word.startsWith(one.slice(0, -1)) : word === one)),
  )
}

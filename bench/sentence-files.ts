/**
 * Files with one different sentence per line or entry, as content systems send them; the samples
 * have many short texts.
 */
import { seeded, sentence } from './sentences.ts'

type Layout = {
  readonly fileName: string
  readonly head: string
  readonly entry: (at: number, text: string) => string
  readonly tail?: string
}

const layouts: Readonly<Record<string, Layout>> = {
  po: {
    fileName: 'sentences.po',
    head: 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n',
    entry: (at, text) => `\n#: page.c:${at}\nmsgid "${text}"\nmsgstr ""\n`,
  },
  properties: {
    fileName: 'sentences.properties',
    head: '',
    entry: (at, text) => `page.title.${at}=${text}\n`,
  },
  'apple-strings': {
    fileName: 'sentences.strings',
    head: '',
    entry: (at, text) => `"page.title.${at}" = "${text}";\n`,
  },
  csv: { fileName: 'sentences.csv', head: 'id,title\n', entry: (at, text) => `${at},"${text}"\n` },
  yaml: { fileName: 'en.yml', head: 'en:\n', entry: (at, text) => `  title_${at}: ${text}\n` },
  json: {
    fileName: 'sentences.json',
    head: '{\n  "title": "Sentences"',
    entry: (at, text) => `,\n  "title_${at}": "${text}"`,
    tail: '\n}\n',
  },
  android: {
    fileName: 'strings.xml',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n',
    entry: (at, text) => `    <string name="title_${at}">${text}</string>\n`,
    tail: '</resources>\n',
  },
  resx: {
    fileName: 'Sentences.resx',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<root>\n  <resheader name="version">\n    <value>2.0</value>\n  </resheader>\n',
    entry: (at, text) =>
      `  <data name="Title${at}" xml:space="preserve">\n    <value>${text}</value>\n  </data>\n`,
    tail: '</root>\n',
  },
  xliff: {
    fileName: 'sentences.xlf',
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file original="page" source-language="en" target-language="de" datatype="plaintext">\n<body>\n',
    entry: (at, text) =>
      `<trans-unit id="${at}">\n<source>${text}</source>\n<target>${text}</target>\n</trans-unit>\n`,
    tail: '</body>\n</file>\n</xliff>\n',
  },
  linguist: {
    fileName: 'sentences.ts',
    head: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de_DE" sourcelanguage="en">\n<context>\n    <name>Page</name>\n',
    entry: (_, text) =>
      `    <message>\n        <source>${text}</source>\n        <translation type="unfinished"></translation>\n    </message>\n`,
    tail: '</context>\n</TS>\n',
  },
  html: {
    fileName: 'sentences.html',
    head: '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Sentences</title>\n</head>\n<body>\n',
    entry: (_, text) => `<p>${text}</p>\n`,
    tail: '</body>\n</html>\n',
  },
  'plain-text': { fileName: 'sentences.txt', head: '', entry: (_, text) => `${text}\n\n` },
  srt: {
    fileName: 'sentences.srt',
    head: '',
    entry: (at, text) => `${at + 1}\n${cueTime(at * 2)} --> ${cueTime(at * 2 + 1)}\n${text}\n\n`,
  },
  php: {
    fileName: 'sentences.php',
    head: '<?php\n\nreturn [\n',
    entry: (at, text) => `    'title_${at}' => '${text}',\n`,
    tail: '];\n',
  },
}

const cueTime = (seconds: number): string => {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)},000`
}

export function sentenceFile(
  format: string,
  size: number,
): { fileName: string; bytes: Uint8Array } | undefined {
  const layout = layouts[format]
  if (!layout) return undefined
  const draw = seeded(1)
  const parts = [layout.head]
  for (let [at, length] = [0, 0]; length < size; at += 1) {
    const part = layout.entry(at, sentence(draw))
    parts.push(part)
    length += part.length
  }
  return {
    fileName: layout.fileName,
    bytes: new TextEncoder().encode(parts.join('') + (layout.tail ?? '')),
  }
}

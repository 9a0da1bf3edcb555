/**
 * Phrases that a technical writer would not use, each with better words. A page that needs one of
 * them quotes it as code.
 */
export const proseRules = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\btell(?:s|ing)? of\b|\btold of\b/i, 'describe, report'],
  [/\b(?:is|are|was|were) told (?:to|on)\b/i, 'is shown to, is reported on'],
  [/\bstands? on\b/i, 'uses, is based on'],
  [/\bstands? (?:in|beside|against)\b/i, 'is in, is next to, blocks'],
  [/\bhub's face\b|\bface for people\b/i, "the hub's web interface"],
  [/\bits sisters\b/i, 'similar calls'],
  [/\byou are content\b/i, 'you have verified the result'],
  [/\bof no type\b/i, 'Content-Type is missing'],
  [/\bpeople follow it\b/i, 'this node has reached its limit of event streams'],
  [/(?:^|[.!] )Who (?:forgot|forgets|wants|needs|has|only)\b[^?]*$/m, 'Anyone who, a person who'],
  [/\bin vain\b/i, 'without success'],
  [/\b(?:here|there|where)(?:of|in|by|upon|with)\b/i, 'name the thing'],
  [/\b(?:upon|whilst|amongst|anew)\b/i, 'on, while, among, again'],
  [/\bshall\b/i, 'must, should, will'],
  [/\bin order to\b/i, 'to'],
  [/\butili[sz]/i, 'use'],
  [/\b(?:please|simply|obviously)\b/i, 'leave it out'],
  [/\b(?:e\.g\.|i\.e\.|etc\.)/i, 'for example, that is, and so on'],
  [/\bthe the\b|\ba a\b|\bto to\b|\bof of\b|\bis is\b/i, 'once'],
]

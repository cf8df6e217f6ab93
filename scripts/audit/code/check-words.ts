/** Finds comments that break the rules of plain English: sentences that name no subject, and words that mislead. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCode } from './parse-code.ts'

interface Rule {
  readonly pattern: RegExp
  /** Advice that is printed after a sentence that matches `pattern`. */
  readonly instead: string
}

/** Applied to each sentence of a comment. */
const RULES: readonly Rule[] = [
  {
    pattern:
      /^(?:Of|That of|The same (?:as|at|for|in|of|with)|Those|What(?:ever)?|Where(?:ver)?|Who(?:m|se|ever)?)\b/,
    instead: 'a sentence that begins with its subject',
  },
  { pattern: /\b(?:tells?|telling|told)\b/i, instead: '"report", "say" or "show"' },
  { pattern: /\b(?:some|no|any|every)body\b/i, instead: 'the role: caller, builder, visitor' },
  { pattern: /\bof before\b/i, instead: '"previous" or "earlier"' },
  { pattern: /\b(?:stands?|stood)\b(?!-| for\b)/i, instead: '"is", "is stored" or "remains"' },
  {
    pattern:
      /\b(?:with|without|for|gives?|given|grants?|granted|no|has|have|its|the|this|under) leave\b|\bleave (?:is|was|to)\b/i,
    instead: '"permission"',
  },
  { pattern: /\b(?:is|are|was|were) gone with\b/i, instead: '"was removed by"' },
  { pattern: /\b(?:is|are|was) dear\b/i, instead: '"expensive"' },
]

const FILES = '{src,functions,scripts,tests}/**/*.{ts,tsx,mjs,astro,css}'

/** Returns a line for each sentence of a comment under `root` that breaks a rule. */
export function checkWords(root: string): readonly string[] {
  return globSync(FILES, { cwd: root, exclude: ['**/node_modules/**'] })
    .sort()
    .flatMap((file) =>
      listComments(file, readFileSync(join(root, file), 'utf8')).flatMap(({ line, text }) =>
        findProblems(text).map((problem) => `${file}:${line}: ${problem}`),
      ),
    )
}

interface Comment {
  /** Counted from 1. */
  readonly line: number
  /** The comment's words on one line, without comment marks. Consecutive line comments count as one comment. */
  readonly text: string
}

interface Range {
  readonly start: number
  readonly end: number
}

function findProblems(text: string): readonly string[] {
  return text.split(/(?<=[.!?:]) +(?=[A-Z])/).flatMap((sentence) => {
    const rule = RULES.find(({ pattern }) => pattern.test(sentence))
    return rule === undefined ? [] : [`"${sentence}" Write ${rule.instead}.`]
  })
}

function listComments(file: string, text: string): readonly Comment[] {
  const ranges = /\.(?:astro|css)$/.test(file) ? listMarkedRanges(text) : parseCode(file, text).comments
  return joinLines(text, ranges).map(({ start, end }) => ({
    line: text.slice(0, start).split('\n').length,
    text: readText(text.slice(start, end)),
  }))
}

/** Returns the comments of a style sheet or an Astro file. A line comment after code on the same line is not found. */
function listMarkedRanges(text: string): readonly Range[] {
  const marked = text.matchAll(/<!--.*?-->|\/\*.*?\*\/|^[ \t]*\/\/ .*?$/gms)
  return [...marked].map(({ 0: comment, index }) => ({ start: index, end: index + comment.length }))
}

function joinLines(text: string, ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    const between = last === undefined ? null : text.slice(last.end, range.start)
    const follows =
      between !== null && /^\n[ \t]*$/.test(between) && /^[ \t]*\/\//.test(text.slice(range.start, range.end))
    if (last !== undefined && follows && /^[ \t]*\/\//.test(text.slice(last.start, last.end)))
      joined[joined.length - 1] = { start: last.start, end: range.end }
    else joined.push(range)
  }
  return joined
}

function readText(comment: string): string {
  return comment
    .replace(/^(?:<!--|\/\*+)|(?:-->|\*\/)$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/)?\s?/, '').trim())
    .join(' ')
    .trim()
}

/**
 * Wraps the added sections of a command's help to the width of the terminal, because commander wraps only its own part.
 */
import type { Command } from 'commander'
import { LEAST_WIDTH, wrapText } from './paint.ts'

/** Width of the help if stdout is not a terminal. This is commander's default. */
const WIDTH = 80

/** Matches a term and its description, separated by two or more spaces. */
const ITEM = /^( *\S+(?: \S+)* {2,})(\S.*)$/

/** Wraps the help of a command and of its subcommands. */
export function wrapHelpOf(command: Command): Command {
  return command.configureHelp({ minWidthToWrap: LEAST_WIDTH }).configureOutput({
    writeOut: (text) => void process.stdout.write(wrapHelp(text, process.stdout.columns ?? WIDTH)),
  })
}

/**
 * Joins unindented lines into paragraphs and wraps them. An indented line that is too long continues in the column of
 * its description.
 */
export function wrapHelp(text: string, width: number): string {
  return joinParagraphs(text.split('\n'))
    .map((line) => wrapLine(line, width))
    .join('\n')
}

function joinParagraphs(lines: readonly string[]): readonly string[] {
  const joined: string[] = []
  let isOpen = false
  for (const line of lines) {
    const isText = /^\S/.test(line)
    if (isText && isOpen) joined.push(`${joined.pop()} ${line}`)
    else joined.push(line)
    isOpen = isText && !line.endsWith(':')
  }
  return joined
}

function wrapLine(line: string, width: number): string {
  if (line.length <= width) return line
  const [head, rest] = splitItem(line)
  return head + wrapText(rest, width - head.length, head.length)
}

function splitItem(line: string): readonly [string, string] {
  const [, term = /^ */.exec(line)?.[0] ?? ''] = ITEM.exec(line) ?? []
  return [term, line.slice(term.length)]
}

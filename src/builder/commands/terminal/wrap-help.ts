/** Wraps the sections that follow a command's own help to the width of the terminal, as commander wraps the rest. */
import type { Command } from 'commander'
import { LEAST_WIDTH, wrapText } from './paint.ts'

/** Width of help outside a terminal, commander's default. */
const WIDTH = 80

/** A term, and the column of its description: two spaces or more divide them. */
const ITEM = /^( *\S+(?: \S+)* {2,})(\S.*)$/

/** Wraps the help of a command and of its subcommands. */
export function wrapHelpOf(command: Command): Command {
  return command.configureHelp({ minWidthToWrap: LEAST_WIDTH }).configureOutput({
    writeOut: (text) => void process.stdout.write(wrapHelp(text, process.stdout.columns ?? WIDTH)),
  })
}

/**
 * Unindented lines are joined to paragraphs and wrapped. An indented line that is too long continues in the column of
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

/**
 * Wraps the added sections of a command's help to the width of the terminal, because commander wraps only its own part.
 */
import type { Command } from 'commander'
import { Help } from 'commander'

/** Min width to which text is wrapped. */
const LEAST_WIDTH = 20

const help = new Help()
help.minWidthToWrap = LEAST_WIDTH

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
  const wrapped = help.boxWrap(rest, Math.max(width - head.length, LEAST_WIDTH))
  return head + wrapped.replaceAll('\n', `\n${' '.repeat(head.length)}`)
}

function splitItem(line: string): readonly [string, string] {
  const [, term = /^ */.exec(line)?.[0] ?? ''] = ITEM.exec(line) ?? []
  return [term, line.slice(term.length)]
}

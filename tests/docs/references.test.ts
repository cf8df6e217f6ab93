/** Links and commands in README and docs exist. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../scripts/commands.mjs'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { DOCUMENTATION, listHeadings } from '../support/run/documentation.ts'

const LINK = /\]\(([^)\s]+)\)/g
const CALL = /\bnpm run (?:-s )?([\w:-]+)|\bnpx vitrina ([a-z][\w:-]*)/g

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

/** Formats a heading as an anchor like GitHub. */
function formatAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = join(ROOT, file === '' ? page : join(dirname(page), file))
  if (!existsSync(target)) return true
  return (
    anchor !== undefined && !listHeadings(readFileSync(target, 'utf8')).map(formatAnchor).includes(anchor)
  )
}

it('README and docs link to existing pages, pictures and headings', () => {
  const links = DOCUMENTATION.flatMap(({ path, text }) =>
    [...text.matchAll(LINK)].map(([, link = '']) => ({ path, link })),
  ).filter(({ link }) => !/^https?:/.test(link))
  expect(links.length).toBeGreaterThan(15)
  expect(links.filter(({ path, link }) => isBroken(path, link))).toEqual([])
})

it('README and docs name existing commands', () => {
  const calls = DOCUMENTATION.flatMap(({ text }) => [...text.matchAll(CALL)])
  expect(calls.length).toBeGreaterThan(20)
  const isKnown = ([, script, command]: RegExpMatchArray): boolean =>
    script === undefined ? Object.hasOwn(COMMANDS, command ?? '') : Object.hasOwn(scripts, script)
  expect(calls.filter((call) => !isKnown(call)).map(([call]) => call)).toEqual([])
})

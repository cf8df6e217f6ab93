/** The states of a rebuild: the list in the code against the docs and the comments that refer to a state. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RUN_STATES } from '../../src/builder/rebuild/protocol.ts'
import { readDocumentationPage, readTable } from '../support/run/documentation.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const CITED = /Protocol states? (`[a-z]+`(?: and `[a-z]+`)*)\./g

const names = RUN_STATES.map(({ name }) => name)

it('the docs list the states of a rebuild in order, with what the next run finds after a crash', () => {
  const rows = readTable(readDocumentationPage('docs/design.md'), 'state', 'what has been made durable')
  const expected = RUN_STATES.map(({ name, found }, index) => [`${index + 1}. ${name}`, found])
  expect(rows.map(([state, , found]) => [state, found])).toEqual(expected)
})

it('comments cite only existing states, and every state that the rebuild module enters', () => {
  const files = globSync('src/builder/**/*.ts', { cwd: ROOT })
  const cited = files.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return [...text.matchAll(CITED)].flatMap(([reference]) =>
      [...reference.matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name),
    )
  })
  expect(cited.filter((name) => !names.includes(name))).toEqual([])
  // The commands take the locks.
  expect(names.filter((name) => !cited.includes(name))).toEqual(['locked'])
})

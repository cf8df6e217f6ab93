/** Finds the tests of edited files. The tree of tests mirrors that of the code. */
import { basename, dirname } from 'node:path/posix'

const TEST = /^tests\/.*\.test\.ts$/
const CODE = /^(?:src\/)?((?:domain|site|builder|edge|functions|scripts)\/.+)\.(?:ts|tsx|mjs|astro|css)$/
const SERVED = 'tests/served/browser/'

/** The test that checks every kind of page as a visitor first sees it. */
const SCREENS = `${SERVED}screens.test.ts`

/** Returns the tests of the edited files, sorted. `tests` lists all tests. Paths are relative to the project's root. */
export function findTests(edited: readonly string[], tests: readonly string[]): readonly string[] {
  return [...new Set(edited.flatMap((path) => findTestsOf(path, tests)))].toSorted()
}

function findTestsOf(path: string, tests: readonly string[]): readonly string[] {
  if (TEST.test(path)) return tests.includes(path) ? [path] : []
  const [, code] = CODE.exec(path) ?? []
  if (code === undefined) return []
  // For any file of the domain, all tests of the domain run, because they take only seconds.
  if (code.startsWith('domain/')) return listFolder('tests/domain', tests)
  const mirrored = findMirrored(`tests/${code}`, tests)
  return code.startsWith('site/') ? [...mirrored, ...findServed(code, tests)] : mirrored
}

/** Returns the test of the same name. If there is none, returns all tests of the nearest folder that has tests. */
function findMirrored(path: string, tests: readonly string[]): readonly string[] {
  const test = `${path}.test.ts`
  if (tests.includes(test)) return [test]
  let folder = dirname(path)
  while (folder !== 'tests' && listFolder(folder, tests).length === 0) folder = dirname(folder)
  return folder === 'tests' ? [] : listFolder(folder, tests)
}

function listFolder(folder: string, tests: readonly string[]): readonly string[] {
  return tests.filter((test) => test.startsWith(`${folder}/`))
}

/**
 * Returns the test of the screens, and browser tests whose name shares a word, such as `order`, with the code's path.
 */
function findServed(code: string, tests: readonly string[]): readonly string[] {
  const words = new Set(code.split(/[^A-Za-z]+|(?=[A-Z])/).map(formatStem))
  const isNamed = (test: string): boolean =>
    basename(test, '.test.ts')
      .split('-')
      .some((word) => words.has(formatStem(word)))
  return tests.filter((test) => test === SCREENS || (test.startsWith(SERVED) && isNamed(test)))
}

function formatStem(word: string): string {
  return word.toLowerCase().replace(/s$/, '')
}

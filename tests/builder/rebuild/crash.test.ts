/** A process that dies at any of its steps leaves whole files, and the next run makes the same site as a clean build. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product, user, withTime } from '../../support/rebuild/documents.ts'
import { dies } from '../../support/rebuild/faults/dying-world.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

/** A death before a step finds what one after the step before it has left: tests of each step play the latter. */
type Moment = 'before' | 'after'

type Data = Pick<WorldSetup, 'documents' | 'code'>

const COMMON: readonly SourceDocument[] = [user('ana'), product('p1', 'ana'), user('stays')]
const OLD: Data = { documents: [...COMMON, user('gone'), product('p2', 'eva')], code: 'one' }
const NEW: Data = { documents: [...COMMON, product('p2', 'ana', { price: 5 }), user('new')], code: 'two' }
const NEW_DATA: Data = { ...NEW, code: 'one' }

// More than one batch. The sitemap contains their times.
function listSellers(day: number): readonly SourceDocument[] {
  return Array.from({ length: 18 }, (_, index) =>
    withTime(product(`p${index}`, `seller-${index}`, { price: day }), `2026-01-0${day}T00:00:00Z`),
  )
}

type Files = Readonly<Record<string, string>>

/** Leaves out retained hashed files of earlier code. */
function withoutRetained(files: Files, wanted: Files): Files {
  return Object.fromEntries(
    Object.entries(files).filter(([name]) => name in wanted || !name.startsWith('_astro/')),
  )
}

const cleanSites = new Map<Data, Files>()

async function readClean(data: Data): Promise<Files> {
  const folder = path('clean', data === OLD ? 'old' : (data.code ?? ''))
  if (!cleanSites.has(data)) await runInWorld({ folder, ...data })
  const files = cleanSites.get(data) ?? readFiles(`${folder}/dist`)
  cleanSites.set(data, files)
  return files
}

/** Ends the run at its n-th step. Returns false if it has fewer. */
function dieAt(n: number, moment: Moment, setup: Data & Partial<WorldSetup>): Promise<boolean> {
  return dies((wrap) => runInWorld({ folder: path('site'), ...setup, wrap }), n, moment)
}

/** Files that are neither the old nor the new version, and pages whose inline code the policy refuses. */
function findTorn(old: Files, now: Files): readonly string[] {
  const files = readFiles(path('site/dist'))
  const isWhole = ([name, text]: [string, string]): boolean =>
    name === '_headers' || /^\.(vitrina|partial)/.test(name) || [old[name], now[name]].includes(text)
  const isAllowed = ([, text]: [string, string]): boolean => {
    const code = /^(one|two) /.exec(text)?.[1]
    return code === undefined || files['_headers']?.includes(` script-${code}`) === true
  }
  return Object.entries(files)
    .filter((file) => !isWhole(file) || !isAllowed(file))
    .map(([name]) => name)
}

describe('a process that dies at one of its steps', () => {
  let clean: { readonly old: Files; readonly new: Files; readonly newData: Files }
  beforeEach(async () => {
    await runInWorld({ folder: path('first'), ...OLD })
    clean = { old: await readClean(OLD), new: await readClean(NEW), newData: await readClean(NEW_DATA) }
  })

  async function dieAtEachStep(
    setup: Data & Partial<WorldSetup>,
    wanted: Files,
    next: Data,
    last: Files,
    every = 1,
  ): Promise<number> {
    const old = readFiles(path('first/dist'))
    for (let n = 1; ; n += every) {
      rmSync(path('site'), { recursive: true, force: true })
      cpSync(path('first'), path('site'), { recursive: true })
      if (!(await dieAt(n, 'after', setup))) return n - 1
      expect(findTorn(old, wanted)).toEqual([])
      await runInWorld({ folder: path('site'), ...next })
      expect(withoutRetained(readFiles(path('site/dist')), last), `step ${n}`).toEqual(last)
      const { preparation } = await runInWorld({ folder: path('site'), ...next })
      expect([...preparation.plan.render, ...preparation.plan.remove], `step ${n}`).toEqual([])
    }
  }

  it('leaves whole files, and the next run makes the new site', async () => {
    expect(await dieAtEachStep(NEW, clean.new, NEW, clean.new)).toBeGreaterThan(20)
  })

  it('leaves whole files, and the next run makes the old site again if the data went back', async () => {
    expect(await dieAtEachStep(NEW, clean.new, OLD, clean.old)).toBeGreaterThan(20)
  })

  it('leaves whole files when only data changed', async () => {
    expect(await dieAtEachStep(NEW_DATA, clean.newData, NEW_DATA, clean.newData)).toBeGreaterThan(10)
    await dieAtEachStep(NEW_DATA, clean.newData, OLD, clean.old)
  })

  it('in a first run leaves only what the next run repairs', async () => {
    let n = 1
    for (; ; n += 1) {
      rmSync(path('site'), { recursive: true, force: true })
      if (!(await dieAt(n, 'after', OLD))) break
      await runInWorld({ folder: path('site'), ...NEW })
      expect(withoutRetained(readFiles(path('site/dist')), clean.new), `step ${n}`).toEqual(clean.new)
    }
    expect(n).toBeGreaterThan(20)
  })

  it('keeps changed sellers until the file of the sitemap that lists them is recorded', async () => {
    rmSync(path('first'), { recursive: true })
    await runInWorld({ folder: path('first'), documents: listSellers(1) })
    await runInWorld({ folder: path('clean'), documents: listSellers(2) })
    const files = readFiles(path('clean/dist'))
    const data = { documents: listSellers(2) }
    // Sellers wait for many steps.
    expect(await dieAtEachStep(data, files, data, files, 3)).toBeGreaterThan(50)
  })

  it('twice in a row leaves only what the next run repairs', async () => {
    let n = 1
    for (; ; n += 3) {
      rmSync(path('site'), { recursive: true, force: true })
      cpSync(path('first'), path('site'), { recursive: true })
      if (!(await dieAt(n, 'after', NEW))) break
      expect(await dieAt(Math.ceil(n / 2), 'before', OLD), `step ${n}`).toBe(true)
      await runInWorld({ folder: path('site'), ...NEW_DATA })
      const last = clean.newData
      expect(withoutRetained(readFiles(path('site/dist')), last), `step ${n}`).toEqual(last)
    }
    expect(n).toBeGreaterThan(20)
  })

  it('while it checks every file leaves only what the next run repairs', async () => {
    // As after a copy of another folder: with another marker, and with a file that no run wrote.
    writeFileSync(path('first/dist/.vitrina'), 'another')
    writeFileSync(path('first/dist/catalogo/extra.html'), 'extra')
    const steps = await dieAtEachStep({ ...NEW, options: { isVerify: true } }, clean.new, OLD, clean.old)
    expect(steps).toBeGreaterThan(20)
  })
})

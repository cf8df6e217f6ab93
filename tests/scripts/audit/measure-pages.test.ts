/** Measuring with Lighthouse while runs fail, with a twin of Lighthouse and its browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Measurements } from '../../../scripts/audit/lighthouse/measure-pages.ts'
import { MAX_REPEATS, measurePages } from '../../../scripts/audit/lighthouse/measure-pages.ts'
import type { Lighthouse, LighthouseResult } from '../../../scripts/audit/lighthouse/open-lighthouse.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

type Run = LighthouseResult | Error

const createResult = (paint: number): LighthouseResult => ({
  categories: { performance: { score: 0.98 }, seo: { score: 1 } },
  audits: { 'largest-contentful-paint': { numericValue: paint } },
})

const ERROR: LighthouseResult = {
  ...createResult(0),
  runtimeError: { code: 'NO_FCP', message: 'The page did not paint any content.' },
}

/** `runs` are the results of each page in order; after the last one every run fails. */
function createTwin(runs: Readonly<Record<string, readonly Run[]>>): Lighthouse {
  const next = new Map<string, number>()
  return {
    measure: async (url) => {
      const count = next.get(url) ?? 0
      next.set(url, count + 1)
      const run = runs[url]?.[count] ?? new Error('the browser is gone')
      if (run instanceof Error) throw run
      return run
    },
    filterValid: (results) => results,
    findMedianRun: (results) => {
      const median = results[Math.floor(results.length / 2)]
      if (median === undefined) throw new Error('there is no run')
      return median
    },
    formatHtml: () => '<p>report</p>',
  }
}

function measure(runs: Readonly<Record<string, readonly Run[]>>): Promise<Measurements> {
  const pages = Object.keys(runs).map((name) => ({ name, path: name }))
  const options = { reports: path('reports'), runs: 3, progress: () => {} }
  return measurePages(createTwin(runs), { origin: '', pages }, options)
}

describe('measuring pages', () => {
  it('keeps the report of the median run', async () => {
    const { pages, failures } = await measure({ home: [1, 2, 3].map(createResult) })
    expect(failures).toEqual([])
    expect(pages).toMatchObject([{ name: 'home', runs: 3, performance: 98, seo: 100, largestPaint: 2 }])
    expect(readdirSync(path('reports'))).toEqual(['home.html', 'home.json'])
    expect(JSON.parse(readFileSync(path('reports/home.json'), 'utf8'))).toEqual(createResult(2))
  })

  it('repeats a run that throws or has no result', async () => {
    const runs = [createResult(1), new Error('crashed'), createResult(2), ERROR, createResult(3)]
    const { pages, failures } = await measure({ home: runs })
    expect(failures).toEqual([])
    expect(pages).toMatchObject([{ runs: 3, largestPaint: 2 }])
  })

  it('uses the successful runs if too many fail', async () => {
    const failed = Array.from({ length: MAX_REPEATS + 1 }, () => ERROR)
    const { pages } = await measure({ home: [createResult(1), createResult(2), ...failed] })
    expect(pages).toMatchObject([{ runs: 2 }])
  })

  it('measures the other pages if all runs of one page fail', async () => {
    const { pages, failures } = await measure({ home: [ERROR, ERROR], long: [1, 2, 3].map(createResult) })
    expect(pages).toMatchObject([{ name: 'long' }])
    expect(failures).toEqual([{ name: 'home', reason: 'the browser is gone' }])
  })
})

import type { Generation, RecordedPage } from '../../../../src/builder/state/record/record.ts'
import { describe, expect, it } from 'vitest'
import type { WantedPage } from '../../../../src/builder/rebuild/plan/plan-page.ts'
import { planPage } from '../../../../src/builder/rebuild/plan/plan-page.ts'

const CODE: Generation['code'] = {
  home: 'h',
  catalogue: 'c',
  product: 'p',
  'unknown-product': 'p',
  poster: 'k',
  'unknown-catalogue': 'u',
  'not-found': 'n',
  search: 's',
}
const GENERATION: Generation = { code: CODE, settings: 's', runtime: 'r' }
const OTHER_CODE: Generation['code'] = { ...CODE, catalogue: 'other' }
const RECORDED: RecordedPage = { generation: GENERATION, data: 'd', isUnsure: false }

function want(data = 'd', generation: Partial<Generation> = {}): WantedPage {
  return {
    kind: 'catalogue',
    generation: { ...GENERATION, ...generation },
    difference: 'data',
    readHash: () => data,
  }
}

/** The plan must not read its data, because another input decides. */
function wantUnread(generation: Partial<Generation> = {}): WantedPage {
  const readHash = (): string => {
    throw new Error('the data was read')
  }
  return { ...want('d', generation), readHash }
}

const render = (reason: string) => ({ action: 'render', reason })

describe('a page is rendered', () => {
  it('when it is new', () => {
    expect(planPage(null, wantUnread(), false)).toEqual(render('new'))
  })

  it('when its file is unsure', () => {
    expect(planPage({ ...RECORDED, isUnsure: true }, wantUnread(), false)).toEqual(render('unsure'))
  })

  it('when the code changed', () => {
    expect(planPage(RECORDED, wantUnread({ code: OTHER_CODE }), false)).toEqual(render('code'))
  })

  it('when a setting changed', () => {
    expect(planPage(RECORDED, wantUnread({ settings: 'other' }), false)).toEqual(render('settings'))
  })

  it('when the runtime changed', () => {
    expect(planPage(RECORDED, wantUnread({ runtime: 'other' }), false)).toEqual(render('runtime'))
  })

  it('when the run is full', () => {
    expect(planPage(RECORDED, wantUnread(), true)).toEqual(render('full'))
  })

  it('when its data changed', () => {
    expect(planPage(RECORDED, want('other'), false)).toEqual(render('data'))
  })

  it('of the sitemap only when its text changed', () => {
    const file: WantedPage = { ...want('d', { code: OTHER_CODE, settings: 'x' }), kind: 'sitemap-bucket' }
    expect(planPage(RECORDED, file, false)).toEqual({ action: 'keep' })
    expect(planPage(RECORDED, { ...file, readHash: () => 'other' }, false)).toEqual(render('data'))
  })

  it('for the first reason that applies', () => {
    const all = { code: OTHER_CODE, settings: 'x', runtime: 'x' }
    expect(planPage(null, want('other', all), true)).toEqual(render('new'))
    expect(planPage({ ...RECORDED, isUnsure: true }, want('other', all), true)).toEqual(render('unsure'))
    expect(planPage(RECORDED, want('other', all), true)).toEqual(render('code'))
    expect(planPage(RECORDED, want('other', { settings: 'x', runtime: 'x' }), true)).toEqual(
      render('settings'),
    )
    expect(planPage(RECORDED, want('other', { runtime: 'x' }), true)).toEqual(render('runtime'))
    expect(planPage(RECORDED, want('other'), true)).toEqual(render('full'))
  })
})

describe('a page is kept', () => {
  it('when only the code of another kind of page changed', () => {
    expect(planPage(RECORDED, want('d', { code: { ...CODE, home: 'other' } }), false)).toEqual({
      action: 'keep',
    })
  })

  it('when none of its inputs changed', () => {
    expect(planPage(RECORDED, want(), false)).toEqual({ action: 'keep' })
  })

  it('absent, when it does not exist and should not', () => {
    for (const isFull of [false, true]) expect(planPage(null, null, isFull)).toEqual({ action: 'keep' })
  })
})

describe('a page is removed', () => {
  it('when it should not exist, sure or unsure', () => {
    for (const isUnsure of [false, true]) {
      for (const isFull of [false, true])
        expect(planPage({ ...RECORDED, isUnsure }, null, isFull)).toEqual({
          action: 'remove',
          reason: 'gone',
        })
    }
  })
})

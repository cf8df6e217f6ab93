import type { Generation, RecordedPage } from '../../../src/builder/state/record/record.ts'
import { describe, expect, it } from 'vitest'
import type { WantedPage } from '../../../src/builder/rebuild/plan-page.ts'
import { planPage } from '../../../src/builder/rebuild/plan-page.ts'

const GENERATION: Generation = { code: 'c', settings: 's', runtime: 'r' }
const RECORDED: RecordedPage = { generation: GENERATION, data: 'd', isUnsure: false }

function want(data = 'd', generation: Partial<Generation> = {}): WantedPage {
  return { generation: { ...GENERATION, ...generation }, difference: 'data', readData: () => data }
}

/** Its data must not be looked at: something else decides. */
function wantUnread(generation: Partial<Generation> = {}): WantedPage {
  const readData = (): string => {
    throw new Error('the data was read')
  }
  return { generation: { ...GENERATION, ...generation }, difference: 'data', readData }
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
    expect(planPage(RECORDED, wantUnread({ code: 'other' }), false)).toEqual(render('code'))
  })

  it('when a setting changed', () => {
    expect(planPage(RECORDED, wantUnread({ settings: 'other' }), false)).toEqual(render('settings'))
  })

  it('when the runtime changed', () => {
    expect(planPage(RECORDED, wantUnread({ runtime: 'other' }), false)).toEqual(render('runtime'))
  })

  it('when everything is asked for', () => {
    expect(planPage(RECORDED, wantUnread(), true)).toEqual(render('full'))
  })

  it('when its data changed', () => {
    expect(planPage(RECORDED, want('other'), false)).toEqual(render('data'))
  })

  it('for the first reason that applies', () => {
    const all = { code: 'x', settings: 'x', runtime: 'x' }
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
  it('when nothing that it is made from changed', () => {
    expect(planPage(RECORDED, want(), false)).toEqual({ action: 'keep' })
  })

  it('absent, when it neither is nor should be', () => {
    for (const isFull of [false, true]) expect(planPage(null, null, isFull)).toEqual({ action: 'keep' })
  })
})

describe('a page is removed', () => {
  it('when it is not to be, sure or unsure', () => {
    for (const isUnsure of [false, true]) {
      for (const isFull of [false, true])
        expect(planPage({ ...RECORDED, isUnsure }, null, isFull)).toEqual({
          action: 'remove',
          reason: 'gone',
        })
    }
  })
})

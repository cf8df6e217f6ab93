import type { Generation, RecordedPage } from '../../../../src/builder/state/record/record.ts'
import { expect, it } from 'vitest'
import type { WantedPage } from '../../../../src/builder/rebuild/plan/plan-page.ts'
import { planPage } from '../../../../src/builder/rebuild/plan/plan-page.ts'
import { CODE, GENERATION } from '../../../support/rebuild/recorded.ts'

const OTHER_CODE: Generation['code'] = { ...CODE, catalogue: 'other' }
const RECORDED: RecordedPage = { generation: GENERATION, data: 'd', digest: 'b', isUnsure: false }

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

const KEEP = { action: 'keep' }
const GONE = { action: 'remove', reason: 'gone' }
const render = (reason: string) => ({ action: 'render', reason })

const UNSURE: RecordedPage = { ...RECORDED, isUnsure: true }
const ALL = { code: OTHER_CODE, settings: 'x', runtime: 'x' }
const SITEMAP: WantedPage = { ...want('d', { code: OTHER_CODE, settings: 'x' }), kind: 'sitemap-bucket' }

it.each<[string, RecordedPage | null, WantedPage | null, boolean, object]>([
  ['rendered when it is new', null, wantUnread(), false, render('new')],
  ['rendered when its file is unsure', UNSURE, wantUnread(), false, render('unsure')],
  ['rendered when the code changed', RECORDED, wantUnread({ code: OTHER_CODE }), false, render('code')],
  ['rendered when a setting changed', RECORDED, wantUnread({ settings: 'x' }), false, render('settings')],
  ['rendered when the runtime changed', RECORDED, wantUnread({ runtime: 'x' }), false, render('runtime')],
  ['rendered when the run is full', RECORDED, wantUnread(), true, render('full')],
  ['rendered when its data changed', RECORDED, want('other'), false, render('data')],
  ['rendered for the first reason: new', null, want('other', ALL), true, render('new')],
  ['rendered for the first reason: unsure', UNSURE, want('other', ALL), true, render('unsure')],
  ['rendered for the first reason: code', RECORDED, want('other', ALL), true, render('code')],
  [
    'rendered for the first reason: settings',
    RECORDED,
    want('other', { ...ALL, code: CODE }),
    true,
    render('settings'),
  ],
  [
    'rendered for the first reason: runtime',
    RECORDED,
    want('other', { runtime: 'x' }),
    true,
    render('runtime'),
  ],
  ['rendered for the first reason: full', RECORDED, want('other'), true, render('full')],
  ['kept with another code and settings, of the sitemap', RECORDED, SITEMAP, false, KEEP],
  [
    'rendered with another text, of the sitemap',
    RECORDED,
    { ...SITEMAP, readHash: () => 'x' },
    false,
    render('data'),
  ],
  [
    'kept when only the code of another kind of page changed',
    RECORDED,
    want('d', { code: { ...CODE, home: 'x' } }),
    false,
    KEEP,
  ],
  ['kept when none of its inputs changed', RECORDED, want(), false, KEEP],
  ['kept absent when it should not exist', null, null, false, KEEP],
  ['kept absent when it should not exist, in a full run', null, null, true, KEEP],
  ['removed when it should not exist', RECORDED, null, false, GONE],
  ['removed when it should not exist, in a full run', RECORDED, null, true, GONE],
  ['removed when it should not exist and is unsure', UNSURE, null, false, GONE],
])('a page is %s', (_, recorded, wanted, isFull, plan) => {
  expect(planPage(recorded, wanted, isFull)).toEqual(plan)
})

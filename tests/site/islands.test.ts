/** Islands share no state while pages are rendered. */
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FilterBar } from '../../src/site/islands/catalogue/FilterBar.tsx'
import { $shown } from '../../src/site/stores/shown-view.ts'

test('the filters set no store while rendering, so that pages share no state', () => {
  renderToString(createElement(FilterBar))
  expect($shown.get()).toBe(null)
})

import { afterEach, expect, test } from 'vitest'
import { EVERYTHING } from '../../../src/domain/catalogue/view.ts'
import { $view, chooseView } from '../../../src/site/stores/visitor-view.ts'

afterEach(() => $view.set(EVERYTHING))

test('a choice keeps the rest of the view', () => {
  chooseView({ query: 'bleu' })
  chooseView({ filter: 'disponible' })
  expect($view.get()).toEqual({ ...EVERYTHING, filter: 'disponible', query: 'bleu' })
})

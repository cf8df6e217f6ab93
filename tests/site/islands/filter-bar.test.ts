import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FilterBar } from '../../../src/site/islands/catalogue/FilterBar.tsx'
import { $shown } from '../../../src/site/stores/shown-view.ts'

test('offers the three filters as buttons, the first one pressed', () => {
  const buttons = renderToString(createElement(FilterBar)).match(/<button.*?<\/button>/g)
  expect(buttons).toEqual([
    '<button value="todos" aria-pressed="true">Todos <small aria-hidden="true"></small></button>',
    '<button value="disponible" aria-pressed="false">Disponible <small aria-hidden="true"></small></button>',
    '<button value="no-disponible" aria-pressed="false">No Disponible <small aria-hidden="true"></small></button>',
  ])
})

test('offers order and decants as selects with their first option selected', () => {
  const selects = renderToString(createElement(FilterBar)).match(/<select.*?<\/select>/g)
  expect(selects).toEqual([
    '<select name="orden" aria-label="Ordenar">' +
      '<option value="nombre" selected="">Por nombre</option>' +
      '<option value="precio-menor">Menor precio</option>' +
      '<option value="precio-mayor">Mayor precio</option></select>',
    '<select name="decants" aria-label="Decants">' +
      '<option value="todos" selected="">Decants: todos</option>' +
      '<option value="5ml">Decants: 5ML</option>' +
      '<option value="10ml">Decants: 10ML</option></select>',
  ])
})

test('sets no store while rendering, so that pages share no state', () => {
  renderToString(createElement(FilterBar))
  expect($shown.get()).toBe(null)
})

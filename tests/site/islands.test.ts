/**
 * Islands share no state while pages are rendered, and hydrate at a tap, in a browser that knows only lists of simple
 * selectors in `:not()`, such as Chrome 87.
 */
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { FilterBar } from '../../src/site/islands/catalogue/FilterBar.tsx'
import hydrateOnInteraction from '../../src/site/islands/interaction-directive.ts'
import { $shown } from '../../src/site/stores/shown-view.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** An element that is matched by tag and class, and by those of an element around it. */
class FakeElement {
  readonly names: readonly string[]
  readonly parent: FakeElement | null
  constructor(names: string, parent: FakeElement | null = null) {
    this.names = names.split(' ')
    this.parent = parent
  }
  closest(selector: string): FakeElement | null {
    for (const [, inner = ''] of selector.matchAll(/:not\(([^)]*)\)/g))
      if (!/^[.\w-]+$/.test(inner)) throw new DOMException(`'${selector}' is not valid`, 'SyntaxError')
    const isMatch = selector.split(', ').some((one) => this.matches(one.split(' ')))
    return isMatch ? this : (this.parent?.closest(selector) ?? null)
  }
  private matches(parts: readonly string[]): boolean {
    const [, name = '', not = ''] = /^([.\w-]+)(?::not\((.*)\))?$/.exec(parts.at(-1) ?? '') ?? []
    const isOwn = this.names.includes(name) && !this.names.includes(not)
    return (
      isOwn && (parts.length === 1 || (this.parent?.closest(parts.slice(0, -1).join(' ')) ?? null) !== null)
    )
  }
}

async function isHydratedBy(target: FakeElement): Promise<boolean> {
  const listeners = new Map<string, (event: { target: unknown }) => Promise<void>>()
  vi.stubGlobal('Element', FakeElement)
  vi.stubGlobal('document', { querySelectorAll: () => [] })
  vi.stubGlobal('addEventListener', (sign: string, listener: never) => listeners.set(sign, listener))
  const hydrate = vi.fn<() => Promise<void>>(async () => {})
  hydrateOnInteraction(async () => hydrate)
  await listeners.get('click')?.({ target })
  return hydrate.mock.calls.length > 0
}

const MAIN = new FakeElement('main')
const HEADER = new FakeElement('header')

test('controls of the catalogue hydrate an island', async () => {
  const share = new FakeElement('button .share', new FakeElement('li .card', MAIN))
  const controls = [share, new FakeElement('svg', share), new FakeElement('button', HEADER)]
  for (const control of [...controls, new FakeElement('input', HEADER), new FakeElement('select', HEADER)])
    expect(await isHydratedBy(control)).toBe(true)
})

test('controls of the order, and what is no control, hydrate none', async () => {
  const sheet = new FakeElement('dialog .sheet', new FakeElement('body'))
  for (const other of [
    new FakeElement('button .add', MAIN),
    new FakeElement('button .remove', sheet),
    new FakeElement('p', MAIN),
  ])
    expect(await isHydratedBy(other)).toBe(false)
})

test('the filters set no store while rendering, so that pages share no state', () => {
  renderToString(createElement(FilterBar))
  expect($shown.get()).toBe(null)
})

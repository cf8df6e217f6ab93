/** Plain components give the same markup with the two runtimes of compiled components. */
import * as astro from 'astro/compiler-runtime'
import { describe, expect, it } from 'vitest'
import type { PageText } from '../../../../src/builder/renderer/fast/page-pieces.ts'
import {
  CommonMarkup,
  keepCommon,
  renderInPieces,
} from '../../../../src/builder/renderer/fast/page-pieces.ts'
import * as eager from '../../../../src/builder/renderer/fast/eager-markup.ts'
import * as escaped from '../../../../src/builder/renderer/escaped-attributes.ts'

// The functions that a compiled component calls.
interface Runtime {
  render(parts: TemplateStringsArray, ...values: readonly unknown[]): unknown
  addAttribute(value: unknown, name: string): unknown
  renderComponent(...given: readonly unknown[]): unknown
  unescapeHTML(text: unknown): unknown
  readonly Fragment: unknown
}

const VALUES = [
  `<b>&'"ñ’`,
  '',
  0,
  1.5,
  null,
  undefined,
  false,
  true,
  ['<', 1, null],
  astro.unescapeHTML('<i>&amp;</i>'),
]
const MARK = 'a1b2'
const ATTRIBUTES = ['id', 'data-5ml', 'alt', 'hidden', 'style', 'class:list', 'disabled', 'no name']

/** Inside a component of Astro, whose machinery accepts the result of either runtime. */
async function renderWith(write: (runtime: Runtime) => unknown, runtime: Runtime): Promise<string> {
  let text = ''
  const destination = { write: (chunk: unknown) => void (text += String(chunk)) }
  await astro.render`<p>${write(runtime)}</p>`.render(destination as never)
  return text
}

async function renderBoth(write: (runtime: Runtime) => unknown): Promise<readonly [string, string]> {
  const [expected, found] = [escaped, eager] as unknown as readonly [Runtime, Runtime]
  return [await renderWith(write, expected), await renderWith(write, found)]
}

describe('eager markup', () => {
  it.each(VALUES.map((value) => [value]))('shows %j like Astro', async (value) => {
    const [expected, found] = await renderBoth(
      ({ render }) => render`<b>${value}</b>${[render`<i>${value}</i>`]}`,
    )
    expect(found).toBe(expected)
  })

  it.each(ATTRIBUTES)('writes the attribute %s like Astro', async (name) => {
    for (const value of VALUES.filter((one) => !Array.isArray(one))) {
      const [expected, found] = await renderBoth(
        ({ render, addAttribute }) => render`<b${addAttribute(value, name)}>`,
      )
      expect(found).toBe(expected)
    }
  })

  it('distinguishes attributes from text where an attribute has an angle bracket', async () => {
    const [expected, found] = await renderBoth(
      ({ render, addAttribute }) =>
        render`<b title="a > b"${addAttribute('"<', 'id')} lang="<"${addAttribute('x', 'alt')}>${'<i>'}</b>${'"&'}`,
    )
    expect(found).toBe(expected)
  })

  it('renders components of its own kind at once', () => {
    const inner = eager.createComponent(
      (context, props) => eager.render`<i>${context.createAstro(props).props['name']}</i>`,
    )
    const outer = eager.createComponent(
      (context) =>
        eager.render`<b>${eager.renderComponent(context, 'Inner', inner as never, { name: 'a & b' })}</b>`,
    )
    expect(String((outer as (...values: readonly unknown[]) => unknown)({}, {}, {}))).toBe(
      '<b><i>a &amp; b</i></b>',
    )
  })

  it('keeps a long text that it renders for Astro apart, in pieces', async () => {
    const long = 'a'.repeat(4_000)
    const list = eager.createComponent(
      () => eager.render`<ul>${[long, '’'].map((name) => eager.render`<li>${name}</li>`)}</ul>`,
    )
    const show = (): string => String((list as (...values: readonly unknown[]) => unknown)({}, {}, {}))
    const pages = await Promise.all(
      ['1', '2'].map((name) => renderInPieces(async () => `<h1>${name}</h1>${show()}<hr>${show()}`, MARK)),
    )
    const pieces = ['<ul>', `<li>${long}</li>`, '<li>’</li>', '</ul>']
    expect(pages).toEqual(['1', '2'].map((name) => [`<h1>${name}</h1>`, ...pieces, '<hr>', ...pieces, '']))
    await expect(renderInPieces(() => Promise.reject(new Error('no data')), MARK)).rejects.toThrow('no data')
    expect(show()).toBe(pieces.join(''))
  })

  it('keeps a text apart that pages have in common, as bytes', async () => {
    expect(keepCommon('<b>ñ</b>')).toBe('<b>ñ</b>')
    const render = (): Promise<PageText> =>
      renderInPieces(async () => `<h1>${keepCommon('<b>ñ</b>')}</h1>`, MARK)
    const [one, other] = [await render(), await render()]
    expect(one).toEqual(['<h1>', new TextEncoder().encode('<b>ñ</b>'), '</h1>'])
    expect(other[1]).toBe(one[1])
  })

  it('shows an inline script like Astro, and keeps it apart in a page of pieces', async () => {
    const script = new CommonMarkup("if (1 < 2) alert('ñ')")
    const write = ({ render, unescapeHTML }: Runtime): unknown =>
      render`<script>${unescapeHTML(script)}</script>`
    const [expected, found] = await renderBoth(write)
    expect(found).toBe(expected)
    expect(found).toBe("<p><script>if (1 < 2) alert('ñ')</script></p>")
    const bytes = new TextEncoder().encode(String(script))
    for (const runtime of [escaped, eager] as unknown as readonly Runtime[]) {
      const page = await renderInPieces(() => renderWith(write, runtime), MARK)
      expect(page).toEqual(['<p><script>', bytes, '</script></p>'])
    }
  })

  it('shows the parent of several elements like Astro', async () => {
    const [expected, found] = await renderBoth(({ render, renderComponent, Fragment }) =>
      renderComponent({}, 'Fragment', Fragment, {}, { default: () => render`<b>1</b>${'<'}` }),
    )
    expect(found).toBe(expected)
  })

  it('takes no text for its own mark', async () => {
    const long = 'a'.repeat(4_000)
    const list = eager.createComponent(() => eager.render`<ul>${[long].map((name) => name)}</ul>`)
    const show = (): string => String((list as (...values: readonly unknown[]) => unknown)({}, {}, {}))
    for (const text of ['<!--apart:0-->', '<!--apart:99-->', `<!--${MARK}:1-->`, `<!--${MARK}:x-->`]) {
      const page = await renderInPieces(async () => `<h1>${text}</h1>${show()}`, MARK)
      expect(page.join('')).toBe(`<h1>${text}</h1><ul>${long}</ul>`)
    }
  })

  it.each(ATTRIBUTES)('leaves no angle bracket of a text in the attribute %s', async (name) => {
    for (const write of [escaped, eager] as unknown as readonly Runtime[]) {
      const text = await renderWith(
        ({ render, addAttribute }) => render`<b${addAttribute('<!--apart:0-->&"', name)}>`,
        write,
      )
      expect(text.replace(/^<p><b|><\/p>$/g, '')).not.toMatch(/[<>]/)
    }
  })

  it('refuses what it cannot show at once', () => {
    expect(() => eager.render`<b>${Promise.resolve('a')}</b>`).toThrow(
      'text, numbers and plain components only',
    )
  })
})

/** Plain components give the same markup with Astro's runtime and with the eager one. */
import * as astro from 'astro/compiler-runtime'
import { describe, expect, it } from 'vitest'
import { renderInPieces } from '../../../src/builder/renderer/page-pieces.ts'
import * as eager from '../../../src/builder/renderer/eager-markup.ts'

// What a compiled component calls.
interface Runtime {
  render(parts: TemplateStringsArray, ...values: readonly unknown[]): unknown
  addAttribute(value: unknown, name: string): unknown
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
const ATTRIBUTES = ['id', 'data-5ml', 'alt', 'hidden', 'style', 'class:list', 'disabled', 'no name']

/** Inside a component of Astro, whose machinery accepts the result of either runtime. */
async function renderWith(write: (runtime: Runtime) => unknown, runtime: Runtime): Promise<string> {
  let text = ''
  const destination = { write: (chunk: unknown) => void (text += String(chunk)) }
  await astro.render`<p>${write(runtime)}</p>`.render(destination as never)
  return text
}

async function renderBoth(write: (runtime: Runtime) => unknown): Promise<readonly [string, string]> {
  const [expected, found] = [astro, eager] as unknown as readonly [Runtime, Runtime]
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

  it('tells attributes from text where an attribute has an angle bracket', async () => {
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

  it('keeps what it renders for Astro apart, in pieces', async () => {
    const list = eager.createComponent(
      () => eager.render`<ul>${['a', '’'].map((name) => eager.render`<li>${name}</li>`)}</ul>`,
    )
    const show = (): string => String((list as (...values: readonly unknown[]) => unknown)({}, {}, {}))
    const pages = await Promise.all(
      ['1', '2'].map((name) => renderInPieces(async () => `<h1>${name}</h1>${show()}<hr>${show()}`)),
    )
    const pieces = ['<ul>', '<li>a</li>', '<li>’</li>', '</ul>']
    expect(pages).toEqual(['1', '2'].map((name) => [`<h1>${name}</h1>`, ...pieces, '<hr>', ...pieces, '']))
    await expect(renderInPieces(() => Promise.reject(new Error('no data')))).rejects.toThrow('no data')
    await expect(renderInPieces(async () => `${show()}<!--apart:1-->`)).rejects.toThrow('number 1')
    expect(show()).toBe(pieces.join(''))
  })

  it('refuses what it cannot show at once', () => {
    expect(() => eager.render`<b>${Promise.resolve('a')}</b>`).toThrow(
      'text, numbers and plain components only',
    )
  })
})

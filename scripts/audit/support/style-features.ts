/** Finds features that a style sheet uses and that the oldest supported browsers lack. */
import type { CssNode } from 'css-tree'
import { parse, walk } from 'css-tree'
import type { BrowserData } from './browser-data.ts'

const UNITS = ['css', 'types', 'length'] as const
const NEW_UNITS: Readonly<Record<string, string>> = {
  d: 'viewport_percentage_units_dynamic',
  s: 'viewport_percentage_units_small',
  l: 'viewport_percentage_units_large',
}

/** Returns a name for each feature of the style sheet that one of the browsers lacks. */
export function findNewInStyle(style: string, data: BrowserData): ReadonlySet<string> {
  const found = new Set<string>()
  let property = ''
  const check = (name: string, ...path: readonly string[]): void => {
    if (data.lacks('css', ...path)) found.add(name)
  }
  walk(parse(style), {
    enter: (node: CssNode) => {
      if (node.type === 'Declaration') {
        property = node.property
        check(property, 'properties', property)
      } else if (node.type === 'Identifier' && property !== '')
        check(`${property}: ${node.name}`, 'properties', property, node.name)
      else if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
        checkSelector(node, check)
      else if (node.type === 'Atrule') check(`@${node.name}`, 'at-rules', node.name)
      else if (node.type === 'Feature')
        check(node.name, 'at-rules', 'media', node.name.replace(/^(min|max)-/, ''))
      else if (node.type === 'FeatureRange') check('media range', 'at-rules', 'media', 'range_syntax')
      else if (node.type === 'Function') check(`${node.name}()`, 'types', node.name)
      else if (node.type === 'Dimension') {
        const kind = /^([dsl])v[hwbi]|^([dsl])vm(in|ax)/.exec(node.unit)
        const name = NEW_UNITS[kind?.[1] ?? kind?.[2] ?? '']
        if (name !== undefined && data.lacks(...UNITS, name)) found.add(node.unit)
      }
    },
    leave: (node: CssNode) => {
      if (node.type === 'Declaration') property = ''
    },
  })
  return found
}

function checkSelector(
  node: Extract<CssNode, { type: 'PseudoClassSelector' | 'PseudoElementSelector' }>,
  check: (name: string, ...path: readonly string[]) => void,
): void {
  check(`:${node.name}`, 'selectors', node.name)
  const [list] = node.children ?? []
  const isList = list?.type === 'SelectorList' && list.children.size > 1
  if (node.name === 'not' && isList)
    check(':not() with a list of selectors', 'selectors', 'not', 'selector_list')
}

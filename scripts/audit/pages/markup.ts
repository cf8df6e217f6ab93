/** Checks a page's basic markup, and that it has no attribute that the content security policy refuses. */
import type { PageCheck } from './built-page.ts'
import { findAll, findNamed, readPageText } from './built-page.ts'

export const checkMarkup: PageCheck = ({ html, tree }) => [
  ...(/^<!doctype html>/i.test(html) ? [] : ['does not begin with its doctype']),
  ...(findNamed(tree, 'html')[0]?.attribs['lang'] ? [] : ['has no language']),
  ...(readPageText(findNamed(tree, 'title')[0]) === '' ? ['has no title'] : []),
  ...checkHeading(findNamed(tree, 'h1').length),
]

/** Finds problems that otherwise only the Nu HTML checker finds. Source: https://validator.github.io/validator/ */
export const checkPlaces: PageCheck = ({ tree }) => [
  ...findNamed(tree, 'time')
    .filter(({ attribs }) => !attribs['datetime'])
    .map(() => 'has a time element without the attribute datetime'),
  ...findNamed(tree, 'body')
    .flatMap((body) => findNamed(body, 'style'))
    .map(() => 'has a style element in its body'),
]

export const checkIds: PageCheck = ({ tree }) => {
  const known = new Set<string>()
  const twice = new Set<string>()
  for (const { attribs } of findAll(tree)) {
    const id = attribs['id']
    if (id !== undefined && known.has(id)) twice.add(id)
    else if (id !== undefined) known.add(id)
  }
  return [...twice].map((id) => `has the id ${id} more than once`)
}

export const checkImages: PageCheck = ({ tree }) =>
  findNamed(tree, 'img').flatMap(({ attribs }) =>
    ['alt', 'width', 'height']
      .filter((name) => !(name in attribs))
      .map((name) => `shows ${attribs['src']} without ${name}`),
  )

export const checkAttributes: PageCheck = ({ tree }) =>
  findAll(tree).flatMap(({ name, attribs }) =>
    Object.keys(attribs)
      .filter((key) => key === 'style' || key.startsWith('on'))
      .map((key) => `has a ${name} with the attribute ${key}, which the Content-Security-Policy refuses`),
  )

function checkHeading(count: number): readonly string[] {
  return count === 1 ? [] : [`has ${count} headings of the first level`]
}

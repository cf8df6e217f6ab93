/** The check of comments, on small files with one comment each. */
import { describe, expect, it } from 'vitest'
import { checkWords } from '../../../../scripts/audit/code/check-words.ts'
import { useTemporaryFolder, writeTree } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

function checkFile(file: string, text: string): readonly string[] {
  writeTree(path(), { [file]: text })
  return checkWords(path())
}

describe('the check of words', () => {
  it.each([
    'Of the world at the start.',
    'That of the seller.',
    'The same for objects.',
    'What a caller sees.',
    'Where the file is.',
    'Those that failed.',
    'Who asked.',
    'Whose pages wait.',
    'Reads a file. Whoever reads it, waits.',
    'The call tells the time.',
    'Nobody reads it.',
    'Keeps the page of before.',
    'The row stands for ever, and stood there.',
    'Removes it with leave.',
    'Rows that are gone with a lease.',
    'A connection is dear.',
  ])('finds "%s"', (sentence) => {
    expect(checkFile('src/a.ts', `/** ${sentence} */\nexport const a = 1\n`)).toEqual([
      expect.stringMatching(/^src\/a\.ts:1: ".*" Write /),
    ])
  })

  it('accepts a stand-in, what stands for another word, and words in the middle of a sentence', () => {
    const text = 'A stand-in whose name stands for what it replaces, and where. Leaves the file.'
    expect(checkFile('src/a.ts', `// ${text}\n`)).toEqual([])
  })

  it('reads line comments that follow each other as one', () => {
    expect(checkFile('src/a.ts', '// The page is the one\n// of before.\n')).toHaveLength(1)
    expect(checkFile('src/a.ts', '// The page is one\n// Of two.\nconst a = 1 // Of three.\n')).toEqual([
      expect.stringContaining('src/a.ts:3: "Of three."'),
    ])
  })

  it('reads no strings, templates, patterns and text of pages', () => {
    const code = [
      "export const a = '// Of one.'",
      'export const b = `${a} /* Of two. */`',
      'export const c = /[/]\\/ Of three./',
      'export const d = <p>// Of four.</p>',
    ]
    expect(checkFile('src/a.tsx', code.join('\n'))).toEqual([])
  })

  it.each([
    ['the code of a page', '---\n// Of one.\nconst a = 1\n---\n<p>a</p>\n'],
    ['markup', '<p>a</p>\n<!-- Of one. -->\n'],
    ['an expression', '<p>{/* Of one. */}</p>\n'],
    ['a style', '<style>\n  /* Of one. */\n</style>\n'],
  ])('reads the comments of an Astro file in %s', (_, text) => {
    expect(checkFile('src/a.astro', text)).toHaveLength(1)
  })
})

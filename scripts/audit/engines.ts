/** Plays visitor stories in Chromium, Firefox and WebKit. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { UsageError } from '../../src/builder/files/usage-error.ts'
import { readMessage } from '../../src/domain/documents/errors.ts'
import { openChromium, openFirefox } from './engines/puppeteer.ts'
import { STORY_SELLERS, VISITOR_STORIES } from './engines/stories.ts'
import { openWebKit } from './engines/webkit.ts'
import { openTemporarySite } from './temporary-site.ts'
import { openUnsteadySite } from './unsteady-site.ts'
import { writeSellers } from './write-sellers.ts'

const ENGINES = { chromium: openChromium, firefox: openFirefox, webkit: openWebKit } as const
type EngineName = keyof typeof ENGINES

const NAMES = Object.keys(ENGINES) as readonly EngineName[]

export const command: CommandDefinition<{ readonly engines: readonly EngineName[] }> = {
  configure: (parser) =>
    void parser.argument('[engines...]', `engines to test: ${NAMES.join(', ')}; default: all`),
  parse: ({ words }) => ({ engines: words.length === 0 ? NAMES : words.map(parseEngine) }),
  run: async ({ engines }, { print, warn, progress }) => {
    progress.update('Building the pages')
    const built = await openTemporarySite((folder) => writeSellers(folder, STORY_SELLERS))
    const site = await openUnsteadySite(built.origin)
    let failed = 0
    try {
      for (const name of engines) {
        const engine = await ENGINES[name](progress.update)
        try {
          for (const [title, play] of Object.entries(VISITOR_STORIES)) {
            progress.update(`${name}: ${title}`)
            site.reset()
            const tab = await engine.openTab()
            const failure = await play(tab, site).then(() => null, readMessage)
            await tab.close()
            if (failure === null) print(`✓ ${name}: ${title}`)
            else warn(`✗ ${name}: ${title}: ${failure}`)
            failed += Number(failure !== null)
          }
        } finally {
          await engine.close()
        }
      }
    } finally {
      site.close()
      await built.close()
    }
    const played = engines.length * Object.keys(VISITOR_STORIES).length
    progress.done('')
    print(`${played - failed} of ${played} stories passed: ${engines.join(', ')}.`)
    return { exit: failed === 0 ? EXIT.done : EXIT.attention }
  },
}

function parseEngine(word: string): EngineName {
  const name = NAMES.find((known) => known === word)
  if (name === undefined) throw new UsageError(`${word} is not an engine. Name one of ${NAMES.join(', ')}.`)
  return name
}

/** Plays visitor stories in Chromium, Firefox, WebKit, and a Chromium without the features that old phones lack. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { UsageError } from '../../src/builder/files/usage-error.ts'
import type { Engine, Scheme } from './engines/engine.ts'
import { openChromium, openFirefox, openOldChromium } from './engines/puppeteer.ts'
import type { VisitorStory } from './engines/stories.ts'
import { VISITOR_STORIES } from './engines/stories.ts'
import { openWebKit } from './engines/webkit.ts'
import { openTemporarySite } from './temporary-site.ts'
import type { UnsteadySite } from './unsteady-site.ts'
import { openUnsteadySite } from './unsteady-site.ts'
import type { WrittenSeller } from './write-sellers.ts'
import { repeatSample, writeSellers } from './write-sellers.ts'
import { readMessage } from '../../src/domain/documents/errors.ts'

const ENGINES = {
  chromium: openChromium,
  old: openOldChromium,
  firefox: openFirefox,
  webkit: openWebKit,
} as const
const SCHEMES: readonly Scheme[] = ['light', 'dark']
type EngineName = keyof typeof ENGINES

const PROFILE = { fName: 'محمد', lName: 'Peña', whatsapp: '809-555-0100' }
const ARABIC = { name: 'عطر العود الملكي 100 مل', price: 3500, available: true }

/** The sellers whose catalogues the stories visit. */
const SELLERS: readonly WrittenSeller[] = [
  { id: 'treinta', profile: PROFILE, products: repeatSample(30) },
  { id: 'largo', profile: PROFILE, products: repeatSample(2000) },
  { id: 'arabe', profile: { ...PROFILE, lName: 'العطار' }, products: [ARABIC] },
]

interface EnginesOptions {
  readonly engines: readonly EngineName[]
}

const NAMES = Object.keys(ENGINES) as readonly EngineName[]

export const command: CommandDefinition<EnginesOptions> = {
  configure: (parser) =>
    parser
      .argument('[engines...]', `engines to test: ${NAMES.join(', ')}; default: all`)
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ words }) => ({ engines: words.length === 0 ? NAMES : words.map(parseEngine) }),
  run: async ({ engines }, { print, warn, progress }) => {
    progress.update('Building the pages')
    const built = await openTemporarySite((folder) => writeSellers(folder, SELLERS))
    const site = await openUnsteadySite(built.origin)
    const failures: string[] = []
    let played = 0
    try {
      for (const name of engines)
        for (const scheme of SCHEMES) {
          const engine = await ENGINES[name](progress.update, scheme)
          try {
            for (const story of VISITOR_STORIES.filter((one) => (one.scheme ?? 'light') === scheme)) {
              progress.update(`${engine.name}: ${story.name}`)
              const failure = await playStory(story, engine, site)
              played += 1
              if (failure === null) print(`✓ ${engine.name}: ${story.name}`)
              else failures.push(`✗ ${engine.name}: ${story.name}: ${failure}`)
            }
          } finally {
            await engine.close()
          }
        }
    } finally {
      site.close()
      await built.close()
    }
    progress.done('')
    for (const failure of failures) warn(failure)
    const passed = played - failures.length
    print(`${passed} of ${played} stories passed: ${engines.join(', ')}.`)
    return { exit: failures.length === 0 ? EXIT.done : EXIT.attention }
  },
}

/** Returns why the story failed; `null` if it passed. */
async function playStory({ play }: VisitorStory, engine: Engine, site: UnsteadySite): Promise<string | null> {
  site.reset()
  const tab = await engine.openTab()
  try {
    await play(tab, site)
    return null
  } catch (error) {
    return readMessage(error)
  } finally {
    await tab.close()
  }
}

function parseEngine(word: string): EngineName {
  const name = NAMES.find((known) => known === word)
  if (name === undefined) throw new UsageError(`${word} is not an engine. Name one of ${NAMES.join(', ')}.`)
  return name
}

/**
 * Plays a story in two sites, one with a hostile seller and one without, and compares the files, feeds and search
 * results of the other sellers.
 */
import { join } from 'node:path'
import { EXIT, findExitCode } from '../../../src/builder/commands/exit-codes.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import { changeDocuments } from '../equivalence/change-documents.ts'
import { Difference, explainDifference, fail } from '../difference.ts'
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory } from '../find-failing-story.ts'
import type { Documents } from '../site/documents.ts'
import { createFirstInputs } from '../equivalence/model.ts'
import type { Stage } from '../site/stage.ts'
import { readSite } from '../site/site-files.ts'
import { attack, findId, withoutSeller } from './attack.ts'
import { compareFeeds, compareFiles, compareSearch } from './compare-sites.ts'
import type { ProvenSite, PublishedFiles, SellerPublish } from './fed-site.ts'
import { openFedSite } from './fed-site.ts'
import { createHonestDocuments } from './made-documents.ts'
import { planDeploy } from './open-state.ts'
import type { SellerStep, SellerStory } from './stories.ts'
import { createSellerStories } from './stories.ts'

/** A deploy requires the address of the site. */
const SHOP = { SITE_URL: 'https://vitrina.example' }

/**
 * `large`: on average, one of `large` stories has a hostile seller with more products than the default limit permits.
 */
interface HarmOptions extends StoryOptions {
  readonly large: number
}

/** Plays random stories until a check fails. Returns that story; `null` if all stories pass. */
export function findHarm(stage: Stage, { large, ...options }: HarmOptions): Promise<string | null> {
  const play = (story: SellerStory, tell: (line: string) => void): Promise<void> =>
    playSeller(story, stage, tell)
  return findFailingStory(createSellerStories(large), play, options)
}

/** Throws a `Difference` at the first step after which a check fails. */
async function playSeller(story: SellerStory, stage: Stage, tell: (line: string) => void): Promise<void> {
  const { source: kind, photos, productPages, most, id } = story
  const her = findId(id)
  const first = createFirstInputs(stage, photos)
  const settings = { ...first.settings, ...SHOP, PRODUCT_PAGES: productPages, MAX_PRODUCTS: String(most) }
  const inputs = { ...first, settings }
  const open = (name: string): ProvenSite => openFedSite(join(stage.folder, name), kind, inputs)
  const sites = { withHer: open('with'), without: open('without') }
  tell(`begin: ${her} in ${kind}, ${JSON.stringify({ photos, productPages, most })}`)
  let documents = createHonestDocuments()
  for (const [number, step] of story.steps.entries()) {
    tell(`${number + 1}. ${JSON.stringify(step)}`)
    const edited = edit(withoutSeller(documents, her, kind), documents, step)
    documents = step.attacks.reduce((all, how) => attack(all, how, { her, kind }), edited)
    await explainDifference(`after step ${number + 1}`, () =>
      playStep({ ...sites, her, most }, step, [documents, withoutSeller(documents, her, kind)]),
    )
    if (step.isVerify)
      await explainDifference(`deploy after step ${number + 1}`, () =>
        planDeploy({ place: sites.withHer.place, inputs }),
      )
  }
}

/** Applies the edits of the step to the documents of honest sellers. Returns `all` with the edited documents. */
function edit(honest: Documents, all: Documents, { edits }: SellerStep): Documents {
  const edited = edits.reduce((documents, change) => changeDocuments(documents, change, []).documents, honest)
  return new Map([...all, ...edited])
}

interface Sites {
  readonly withHer: ProvenSite
  readonly without: ProvenSite
  readonly her: string
  readonly most: number
}

async function playStep(
  { withHer, without, her, most }: Sites,
  { style, isVerify, isFailing, isRefused }: SellerStep,
  [all, honest]: readonly [Documents, Documents],
): Promise<void> {
  const args = isVerify ? ['--verify'] : []
  const attacked = await publishAll(withHer, {
    documents: all,
    style,
    args,
    ...(isFailing && { wrap: createFailing(her) }),
    isRefused: (seller) => isRefused && seller === her,
  })
  const expected = await without.publish({ documents: honest, style, args: [...args, '--allow-shrink'] })
  checkBlame(attacked, her)
  const files = readSite(withHer.place.output)
  const cards =
    files
      .get(`catalogo/${her}.html`)
      ?.toString()
      .match(/<li class="card"/g)?.length ?? 0
  if (cards > most)
    fail([`${cards} products of the hostile seller are shown, but at most ${most} are permitted`])
  compareFiles(files, readSite(without.place.output), her)
  compareFeeds(attacked, expected, her)
  await compareSearch(withHer.index, without.index, her)
}

/**
 * Publishes the site with the hostile seller. Turns any error into a `Difference`, because an error would stop the
 * publish for the honest sellers too.
 */
async function publishAll(site: ProvenSite, publish: SellerPublish): Promise<PublishedFiles> {
  try {
    return await site.publish(publish)
  } catch (error) {
    if (error instanceof Difference) throw error
    throw new Difference(
      `the publish ended with exit code ${findExitCode(error as Error)}: ${String(error)}`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Checks that all failures and held removals are the hostile seller's, that the run reports each failure, and that the
 * exit code fits.
 */
function checkBlame({ result: { exit, outcome, words } }: PublishedFiles, her: string): void {
  const wrong = [...outcome.failures, ...outcome.held]
  fail(
    wrong
      .filter(({ seller }) => seller !== her)
      .map((one) => `${JSON.stringify(one)} failed or was held back, but is not the hostile seller's`),
  )
  fail(
    outcome.failures.flatMap(({ path }) =>
      words.includes(path) ? [] : [`${path} failed, but the run does not report it`],
    ),
  )
  const expected = wrong.length === 0 ? EXIT.done : EXIT.pageFailed
  if (exit !== expected) fail([`the rebuild ended with exit code ${exit} instead of ${expected}: ${words}`])
}

/**
 * Returns a function that wraps renderers so that the first rendered page of the seller `her` fails, also at each
 * retry.
 */
function createFailing(her: string): (renderer: Renderer) => Renderer {
  let failed: unknown = null
  return (renderer) => ({
    render: async (page) => {
      const seller =
        page.kind === 'catalogue' ? page.catalogue.seller : page.kind === 'product' ? page.seller.id : null
      if (seller === her) failed ??= page
      if (failed === page) throw new Error('the page cannot be rendered')
      return renderer.render(page)
    },
  })
}

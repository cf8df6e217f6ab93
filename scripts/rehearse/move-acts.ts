/** Moves a site from objects to files and back, as the docs say, and checks that no page is missing in the meantime. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scene } from './acts.ts'
import {
  changePrice,
  requireThat,
  demandGreen,
  demandSameLive,
  follow,
  showsPrice,
  waitForRest,
  waitForShownPrice,
  writeSettings,
} from './acts.ts'
import { REHEARSED_SELLERS } from './documents.ts'
import { demandAllPages, listSitemap } from './objects-path.ts'
import { readMove } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'

/** Pause between two rounds of visits, in milliseconds. */
const LOOK = 100

export const MOVES: Scene = [
  { title: 'a move back to files: no page is missing at any time', run: moveToFiles },
  { title: 'a move to objects: no page is missing at any time', run: moveToObjects },
]

async function moveToFiles(around: Surroundings): Promise<readonly string[]> {
  for (const line of readMove(null)) await follow(around, line)
  setHosting(around, 'assets')
  const missed = await watchPages(around, async () => {
    for (const line of readMove('Back to files')) await follow(around, line)
  })
  requireThat(!bindsBucket(around), 'the live version still has a binding to a bucket')
  requireThat(await showsPrice(around), 'a visitor does not see the earlier price')
  await demandSameLive(around)
  // Waits for the build that starts when the setup ends its hold. That build makes the state on this machine outdated;
  // the next act begins by updating it.
  await waitForRest(around)
  return missed
}

async function moveToObjects(around: Surroundings): Promise<readonly string[]> {
  const [setUp = '', ...rest] = readMove('To objects')
  requireThat(
    setUp.includes('--setup') && rest.length > 0,
    'the docs no longer begin "To objects" with --setup and further commands: update moveToObjects in scripts/rehearse/move-acts.ts',
  )
  for (const line of readMove(null)) await follow(around, line)
  setHosting(around, 'objects')
  await follow(around, 'npm run rebuild', 2)
  requireThat(
    existsSync(join(around.checkout, 'dist/catalogo/ana.html')),
    'a rebuild that was refused removed pages of sellers from dist',
  )
  const missed = await watchPages(around, async () => {
    await follow(around, setUp)
    // Waits for the build that starts when the setup ends its hold, because that build makes the state on this machine
    // outdated. The commands of `readMove(null)` then update this state.
    await waitForRest(around)
    for (const line of [...readMove(null), ...rest]) await follow(around, line)
  })
  requireThat(bindsBucket(around), 'the live version has no binding to a bucket')
  requireThat(
    !existsSync(join(around.checkout, 'dist/catalogo/ana.html')),
    'dist still contains pages of sellers',
  )
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees a changed price')
  await demandGreen(around)
  await demandAllPages(around)
  return missed
}

function setHosting(around: Surroundings, hosting: string): void {
  writeSettings(around, { HOSTING: hosting })
  around.repository.variables['HOSTING'] = hosting
}

function bindsBucket({ cloudflare }: Surroundings): boolean {
  return cloudflare.live?.code?.bindings.some(({ type }) => type === 'r2_bucket') === true
}

/**
 * Visits pages and sitemaps repeatedly while `work` runs. Then throws if any answer had a status other than 200; the
 * error lists these answers.
 */
export async function watchPages(
  around: Surroundings,
  work: () => Promise<void>,
): Promise<readonly string[]> {
  const paths = ['/', ...REHEARSED_SELLERS.map((seller) => `/catalogo/${seller}`), '/catalogo/ana/ana-1']
  const missed = new Set<string>()
  let looks = 0
  const over = new AbortController()
  const look = async (): Promise<void> => {
    for (const path of paths) {
      const { status } = await around.visit(path)
      if (status !== 200) missed.add(`${path} answered with status ${status}`)
    }
    await listSitemap(around)
  }
  const watching = (async () => {
    for (; !over.signal.aborted; looks += 1) {
      await look().catch((error: unknown) => missed.add(String(error)))
      await wait(LOOK)
    }
  })()
  try {
    await work()
  } finally {
    over.abort()
    await watching
  }
  requireThat(missed.size === 0, [...missed].join('\n'))
  return [`no page was missing in ${looks} rounds of visits`]
}

/** What Mozilla's HTTP Observatory makes of an answer: its own tests on what the edge served, as if over https. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface PageScore {
  readonly path: string
  readonly score: number
  /** What it says of the tests that cost points. */
  readonly lost: readonly string[]
}

interface Result {
  readonly result: string
}

interface Constants {
  readonly ALL_TESTS: readonly ((requests: object) => Result)[]
}

interface Grader {
  getScoreModifier(result: string): number
}

interface Charts {
  /** Who scores less gets no points beyond 100. */
  readonly MINIMUM_SCORE_FOR_EXTRA_CREDIT: number
}

interface Types {
  readonly Requests: new (hostname: string) => object
}

/** The certificate and the way from http are Cloudflare's: taken as they are when both are switched on. */
const HOST = 'vitrina.example'
const FOREIGN = 'https://observatory.example'

/** `tool` is the folder of the package. */
export async function scorePages(
  tool: string,
  origin: string,
  paths: readonly string[],
): Promise<readonly PageScore[]> {
  // Its own installation asks the Internet for this list of hosts, in which no made-up one stands.
  writeFileSync(join(tool, 'conf/hsts-preload.json'), '{}')
  const load = (path: string) => import(pathToFileURL(join(tool, 'src', path)).href)
  const { ALL_TESTS }: Constants = await load('constants.js')
  const { getScoreModifier }: Grader = await load('grader/grader.js')
  const { MINIMUM_SCORE_FOR_EXTRA_CREDIT }: Charts = await load('grader/charts.js')
  const { Requests }: Types = await load('types.js')
  const scores: PageScore[] = []
  for (const path of paths) {
    const requests = Object.assign(new Requests(HOST), await readAnswers(origin, path))
    const results = ALL_TESTS.map((test) => test(requests)).map(({ result }) => ({
      result,
      points: getScoreModifier(result),
    }))
    const lost = results.filter(({ points }) => points < 0)
    const plain = lost.reduce((score, { points }) => score + points, 100)
    const extra = results.reduce((score, { points }) => score + Math.max(0, points), 0)
    const score = plain >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? plain + extra : plain
    scores.push({ path, score, lost: lost.map(({ result }) => result) })
  }
  return scores
}

async function readAnswers(origin: string, path: string): Promise<object> {
  const page = await fetch(origin + path)
  const text = await page.text()
  const asked = { origin: FOREIGN, 'access-control-request-method': 'GET' }
  const preflight = await fetch(origin + path, { method: 'OPTIONS', headers: asked })
  await preflight.body?.cancel()
  const [http, https] = ['http', 'https'].map((scheme) => new URL(`${scheme}://${HOST}${path}`))
  const answer = createAnswer(page)
  return {
    responses: {
      auto: answer,
      http: answer,
      https: answer,
      cors: createAnswer(preflight),
      httpRedirects: [
        { url: http, status: 301 },
        { url: https, status: page.status },
      ],
      httpsRedirects: [{ url: https, status: page.status }],
    },
    resources: { path: text },
    session: { url: https, jar: { serializeSync: () => ({ cookies: [] }) } },
  }
}

function createAnswer({ status, headers }: Response): object {
  return {
    status,
    headers: Object.fromEntries(headers),
    verified: true,
    request: { headers: { origin: FOREIGN } },
    config: { headers: {} },
    httpEquiv: new Map(),
  }
}

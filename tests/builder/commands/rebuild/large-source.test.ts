/** The rebuild command reads a large database in two threads. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { product, user } from '../../../support/rebuild/documents.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { edit, makeEmbedded } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()

/** Reports each part that another thread has read. On a single core no thread would start. */
const PRELOAD = [
  "process.on('worker',(worker)=>worker.on('message',(message)=>{if(message.counts)console.error('part')}))",
  "process.getBuiltinModule('os').availableParallelism=()=>2",
  "process.getBuiltinModule('module').syncBuiltinESMExports()",
].join(';')
const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --import data:text/javascript,${PRELOAD}`

/** In characters, of a field that no page shows. */
const LONG = 1_000_000

it('first, and again with --full', async () => {
  const products = Array.from({ length: 20 }, (_, index) =>
    product(`p${index}`, 'ana', { notes: 'x'.repeat(LONG) }),
  )
  await makeEmbedded(path('shop.sqlite'), [user('ana'), ...products])
  const place = {
    source: path('shop.sqlite'),
    output: path('dist'),
    state: path('state'),
    env: { NODE_OPTIONS },
  }
  const first = await runRebuild(place)
  edit(path('shop.sqlite'), "DELETE FROM documents WHERE id = 'p0'")
  const second = await runRebuild(place, '--full', '--verify')
  expect([first.report.reads, second.report.reads]).toEqual([21, 20])
  for (const { code, stderr } of [first, second]) {
    expect(code).toBe(0)
    expect(stderr.match(/^part$/gm)).toHaveLength(1)
  }
  expect(readdirSync(path('state')).filter((name) => name.includes('part'))).toEqual([])
})

/** Always a verdict, also with a photo host that sends invalid HTTP or closes the connection. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrashRun } from '../../../support/rebuild/faults/crash-run.ts'
import { readReport } from '../../../support/rebuild/faults/crash-run.ts'
import { useCrashSite } from '../../../support/rebuild/faults/crash-site.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import type { RawHost } from '../../pictures/raw-host.ts'
import { RAW_WAYS, startRawHost } from '../../pictures/raw-host.ts'

const { project, path, rebuild } = useCrashSite()

let host: RawHost
beforeAll(async () => {
  host = await startRawHost()
})
afterAll(() => host.close())

/** Tests of the module cover the other ways; only a process shows that it does not end early. */
const WAYS = ['/switches', '/hangs-up']

const run = (command: 'rebuild' | 'photos'): Promise<CrashRun> => {
  const env = { PHOTOS: 'files', PHOTO_HOSTS: host.origin }
  const photos = ['photos', '--state', path('state'), '--all', '--json']
  // A rebuild would not wait for the photo of a busy machine.
  const preload = join(ROOT, 'tests/support/rebuild/faults/patient.ts')
  return rebuild({ env, preload, ...(command === 'photos' && { project, args: photos }) })
}

it.each(WAYS)('a photo host with %s stops neither rebuild nor photos', async (way) => {
  const photo = host.origin + way
  writeFolder(path('source'), [user('ana'), product('uno', 'ana', { photo })])
  for (const command of ['rebuild', 'photos', 'rebuild'] as const) {
    const { code, stdout, stderr } = await run(command)
    expect(code, stderr).toBe(0)
    expect(readReport({ stdout })).toMatchObject({ exit: 0 })
    expect(stderr).toMatch(
      command === 'photos' ? (RAW_WAYS[way]?.reason ?? /never/) : /original address|Nothing to do/,
    )
    expect(readFileSync(path('dist/catalogo/ana.html'), 'utf8')).toContain(`src="${photo}"`)
  }
})

/** Verification of a site before a publish. Unchanged files are not verified again. */
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PublishedState } from '../../../src/builder/publish/published-state.ts'
import { openLiveFile } from '../../../src/builder/publish/live-file.ts'
import { openPublishedState } from '../../../src/builder/publish/published-state.ts'
import type { Verification } from '../../../src/builder/publish/verify-site.ts'
import { verifySite } from '../../../src/builder/publish/verify-site.ts'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import { createOutput } from '../../../src/builder/state/output/output.ts'
import type { SiteRecord } from '../../../src/builder/state/record/record.ts'
import { writeRecorded } from '../../support/rebuild/recorded.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'

const path = useTemporaryFolder()

const SITE = {
  'index.html': '<a href="/catalogo/ana">x</a><script src="/_astro/a.js"></script>',
  'catalogo/ana.html': '<a href="/">x</a><script src="/_astro/a.js"></script>',
  'catalogo/eva.html': '<a href="/">x</a><script src="/_astro/a.js"></script>',
  '_astro/a.js': 'import"./b.js"',
  '_astro/b.js': 'export{}',
  _headers: '/*\n',
  '.assetsignore': '.vitrina\n',
}

/** No seller has a page that failed. */
const UNCHANGED = { waits: openSnapshot(':memory:').waits }

let record: SiteRecord
let published: PublishedState
beforeEach(() => {
  record = openRecord(path('record.sqlite'))
  published = openPublishedState(path('published.sqlite'), openLiveFile(path('live.json')))
  write(SITE)
})
afterEach(() => {
  record.close()
  published.close()
})

function write(files: Readonly<Record<string, string>>): void {
  const output = createOutput(path('dist'))
  writeRecorded(output, record, files)
  output.tidy()
}

function remove(name: string): void {
  rmSync(path('dist', name))
  record.write([], [name])
}

async function verify(isFull = false, snapshot = UNCHANGED): Promise<Verification> {
  published.close()
  published = openPublishedState(path('published.sqlite'), openLiveFile(path('live.json')))
  return verifySite({ folder: path('dist'), record, snapshot, published, isFull })
}

/** Records the verified site as published. */
async function publish(): Promise<Verification> {
  const verification = await verify()
  published.writeLive({ version: 'v', sequence: 1, digest: 'd', isSeen: true, untold: null })
  return verification
}

describe('a sound site', () => {
  it('passes, and its uploaded files are counted', async () => {
    const { files, changed, removed } = await verify()
    expect([files, changed.length, removed]).toEqual([5, 7, []])
  })

  it('is verified only where it changed since the last publish', async () => {
    await publish()
    expect(await publish()).toEqual({
      files: 5,
      pictures: 0,
      switched: mapSwitches(() => 0),
      changed: [],
      removed: [],
    })
    write({ 'catalogo/ana.html': 'new' })
    remove('catalogo/eva.html')
    expect(await verify()).toMatchObject({ changed: ['catalogo/ana.html'], removed: ['catalogo/eva.html'] })
    expect(await verify()).toMatchObject({ changed: ['catalogo/ana.html'] })
  })

  it('may contain the marker and partial files, which are not uploaded', async () => {
    writeFileSync(path('dist/.vitrina'), 'digest')
    mkdirSync(path('dist/.partial'))
    writeFileSync(path('dist/.partial/1'), '')
    expect((await verify()).files).toBe(5)
  })
})

describe('verification refuses a site', () => {
  it('with a changed file that is missing, has other bytes, or exceeds the size limit of the edge', async () => {
    rmSync(path('dist/_astro/b.js'))
    await expect(verify()).rejects.toThrow('_astro/b.js is missing')
    writeFileSync(path('dist/_astro/b.js'), 'other')
    await expect(verify()).rejects.toThrow('_astro/b.js differs from the rendered file')
    truncateSync(path('dist/_astro/b.js'), 26 * 1024 * 1024)
    await expect(verify()).rejects.toThrow('_astro/b.js is larger')
  })

  it('with an unchanged file of other bytes, if everything is verified', async () => {
    await publish()
    writeFileSync(path('dist/catalogo/eva.html'), 'torn')
    await expect(verify()).resolves.toBeDefined()
    await expect(verify(true)).rejects.toThrow('catalogo/eva.html differs from the rendered file')
  })

  it('with a file that is not part of the site', async () => {
    writeFileSync(path('dist/notes.txt'), 'private')
    await expect(verify()).rejects.toThrow('notes.txt does not belong to this site')
  })

  it('but not because of a repository in its folder, which the deploy tool skips', async () => {
    mkdirSync(path('dist/.git'))
    writeFileSync(path('dist/.git/HEAD'), 'ref')
    await expect(verify()).resolves.toBeDefined()
  })

  it('with a symbolic link, recorded or not', async () => {
    await publish()
    rmSync(path('dist/catalogo/eva.html'))
    symlinkSync(path('record.sqlite'), path('dist/catalogo/eva.html'))
    await expect(verify()).rejects.toThrow('catalogo/eva.html is a symbolic link')
  })

  it.each(['node_modules/a.js', 'a/.git', '.DS_Store'])(
    'with %s, which the deploy tool would skip',
    async (name) => {
      write({ [name]: 'x' })
      await expect(verify()).rejects.toThrow('would be skipped')
    },
  )

  it('with a changed file that has a broken reference', async () => {
    await publish()
    write({ 'catalogo/ana.html': '<img src="/lost.png">' })
    await expect(verify()).rejects.toThrow('catalogo/ana.html refers to /lost.png, which does not exist')
  })

  it('with an unchanged file that refers to a removed file by any of its addresses', async () => {
    await publish()
    remove('catalogo/ana.html')
    await expect(verify()).rejects.toThrow('index.html refers to /catalogo/ana, which was removed')
    write(SITE)
    remove('_astro/b.js')
    await expect(verify()).rejects.toThrow('_astro/a.js refers to /_astro/b.js, which was removed')
    write(SITE)
    remove('index.html')
    await expect(verify()).rejects.toThrow('catalogo/ana.html refers to /, which was removed')
  })

  it('again in the next verification, until the problem is solved', async () => {
    await publish()
    write({ 'catalogo/ana.html': '<img src="/lost.png">' })
    for (let round = 0; round < 2; round += 1) await expect(verify()).rejects.toThrow('/lost.png')
  })

  it('with an error that lists the first problems and counts the others', async () => {
    for (let index = 0; index < 12; index += 1) writeFileSync(path(`dist/${index}.txt`), '')
    await expect(verify()).rejects.toThrow('; and 7 more. Run npm run rebuild -- --verify')
  })
})

it('excuses references to a removed file only in pages of a seller with a failed page', async () => {
  const sellers = ['a', 'b', 'c', 'd', 'e', 'f', 'good']
  const rows = sellers.map((seller) => {
    const file = `catalogo/${seller}.html`
    write({ [file]: '<img src="/logo.svg">', 'logo.svg': '' })
    const row = record.findFile(file)
    return row === null ? [] : [{ ...row, kind: 'page', seller } as const]
  })
  record.write(rows.flat(), [])
  await publish()
  remove('logo.svg')
  const { waits } = openSnapshot(':memory:')
  waits.beginRun()
  const postpone = (names: readonly string[]): void =>
    waits.postpone(names.map((seller) => ({ seller, reason: 'bad page' })))
  postpone(sellers.filter((seller) => seller !== 'good'))
  await expect(verify(false, { waits })).rejects.toThrow(
    /published: catalogo\/good\.html refers to \/logo\.svg, .*removed\. Run/,
  )
  postpone(['good'])
  await expect(verify(false, { waits })).resolves.toMatchObject({ removed: ['logo.svg'] })
})

/** Prepares a scenario of power cuts: the disk before the run, and how long the run takes. */
import { join } from 'node:path'
import { checkOutput, runWell } from '../faults/check-output.ts'
import type { Disk, Mount } from './disk.ts'
import { createDisk, createEmptyImage } from './disk.ts'
import type { RunSpec } from '../faults/scenarios.ts'
import { createPlace } from '../site/place.ts'
import type { PowerScenario } from './power-scenarios.ts'
import { buildClean } from '../faults/prepare-scenario.ts'
import type { Sandbox } from '../faults/sandboxes.ts'
import { writeSandboxDocuments } from '../faults/sandboxes.ts'
import type { SiteFiles } from '../site/site-files.ts'

export interface PreparedPower {
  readonly scenario: PowerScenario
  /** Sandbox whose site is not on the disk image, for clean builds. */
  readonly sandbox: Sandbox
  /** Folder of the disk images. */
  readonly folder: string
  /** Path of the image of the disk before the run. */
  readonly base: string
  readonly findClean: CleanFinder
  /** Duration of an undisturbed run. */
  readonly ms: number
}

export interface DiskSandbox {
  readonly disk: Disk
  /** Sandbox with its source, state and output on the disk. */
  readonly sandbox: Sandbox
}

export function openDiskSandbox(
  { sandbox, folder }: Pick<PreparedPower, 'sandbox' | 'folder'>,
  mount: Mount,
): DiskSandbox {
  const disk = createDisk(join(folder, 'disk'), mount)
  return { disk, sandbox: { ...sandbox, folder: disk.folder, place: createPlace(disk.folder, 'embedded') } }
}

/** The fields of a run that determine its clean build. */
const NAMES = ['documents', 'project', 'siteName', 'photos'] as const

/** Returns the clean build of a run. Runs with the same documents, code, name and photo mode share one build. */
type CleanFinder = (spec: RunSpec) => Promise<SiteFiles>

export function createCleanFinder(sandbox: Sandbox): CleanFinder {
  const made: { readonly spec: RunSpec; readonly clean: Promise<SiteFiles> }[] = []
  return (spec) => {
    const known = made.find((one) => NAMES.every((name) => one.spec[name] === spec[name]))
    if (known !== undefined) return known.clean
    const clean = buildClean(sandbox, spec)
    made.push({ spec, clean })
    return clean
  }
}

export async function preparePower(
  scenario: PowerScenario,
  { sandbox, folder, findClean }: Pick<PreparedPower, 'sandbox' | 'folder' | 'findClean'>,
): Promise<PreparedPower> {
  const { before, next, isBuilt } = scenario
  const clean = await findClean(next)
  const base = join(folder, 'base.img')
  const { disk, sandbox: onDisk } = openDiskSandbox({ sandbox, folder }, 'usual')
  try {
    disk.insert(createEmptyImage(join(folder, 'empty.img')))
    await writeSandboxDocuments(onDisk.place, null, before.documents)
    if (isBuilt) await runWell(onDisk, before)
    disk.eject()
    disk.save(base)
    disk.insert(base)
    await writeSandboxDocuments(onDisk.place, before.documents, next.documents)
    const { ms } = await runWell(onDisk, { ...next, args: next.args.filter((arg) => arg !== '--watch') })
    checkOutput(onDisk.place, { clean })
    return { scenario, sandbox, folder, base, findClean, ms }
  } finally {
    disk.eject()
  }
}

/** Applies a change of anything except documents to the model and to the files, and describes the change in words. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import { pick, pickMaybe } from './change-documents.ts'
import type { Stage } from '../site/stage.ts'
import type { Model } from './model.ts'
import { copyPart, damageFile, damageState, lose } from '../site/place.ts'
import { listSettingValues } from '../site/played-settings.ts'
import type { WorldChange } from './sequence.ts'
import { readSite } from '../site/site-files.ts'

const BUILDER_CODES = 3

export function changeWorld(model: Model, change: WorldChange, stage: Stage): string {
  switch (change.kind) {
    case 'setting': {
      const value = pick(listSettingValues(stage.photoHost.origin)[change.name], change.value)
      model.inputs = { ...model.inputs, settings: { ...model.inputs.settings, [change.name]: value } }
      return `${change.name} is ${value === '' ? 'not set' : value}`
    }
    case 'builder code': {
      const number = change.value % BUILDER_CODES
      model.inputs = { ...model.inputs, code: { ...model.inputs.code, [change.group]: number } }
      return `the builder's code for ${change.group} is number ${number}`
    }
    case 'code': {
      const variant = pick(stage.variants, change.variant)
      model.inputs = { ...model.inputs, variant }
      return `the code is the project's code ${variant.name}`
    }
    case 'public folder': {
      const publicFolder = pick(stage.publicFolders, change.variant)
      model.inputs = { ...model.inputs, publicFolder }
      return `the public folder is the project's folder ${publicFolder.name}`
    }
    case 'runtime': {
      const runtime = `node ${24 + (change.value % 3)}`
      model.inputs = { ...model.inputs, runtime }
      return `the runtime is ${runtime}`
    }
    case 'lose':
      for (const part of change.parts) lose(model.place, part)
      if (change.parts.includes('snapshot')) model.known = null
      return `lost: ${change.parts.join(' and ')}`
    case 'restore':
      return restore(model, change)
    case 'damage file':
      return damageSite(model, change)
    case 'damage marker':
      return damageMarker(model, change)
    case 'damage state':
      damageState(model.place, change)
      model.known = 'unsure'
      return `${change.how}: ${change.part}.sqlite (${change.place})`
    case 'break source':
      model.isSourceBroken = true
      return 'the source cannot be read at the next run'
  }
}

type Of<K extends WorldChange['kind']> = Extract<WorldChange, { kind: K }>

function restore(model: Model, { parts, backup: choice }: Of<'restore'>): string {
  const backup = pickMaybe(model.backups, choice)
  if (backup === null) return 'there is no backup yet'
  for (const part of parts) copyPart(backup.place, model.place, part)
  if (parts.includes('snapshot')) {
    model.known = backup.known
    model.readBy = backup.readBy
  }
  if (parts.includes('source')) {
    model.documents = backup.documents
    model.written = backup.documents
  }
  return `restored from the copy that was made after run ${model.backups.indexOf(backup)}: ${parts.join(' and ')}`
}

function damageSite(model: Model, { file: choice, how }: Of<'damage file'>): string {
  const { output } = model.place
  // Adds no file at the top level of the output folder, because a rebuild does not remove such files.
  const isOpen = (path: string): boolean => path !== IDENTITY_FILE && (how !== 'add' || path.includes('/'))
  const files = existsSync(output) ? [...readSite(output).keys()].filter(isOpen) : []
  const path = pickMaybe(files, choice)
  if (path === null) return 'there is no file to be damaged'
  damageFile(join(output, path), how)
  model.isDamaged = true
  return `${how}: ${path} in dist`
}

function damageMarker({ place }: Model, { how }: Of<'damage marker'>): string {
  const marker = join(place.output, IDENTITY_FILE)
  if (!existsSync(marker)) return 'there is no marker to be damaged'
  damageFile(marker, how)
  return `${how}: ${IDENTITY_FILE} in dist`
}

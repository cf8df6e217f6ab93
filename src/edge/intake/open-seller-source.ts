/** Opens the source of sellers that the Worker's variables name. */
import type { Variables } from '../coordinator/coordinator-settings.ts'
import { findSourceProblems, parseSourceSettings } from '../coordinator/source-settings.ts'
import { openFirestoreSource } from './firestore/firestore-source.ts'
import type { SellerSource } from './seller-source.ts'
import { SourceTrouble } from './seller-source.ts'

/** If settings are missing, each read of the source rejects with an error that names the first of them. */
export function openSellerSource(variables: Variables): SellerSource {
  const [problem] = findSourceProblems(variables)
  if (problem !== undefined) return { readSeller: () => Promise.reject(new SourceTrouble('denied', problem)) }
  return openFirestoreSource(parseSourceSettings(variables))
}

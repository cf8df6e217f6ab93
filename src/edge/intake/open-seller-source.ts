/** Opens the source of sellers that the Worker's variables name. */
import type { Variables } from '../coordinator/coordinator-settings.ts'
import { findSourceProblems, parseSourceSettings } from '../coordinator/source-settings.ts'
import { openFirestoreSource } from './firestore/firestore-source.ts'
import type { SellerSource } from './seller-source.ts'
import { SourceTrouble } from './seller-source.ts'

/** Without its settings each read of the source fails and names what is missing. */
export function openSellerSource(variables: Variables): SellerSource {
  const [problem] = findSourceProblems(variables)
  if (problem !== undefined) return { readSeller: () => Promise.reject(new SourceTrouble('denied', problem)) }
  return openFirestoreSource(parseSourceSettings(variables))
}

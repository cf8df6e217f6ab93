/** Lane `objects`: the snapshot's list of changed sellers names the objects to deliver. The delivery takes them from it. */
import type { PictureChanges } from '../pictures/store/picture-changes.ts'
import { isOfLane } from './lane.ts'
import type { SiteState } from './write-pages.ts'

interface Kept {
  readonly pictureChanges: PictureChanges
  /** Whether the data of objects may differ that are not on the list. */
  readonly isOther: boolean
}

/** protocol: settled. Adds to the list what did not come through documents. */
export function keepForDelivery(
  { snapshot }: Pick<SiteState, 'snapshot'>,
  { pictureChanges: { sellers }, isOther }: Kept,
): void {
  // Then the next delivery compares all objects.
  if (isOther && snapshot.readDelivered() !== '') snapshot.writeDelivered('')
  // Where sites of objects are delivered nobody keeps the list of what an index of lane `assets` lacks.
  const fed = snapshot.readFed()
  if (isOfLane('assets', fed.index)) snapshot.writeFed({ ...fed, index: '' })
  snapshot.markChanged(sellers)
}

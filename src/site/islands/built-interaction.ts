/** The directive `client:interaction` of built pages. This module also defines the island element of these pages. */
import { defineIsland } from './island-element.ts'
import hydrateOnInteraction from './interaction-directive.ts'

defineIsland(hydrateOnInteraction)

export default hydrateOnInteraction

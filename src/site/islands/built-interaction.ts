/** The directive `client:interaction` of built pages, which brings their island element with it. */
import { defineIsland } from './island-element.ts'
import hydrateOnInteraction from './interaction-directive.ts'

defineIsland(hydrateOnInteraction)

export default hydrateOnInteraction

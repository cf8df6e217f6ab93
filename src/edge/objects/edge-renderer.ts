/** The compiled renderer as the Worker uses it. This type can be imported without the generated module. */
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { CodeState } from '../../domain/wire/object-calls.ts'

export interface EdgeRenderer extends CodeState {
  readonly site: Site
  /** The policy that pages of this renderer need: the value of `Content-Security-Policy`. */
  readonly policy: string
  /** Names and values of the other headers, which every response has. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Path of the preview picture for links to the home page; `null` if there is none. */
  readonly homePicture: string | null
  /** Rejects if the page cannot be rendered. */
  render(page: ScreenPage): Promise<string>
}

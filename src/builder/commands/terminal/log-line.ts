/** Keeps text of documents from being taken for a command by the program that runs this one. */

/**
 * A runner of GitHub Actions obeys `##[…]` anywhere in a line, and `::…::` at its beginning.
 * Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function breakCommands(text: string): string {
  return text.replaceAll('##[', '# #[').replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
}

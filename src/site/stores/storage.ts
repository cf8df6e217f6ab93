/** The browser's local storage, which a visitor can forbid, fill or empty. */

/** Returns `null` if no text is stored or the storage is forbidden. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores `text`; `null` removes the stored text. Returns false if the storage is forbidden or full. */
export function writeStored(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

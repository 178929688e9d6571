/** The columns that somebody chose for a collection. They are kept in this browser. */

const keyOf = (collectionId: string) => `stepwell-columns-${collectionId}`;

/** @returns Null if nobody has chosen. */
export function readColumns(collectionId: string): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(collectionId)) ?? "null");
    return Array.isArray(kept) ? kept.filter((field) => typeof field === "string") : null;
  } catch {
    return null;
  }
}

export function writeColumns(collectionId: string, columns: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(collectionId), JSON.stringify(columns));
  } catch {
    // They hold until the page is left.
  }
}

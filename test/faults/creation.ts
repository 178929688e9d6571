/** The ids that creator.ts creates, in order, so that a test knows what a killed process had begun. */
export function idOf(round: number, count: number): string {
  return `id${round}.${String(count).padStart(6, "0")}`;
}

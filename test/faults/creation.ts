/** The ids of what creator.ts creates, in order: a killed process cannot be asked. */
export function idOf(round: number, count: number): string {
  return `id${round}.${String(count).padStart(6, "0")}`;
}

/**
 * Divides slots among tenants. Each tenant may take as many as remain free afterwards: the first one half, the next one a
 * quarter. So the tenants that take the most, such as those whose tasks hang, leave slots to the others.
 */
export interface FairShare {
  /** Number of slots in use. */
  readonly used: number;
  /** Whether the tenant may take another slot. */
  mayTake(tenant: string): boolean;
  take(tenant: string): void;
  /** Returns a slot. */
  release(tenant: string): void;
}

export function createFairShare(slots: number): FairShare {
  const usedBy = new Map<string, number>();
  let used = 0;
  return {
    get used() {
      return used;
    },
    mayTake: (tenant) => (usedBy.get(tenant) ?? 0) < slots - used,
    take(tenant) {
      used++;
      usedBy.set(tenant, (usedBy.get(tenant) ?? 0) + 1);
    },
    release(tenant) {
      used--;
      const left = (usedBy.get(tenant) ?? 0) - 1;
      if (left > 0) usedBy.set(tenant, left);
      else usedBy.delete(tenant);
    },
  };
}

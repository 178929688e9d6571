/** Lets a few requests happen at once, so that the others of the page find a connection. */

export type InTurn = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** @param max How many happen at once. The others wait for their turn. */
export function createTurns(max: number): InTurn {
  let acting = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (acting < max) acting++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) acting--;
      else next();
    }
  };
}

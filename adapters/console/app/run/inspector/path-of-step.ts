/** The expression that leads to the output of a step. Pure. */

const NAME = /^[A-Za-z_]\w*$/;

/** @param item Index of an item; null for the whole output. */
export function pathOfStep(key: string, item: number | null): string {
  const step = NAME.test(key) ? `steps.${key}` : `steps[${JSON.stringify(key)}]`;
  return `${step}.output${item === null ? "" : `[${item}]`}`;
}

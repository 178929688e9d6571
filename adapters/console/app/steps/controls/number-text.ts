/** Numbers as people write them. Pure. */

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$/;

/** Undefined for a text that is no number. A comma is a decimal point. */
export function numberIn(text: string): number | undefined {
  const plain = text.trim();
  if (!NUMBER.test(plain)) return undefined;
  const number = Number(plain.replace(",", "."));
  return Number.isFinite(number) ? number : undefined;
}

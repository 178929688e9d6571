/**
 * Any character of Unicode, for `fc.string({ unit })`: what "binary" draws, whose first use in each process spends seconds
 * on a table of all characters.
 */
import fc from "fast-check";

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const GAP = AFTER_SURROGATES - SURROGATES;

const characterAt = (place: number) => String.fromCodePoint(place < SURROGATES ? place : place + GAP);

function placeOf(value: unknown): number {
  if (typeof value !== "string") throw new Error("not a character");
  const point = value.codePointAt(0) ?? SURROGATES;
  const isSurrogate = point >= SURROGATES && point < AFTER_SURROGATES;
  if (isSurrogate || value !== String.fromCodePoint(point)) throw new Error("not a character");
  return point < SURROGATES ? point : point - GAP;
}

export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - GAP }).map(characterAt, placeOf);

/** The key of a rule, from its name: "Credit check" becomes `credit_check`. Pure. */

const MAX_CHARS = 128;
/** Accents of Latin letters. Marks of other scripts are part of their words. */
const ACCENTS = /[\u0300-\u036f]/g;

export function ruleKeyOf(name: string): string {
  const letters = name.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  const words = letters.split(/[^\p{L}\p{M}\p{N}]/u).filter((word) => word !== "");
  return words.join("_").slice(0, MAX_CHARS);
}

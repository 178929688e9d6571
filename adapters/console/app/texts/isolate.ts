/** Values of users within texts: each keeps its own direction, and changes the order of nothing around it. */

/** Keeps the order of what stands around a text, such as a name in letters of another direction, or a path. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** Letters from right to left, and signs that turn what follows them. */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** For texts from left to right, where most values need nothing. */
export const isolateTurning = (text: string): string => (TURNS.test(text) ? isolate(text) : text);

const isolated = (value: unknown): unknown => (typeof value === "string" ? isolateTurning(value) : value);

/** The texts of a language from left to right. Those with values isolate the ones that run from right to left. */
export function isolating<Texts extends object>(texts: Texts): Texts {
  const known = new Map<PropertyKey, unknown>();
  return new Proxy(texts, {
    get(target, name) {
      const text: unknown = Reflect.get(target, name);
      if (text === null || (typeof text !== "object" && typeof text !== "function")) return text;
      if (!known.has(name)) known.set(name, isolating(text));
      return known.get(name);
    },
    apply: (target, self, given) =>
      typeof target === "function" ? Reflect.apply(target, self, given.map(isolated)) : undefined,
  });
}

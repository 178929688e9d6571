/** What stands behind the number of a duration or a size. */
import type { Language } from "../settings/settings.ts";

export interface Units {
  readonly milliseconds: string;
  readonly seconds: string;
  readonly minutes: string;
  readonly hours: string;
  readonly days: string;
  readonly bytes: string;
}

const SYMBOLS: Units = { milliseconds: "ms", seconds: "s", minutes: "min", hours: "h", days: "d", bytes: "bytes" };

/** Languages in which the international symbols are unusual. */
const OWN: Readonly<Partial<Record<Language, Units>>> = {
  ja: { milliseconds: "ms", seconds: "秒", minutes: "分", hours: "時間", days: "日", bytes: "バイト" },
  ar: { milliseconds: "م.ث", seconds: "ث", minutes: "د", hours: "س", days: "ي", bytes: "بايت" },
};

export const unitsOf = (language: Language): Units => OWN[language] ?? SYMBOLS;

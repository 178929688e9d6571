/** What stands behind the number of a duration or a size. */
import type { Language } from "../../../../src/web-pages/languages.ts";

export interface Units {
  readonly milliseconds: string;
  readonly seconds: string;
  readonly minutes: string;
  readonly hours: string;
  readonly days: string;
  /** Powers of 1,024 bytes, which Intl does not know. */
  readonly sizes: readonly string[];
}

const SYMBOLS: Units = {
  ...{ milliseconds: "ms", seconds: "s", minutes: "min", hours: "h", days: "d" },
  sizes: ["KiB", "MiB", "GiB", "TiB"],
};

/** Languages in which some of the international symbols are unusual. */
const OWN: Readonly<Partial<Record<Language, Partial<Units>>>> = {
  fr: { days: "j", sizes: ["Kio", "Mio", "Gio", "Tio"] },
  ja: { seconds: "秒", minutes: "分", hours: "時間", days: "日" },
  ar: { milliseconds: "م.ث", seconds: "ث", minutes: "د", hours: "س", days: "ي" },
};

export const unitsOf = (language: Language): Units => ({ ...SYMBOLS, ...OWN[language] });

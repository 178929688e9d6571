/** What a person sets for this browser: language, theme, density and motion. None of it is data of an app. */
import { directionOf, type Language } from "../../../../src/web-pages/languages.ts";

/** Each by its own name: who needs a language can read that one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
  ar: "العربية",
};

const isLanguage = (tag: unknown): tag is Language => typeof tag === "string" && Object.hasOwn(LANGUAGE_NAMES, tag);

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

export const MOTIONS = ["system", "reduced"] as const;
export type Motion = (typeof MOTIONS)[number];

export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly density: Density;
  /** How much moves. @default as the system says */
  readonly motion: Motion;
  /** Whether workflows open as an outline in place of a canvas. */
  readonly prefersOutline: boolean;
  /** Whether single letters act on the canvas, and letters with Ctrl everywhere. */
  readonly hasShortcuts: boolean;
}

const KEY = "stepwell-settings";

/** The language of the browser, if the console speaks it. */
function browserLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? "en";
}

export function readSettings(): Settings {
  const kept = readKept();
  const chosen = <Value extends string>(all: readonly Value[], name: string, otherwise: Value): Value =>
    all.find((one) => one === kept[name]) ?? otherwise;
  return {
    language: isLanguage(kept["language"]) ? kept["language"] : browserLanguage(),
    theme: chosen(THEMES, "theme", "system"),
    density: chosen(DENSITIES, "density", "comfortable"),
    motion: chosen(MOTIONS, "motion", "system"),
    prefersOutline: kept["prefersOutline"] === true,
    hasShortcuts: kept["hasShortcuts"] !== false,
  };
}

/** A browser may refuse storage, and other versions may have written to it. */
function readKept(): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}

export function keepSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // They hold until the page is left.
  }
  applySettings(settings);
}

/** Styles read these attributes, and so does {@link isMotionReduced}. */
export function applySettings({ language, theme, density, motion }: Settings): void {
  const { documentElement: root } = document;
  root.lang = language;
  root.dir = directionOf(language);
  root.dataset["theme"] = theme;
  root.dataset["density"] = density;
  root.dataset["motion"] = motion;
}

/** Whether nothing is to move: somebody has set it here, or for the system. For styles, theme/base.css says the same. */
export const isMotionReduced = (): boolean =>
  document.documentElement.dataset["motion"] === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;

import type { Messages } from "../../messages.ts";

export const settings: Messages["settings"] = {
  title: "Einstellungen",
  intro: "Diese Einstellungen gelten nur für diesen Browser.",
  language: "Sprache",
  theme: "Erscheinungsbild",
  themes: { system: "System", light: "Hell", dark: "Dunkel" },
  density: "Dichte",
  densities: { comfortable: "Luftig", compact: "Dicht" },
  motion: "Bewegung",
  motions: { system: "System", reduced: "Reduziert" },
  prefersOutline: "Workflows als Gliederung öffnen",
  prefersOutlineHint: "Die Gliederung kann alles, was die Zeichenfläche kann, ohne Bild.",
  hasShortcuts: "Einzelne Buchstaben als Kürzel",
};

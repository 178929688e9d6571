import type { Messages } from "../../messages.ts";

export const settings: Messages["settings"] = {
  title: "Paramètres",
  intro: "Ces paramètres ne concernent que ce navigateur.",
  language: "Langue",
  theme: "Thème",
  themes: { system: "Système", light: "Clair", dark: "Sombre" },
  density: "Densité",
  densities: { comfortable: "Aérée", compact: "Compacte" },
  motion: "Animations",
  motions: { system: "Système", reduced: "Réduites" },
  prefersOutline: "Ouvrir les workflows en mode plan",
  prefersOutlineHint: "Le plan permet tout ce que permet le canevas, sans représentation graphique.",
  hasShortcuts: "Raccourcis d’une seule lettre",
};

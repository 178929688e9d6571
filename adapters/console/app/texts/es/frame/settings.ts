import type { Messages } from "../../messages.ts";

export const settings: Messages["settings"] = {
  title: "Configuración",
  intro: "Esta configuración solo se aplica a este navegador.",
  language: "Idioma",
  theme: "Tema",
  themes: { system: "Sistema", light: "Claro", dark: "Oscuro" },
  density: "Densidad",
  densities: { comfortable: "Amplia", compact: "Compacta" },
  motion: "Movimiento",
  motions: { system: "Sistema", reduced: "Reducido" },
  prefersOutline: "Abrir los flujos de trabajo como estructura",
  prefersOutlineHint: "La estructura permite todo lo que permite el lienzo, sin la representación gráfica.",
  hasShortcuts: "Atajos de una sola letra",
};

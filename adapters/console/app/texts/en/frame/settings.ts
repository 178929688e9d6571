export const settings = {
  title: "Settings",
  intro: "These settings hold for this browser only.",
  language: "Language",
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  density: "Density",
  densities: { comfortable: "Comfortable", compact: "Compact" },
  motion: "Motion",
  motions: { system: "System", reduced: "Reduced" },
  prefersOutline: "Open workflows as an outline",
  prefersOutlineHint: "The outline can do all that the canvas can, without a picture.",
  hasShortcuts: "Single-letter shortcuts",
};

import type { Messages } from "../language.ts";

export const statuses: Messages["statuses"] = {
  queued: "In der Warteschlange",
  pending: "Nicht erreicht",
  running: "Läuft",
  waiting: "Wartet",
  succeeded: "Erfolgreich",
  failed: "Fehlgeschlagen",
  skipped: "Übersprungen",
  canceled: "Abgebrochen",
};

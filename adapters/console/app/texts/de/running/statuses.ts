import type { Messages } from "../../messages.ts";

export const statuses: Messages["statuses"] = {
  queued: "Eingereiht",
  pending: "Nicht erreicht",
  running: "Läuft",
  waiting: "Wartet",
  succeeded: "Erfolgreich",
  failed: "Fehlgeschlagen",
  skipped: "Übersprungen",
  canceled: "Abgebrochen",
};

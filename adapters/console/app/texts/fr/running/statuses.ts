import type { Messages } from "../../messages.ts";

export const statuses: Messages["statuses"] = {
  queued: "En file d’attente",
  pending: "Non atteinte",
  running: "En cours",
  waiting: "En attente",
  succeeded: "Réussie",
  failed: "En échec",
  skipped: "Ignorée",
  canceled: "Annulée",
};

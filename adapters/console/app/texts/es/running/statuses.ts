import type { Messages } from "../../messages.ts";

export const statuses: Messages["statuses"] = {
  queued: "En cola",
  pending: "Sin alcanzar",
  running: "En curso",
  waiting: "En espera",
  succeeded: "Completado",
  failed: "Fallido",
  skipped: "Omitido",
  canceled: "Cancelado",
};

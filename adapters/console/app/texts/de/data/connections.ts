import type { Messages } from "../../messages.ts";

export const connections: Messages["connections"] = {
  title: "Verbindungen",
  empty: "Es gibt keine Verbindungen.",
  emptyText:
    "Eine Verbindung speichert die Zugangsdaten eines Dienstes, verschlüsselt. Schritte und Trigger verwenden sie über ihre ID.",
  noSecret:
    "Dieser Server hat kein Geheimnis, um Zugangsdaten zu verschlüsseln. Der Betreiber setzt die Option „secret“.",
  create: "Neue Verbindung",
  service: "Dienst",
  credentials: "Zugangsdaten",
  replace: "Zugangsdaten ersetzen",
  replaceHint: "Die neuen Zugangsdaten ersetzen alle gespeicherten.",
  inUse: "Sie wird noch verwendet. Wird sie gelöscht, schlägt dies fehl:",
  force: "Trotzdem löschen",
};

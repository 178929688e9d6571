import type { Messages } from "../../messages.ts";

export const keys: Messages["keys"] = {
  title: "API-Schlüssel",
  empty: "Es gibt keine Schlüssel.",
  adminOnly:
    "Nur ein Admin kann Schlüssel sehen und ändern. Melden Sie sich mit dem Admin-Schlüssel an, oder fragen Sie den Betreiber dieses Servers.",
  create: "Neuer Schlüssel",
  nameHint: "Wer oder was ihn verwendet, etwa „Backoffice“.",
  scopes: "Berechtigungen",
  allScopes: "Alles in dieser App",
  someScopes: "Nur, was ausgewählt ist",
  scopeTable: "Berechtigungen nach Ressource",
  resource: "Ressource",
  read: "Lesen",
  write: "Schreiben",
  noScopes: "Keine",
  allReading: "Alles lesen",
  usedRecently: "in der letzten Stunde",
  resources: {
    workflows: { name: "Workflows", opens: "Definitionen, Entwürfe und Versionen." },
    runs: {
      name: "Läufe",
      opens: "Läufe mit Eingaben, Ausgaben und Protokollen; Schreiben: starten, beantworten, abbrechen und löschen.",
    },
    files: { name: "Dateien", opens: "Hochgeladene Dateien und Adressen zum Hochladen." },
    collections: { name: "Sammlungen", opens: "Sammlungen mit Datensätzen, Regeln und Tags." },
    events: {
      name: "Ereignisse zwischen Läufen",
      opens: "Ereignisse, auf die Läufe warten oder mit denen sie starten; Schreiben: senden.",
    },
    schedules: { name: "Zeitpläne", opens: "Wann Workflows von selbst laufen." },
    connections: { name: "Verbindungen", opens: "Konten anderer Dienste. Zugangsdaten werden nie gezeigt." },
    hooks: { name: "Eingehende Webhooks", opens: "Adressen, an denen andere Systeme Workflows starten." },
    webhooks: { name: "Ausgehende Webhooks", opens: "Meldungen an andere Systeme und ihre Zustellungen." },
    jobs: {
      name: "Hintergrundaufträge",
      opens: "Fortschritt von Importen und von Aktionen auf viele Läufe; Schreiben: anhalten.",
    },
  },
  act: "Für Benutzer handeln",
  actHint: "Anfragen dürfen nennen, für welchen Benutzer sie handeln.",
  expires: "Läuft ab",
  expiresHint: "Leer lassen für einen Schlüssel, der nicht abläuft.",
  lastUsed: "Zuletzt verwendet",
  notUsed: "noch nie",
  issued: "Ihr neuer Schlüssel",
  issuedHint: "Kopieren Sie ihn jetzt. Er wird nur einmal gezeigt: Der Server speichert nur seinen Digest.",
  revoke: "Widerrufen",
  revokeTitle: (name) => `„${name}“ widerrufen?`,
  revokeText:
    "Anfragen mit diesem Schlüssel schlagen ab sofort fehl. Sitzungen der Konsole, die er geöffnet hat, enden.",
};

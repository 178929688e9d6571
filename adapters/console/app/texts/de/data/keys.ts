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

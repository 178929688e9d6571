import type { Messages } from "../language.ts";

export const records: Messages["records"] = {
  title: "Datensätze",
  empty: "Es gibt keine Datensätze.",
  noneFound: "Kein Datensatz passt dazu.",
  create: "Neuer Datensatz",
  ruleResults: "Regeln",
  outcomes: { PENDING: "Ausstehend", PASS: "Bestanden", WARN: "Warnung", FAIL: "Nicht bestanden", ERROR: "Fehler" },
  version: "Version",
  data: "Daten",
  dataHint: 'Werte nach Entität und Feld: { "loan": { "amount": 5000 } }',
  history: "Verlauf",
  evaluate: "Regeln erneut ausführen",
  clash: "Jemand anders hat diesen Datensatz geändert. Beide Werte werden gezeigt: Wählen Sie, was bleibt.",
};

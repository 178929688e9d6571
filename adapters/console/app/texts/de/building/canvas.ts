import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const canvas: Messages["canvas"] = {
  types: {
    note: "Notiz",
    input: "Eingabe",
    branch: "Verzweigung",
    code: "Code",
    model: "Modell",
    http_request: "HTTP-Anfrage",
    browser: "Webseite",
    workflow: "Workflow",
    service: "Dienst",
  },
  features: {
    conditional: "nur wenn eine Bedingung erfüllt ist",
    loop: "wiederholt, bis eine Bedingung erfüllt ist",
    forEach: "läuft für jedes Element einer Liste",
    retry: "hat eigene Regeln für Wiederholungen",
    continues: "ein Fehler hält den Lauf nicht an",
    auto: "ein Modell füllt Felder aus",
    webhook: "hat einen Webhook",
  },
  changes: { added: "hinzugefügt", removed: "entfernt", changed: "geändert" },
  place: (index, count) => `${index} von ${count}`,
  problems: (count) => plural("de", count, { one: "Problem", other: "Probleme" }),
  leadsTo: (steps, others) => (others === 0 ? `führt zu ${steps}` : `führt zu ${steps} und ${others} weiteren`),
  leadsNowhere: "führt nirgendwohin",
  else: "sonst",
  onError: "bei Fehler",
  view: "Ansicht",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  fit: "Alles zeigen",
  map: "Übersicht",
  addBehind: (step) => `Schritt nach ${step} einfügen`,
  addBetween: (from, to) => `Schritt zwischen ${from} und ${to} einfügen`,
};

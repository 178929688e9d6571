import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const workflows: Messages["workflows"] = {
  title: "Workflows",
  searchLabel: "Workflows durchsuchen",
  newWorkflow: "Neuer Workflow",
  import: "Importieren …",
  importTitle: "Workflow importieren",
  importText: "Ein exportiertes Dokument oder eine Definition mit Schritten.",
  importDraft: "Das Dokument enthält einen Entwurf. Der importierte Workflow ist nicht veröffentlicht.",
  importVersion: (version) =>
    `Das Dokument enthält Version ${version}. Sie wird im importierten Workflow veröffentlicht.`,
  importFile: "Datei",
  importJson: "JSON",
  importTaken: (name) => `Es gibt schon einen Workflow „${name}“. Der importierte erhält diesen Namen.`,
  importAction: "Importieren",
  importRefused: (message) => `Das ist kein JSON: ${message}`,
  importNoObject:
    "Das ist kein JSON-Objekt. Fügen Sie ein exportiertes Dokument oder eine Definition mit Schritten ein.",
  importUnreadable: "Die Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal aus.",
  importedName: "Importierter Workflow",
  imported: (count) => `${plural("de", count, { one: "Workflow wurde", other: "Workflows wurden" })} importiert.`,
  nameLabel: "Name",
  newTitle: "Neuer Workflow",
  copyName: (name) => `${name} (Kopie)`,
  duplicate: "Duplizieren",
  version: "Veröffentlicht",
  versionNumber: (version) => `v${version}`,
  notDeployed: "nicht veröffentlicht",
  deployFirst: "Von diesem Workflow ist keine Version veröffentlicht: Ohne eine läuft er nicht.",
  lastRun: "Letzter Lauf",
  noRun: "keiner",
  openRuns: "Läufe",
  openVersions: "Versionen",
  run: "Ausführen …",
  empty: "Es gibt noch keinen Workflow.",
  emptyText:
    "Ein Workflow ist eine Liste von Schritten, die dauerhaft laufen. Legen Sie einen an oder importieren Sie JSON.",
  noMatch: "Kein Workflow passt.",
  deleteText: "Sein Entwurf, seine Versionen und seine Webhooks werden mit ihm gelöscht. Begonnene Läufe gehen weiter.",
  usedText:
    "Diese verwenden ihn. Das Löschen hält Zeitpläne an und schaltet Regeln aus; Schritte anderer Workflows, die ihn aufrufen, scheitern.",
  actionsOf: (name) => `Aktionen von ${name}`,
  deletedOne: (id) => `${id} (gelöscht)`,
  isTool: "Werkzeug für Agenten",
};

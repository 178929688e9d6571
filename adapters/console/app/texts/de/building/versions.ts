import { capitalized } from "../../capitalized.ts";
import type { Compared } from "../../en/building/versions.ts";
import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const compared = (version: Compared): string =>
  typeof version === "number" ? `Version ${version}` : version === "draft" ? "Entwurf" : "neueste Version";

export const versions: Messages["versions"] = {
  title: (workflow) => `Versionen von ${workflow}`,
  version: (version) => `Version ${version}`,
  versionOf: (version, workflow) => `${version} von ${workflow}`,
  latest: "neueste",
  latestVersion: "Neueste Version",
  draft: "Entwurf",
  number: "Version",
  notes: "Hinweise",
  notesOf: (version) => `Hinweise von v${version}:`,
  by: "Von",
  date: "Veröffentlicht",
  rolledBack: (version) => `zurück zu v${version}`,
  compare: "Vergleichen",
  compareWithDraft: "Mit dem Entwurf vergleichen",
  compareWithLatest: "Mit der neuesten vergleichen",
  compareWithBefore: "Was sich geändert hat",
  compareTitle: (from, to, workflow) => `${capitalized(compared(from))} und ${compared(to)} von ${workflow}`,
  from: "Von",
  to: "Zu",
  rollBack: "Zu ihr zurückkehren …",
  rollBackTitle: (version) => `Zu Version ${version} zurückkehren`,
  rollBackText: (version, next) =>
    `Veröffentlicht Version ${version} noch einmal, als Version ${next}. Der Entwurf bleibt, wie er ist.`,
  fileReplaces: (path) =>
    `stepwell dev ersetzt diese Version durch ${path}, wenn es das nächste Mal startet und wenn die Datei gespeichert wird. Um diese Version zu behalten, laden Sie ihre Definition in diese Datei herunter.`,
  rollBackAction: "Zurückkehren",
  runsOf: "Läufe",
  openDraft: "Entwurf öffnen",
  empty: "Noch ist nichts veröffentlicht.",
  emptyText: "Veröffentlichen Sie den Entwurf, um die erste Version anzulegen.",
  same: "Es gibt keinen Unterschied.",
  summary: (added, removed, changed) => `${added} hinzugefügt, ${removed} entfernt, ${changed} geändert`,
  layoutHidden: (count) =>
    `${plural("de", count, { one: "Änderung", other: "Änderungen" })} von Positionen und Größen, die keinen Lauf ändern`,
  moved: (count) => `${plural("de", count, { one: "Schritt", other: "Schritte" })} in der Liste verschoben`,
  stepAdded: "Hinzugefügt",
  stepRemoved: "Entfernt",
  stepChanged: "Geändert",
  stepRenamed: (from) => `Umbenannt von ${from}`,
  part: {
    input: "Eingabefelder",
    input_default: "Werte von Feldern",
    input_options: "Anordnung des Formulars",
    settings: "Einstellungen der Läufe",
  },
  before: "Vorher",
  after: "Nachher",
  nothing: "nicht gesetzt",
  equalLines: (count) => `${plural("de", count, { one: "gleiche Zeile", other: "gleiche Zeilen" })}`,
  lineAdded: "hinzugefügt",
  lineRemoved: "entfernt",
  truncated: "Es gibt weitere Unterschiede.",
  canvases: "Beide Zeichenflächen",
  list: "Nach Schritt und Feld",
  views: "Ansicht",
  canvasOf: (version) => `Zeichenfläche von ${version}`,
};

import type { Messages } from "../../messages.ts";

export const expressions: Messages["expressions"] = {
  variables: {
    input: "Die Eingabe des Laufs.",
    steps: "Die Schritte davor, nach Schlüssel.",
    run: "Der Lauf: ID, Workflow, Version, Auslöser, Tags und Metadaten.",
    app: "Die App: ID und Name.",
    now: "Zeitpunkt, zu dem der Schritt bereit war.",
    iteration: "Nummer der Wiederholung, ab 1.",
    previous: "Ausgabe der vorigen Wiederholung; null in der ersten.",
    output: "Ausgabe der aktuellen Wiederholung.",
    item: "Das Element der Liste.",
    index: "Index des Elements, ab 0.",
    error: "Warum der Schritt fehlgeschlagen ist.",
    event: "Das eingetroffene Ereignis.",
  },
  modes: { value: "Fester Wert", expression: "Ausdruck", auto: "Von einem Modell ausfüllen lassen" },
  modeOf: (label) => `Wie „${label}“ angegeben wird`,
  autoWish: "Was das Modell liefern soll",
  result: "Ergebnis",
  inRun: (run) => `Mit den Werten von ${run}`,
  noValue: (reason) => `Kein Wert in diesem Lauf: ${reason}`,
  filledByModel: "Ein Modell füllt das aus, wenn der Schritt ausgeführt wird.",
  pick: "Wert einfügen",
  insert: (path) => `${path} einfügen`,
  copyPath: (path) => `${path} kopieren`,
  anything: "beliebig",
};

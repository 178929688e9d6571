import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const every = (count: number, one: string, other: string) =>
  count === 1 ? one : `Alle ${plural("de", count, { other })}`;

export const schedules: Messages["schedules"] = {
  title: "Zeitpläne",
  empty: "Es gibt keine Zeitpläne.",
  emptyText: "Ein Zeitplan startet einen Workflow zu einer Zeit, in einem Abstand oder nach einem Cron-Ausdruck.",
  create: "Neuer Zeitplan",
  workflow: "Workflow",
  named: (workflow, when) => `${workflow}: ${when}`,
  timing: "Wann",
  kinds: { cron: "Cron-Ausdruck", every: "Abstand", at: "Einmal" },
  cron: "Cron-Ausdruck",
  cronHint: "Minute, Stunde, Tag, Monat, Wochentag: 0 9 * * mon-fri läuft werktags um neun.",
  cronProblems: {
    fields: { second: "Sekunde", minute: "Minute", hour: "Stunde", day: "Tag", month: "Monat", weekday: "Wochentag" },
    count: (given) =>
      `Geben Sie fünf Felder ein, durch Leerzeichen getrennt: Minute, Stunde, Tag, Monat, Wochentag. Felder bisher: ${given}.`,
    value: (value, field, first, last) => `${field}: „${value}“ ist ungültig. Erlaubt sind ${first} bis ${last}.`,
  },
  timezone: "Zeitzone",
  every: "Abstand zwischen den Läufen",
  unit: "Einheit",
  units: { seconds: "Sekunden", minutes: "Minuten", hours: "Stunden", days: "Tage" },
  everyInterval: {
    seconds: (count) => every(count, "Jede Sekunde", "Sekunden"),
    minutes: (count) => every(count, "Jede Minute", "Minuten"),
    hours: (count) => every(count, "Jede Stunde", "Stunden"),
    days: (count) => every(count, "Jeden Tag", "Tage"),
  },
  runNow: "Jetzt ausführen",
  at: "Zeit",
  input: "Eingabe",
  inputHint: "Was jeder Lauf erhält. Für leere Felder gelten ihre Vorgaben.",
  missed: "Verpasste Läufe",
  missedHint: "Was mit Läufen geschieht, die fällig waren, während der Server nicht lief.",
  policies: { skip: "Auslassen", once: "Einmal für alle laufen", all: "Jeden nachholen" },
  version: "Version",
  latest: "Die neueste zum Zeitpunkt des Laufs",
  next: "Nächster Lauf",
  upcoming: "Nächste Läufe",
  upcomingIn: (zone) => `Nächste Läufe (${zone})`,
  noNext: "keiner",
  last: "Letztes Ergebnis",
  paused: "Angehalten",
  pause: "Anhalten",
  resume: "Fortsetzen",
  started: "Hat einen Lauf gestartet",
};

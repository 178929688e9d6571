import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const reference: Messages["reference"] = {
  title: "API-Referenz",
  intro:
    "Alle Routen dieses Servers. Dieselben Funktionen gibt es im Prozess und im Client, mit den Namen der Operationen.",
  document: "OpenAPI-Dokument",
  search: "Operationen suchen",
  nothing: "Keine Operation passt dazu.",
  found: (count) => plural("de", count, { one: "Operation", other: "Operationen" }),
  all: "Alle Operationen",
  noOperation: (id) => `Es gibt keine Operation ${id}.`,
  access: "Zugang",
  open: "Alle",
  adminKey: "Der Admin-Schlüssel",
  appKey: (scopes) => `Ein Schlüssel der App mit ${scopes}`,
  anyKey: "Jeder Schlüssel der App",
  orOpen: "Alle, bei öffentlichen Ressourcen",
  path: "Pfad",
  query: "Query",
  header: "Header",
  body: "Body",
  responses: "Antworten",
  required: "nötig",
  oneOf: "Eines von",
  listOf: "Liste von",
  examples: "Beispiele",
  tryIt: "Ausprobieren",
  tryHint: "Sendet die Anfrage mit Ihrer Sitzung. Was sie ändert, ist geändert.",
  send: "Senden",
  result: "Antwort",
  tooLarge: "Die Antwort wird bis 64 KiB gezeigt.",
};

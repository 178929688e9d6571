import type { Messages } from "../language.ts";
import { plural } from "../plural.ts";

export const collections: Messages["collections"] = {
  title: "Sammlungen",
  empty: "Es gibt keine Sammlungen.",
  emptyText: "Eine Sammlung enthält Datensätze. Workflows prüfen jeden Datensatz, der in sie geschrieben wird.",
  create: "Neue Sammlung",
  records: (count) => plural("de", count, { one: "Datensatz", other: "Datensätze" }),
  recordsColumn: "Datensätze",
  tags: "Tags",
  settings: "Einstellungen",
  rules: "Regeln",
  mappings: "Zuordnungen",
  triggers: "Trigger",
  indexes: "Indizierte Felder",
  indexesHint: "Als Entität:Feld, eines pro Zeile. Listen sortieren und filtern schnell nach ihnen.",
  restore: "Wiederherstellen",
  deleted: "Gelöschte Sammlungen",
  public: "Ohne API-Schlüssel lesbar",
};

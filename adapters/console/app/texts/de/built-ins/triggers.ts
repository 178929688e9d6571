import type { BuiltInTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of the types whose events can have any form. */
const filterPaths = {
  milestone_path: {
    title: "Pfad zum Meilenstein",
    description:
      "Wo ein Ereignis sagt, was erreicht wurde. Nur nötig, um nur Ereignisse bestimmter Meilensteine zu verarbeiten.",
  },
  folder_path: {
    title: "Pfad zum Ordner",
    description:
      "Wo ein Ereignis sagt, zu welchem Ordner es gehört. Nur nötig, um nur Ereignisse bestimmter Ordner zu verarbeiten.",
  },
};

export const triggerTypes: BuiltInTexts["triggerTypes"] = {
  loan_origination: {
    title: "Kreditvergabe",
    connection: {
      url: { title: "URL", description: "URL, die die Änderungen von Krediten auflistet." },
      token,
    },
  },
  poll: {
    title: "URL abfragen",
    config: {
      url: { title: "URL", description: "URL der Liste." },
      items_path: {
        title: "Pfad zu den Elementen",
        description: "Wo die Liste in der Antwort steht. Leer lassen, wenn die Antwort die Liste ist.",
      },
      id_path: { title: "Pfad zur Id", description: "Wo die Id in einem Element steht." },
      ...filterPaths,
    },
  },
  webhook: {
    title: "Webhook",
    config: {
      id_path: {
        title: "Pfad zur Id",
        description: "Wo die Id des Ereignisses im Inhalt der Anfrage steht. Leer lassen, um deren Id zu verwenden.",
      },
      ...filterPaths,
    },
  },
};

/** Of triggers of every type. */
export const triggers: BuiltInTexts["triggers"] = {
  mappings: { title: "Zuordnungen", description: "Werte des Ereignisses, die in den Datensatz kopiert werden." },
  "mappings[].type": {
    title: "Art",
    description: "key findet den Datensatz, file schreibt Dateien über ihre Ids, und field schreibt den Wert.",
  },
  "mappings[].entity_path": { title: "Feld des Datensatzes", description: "Als Entität:Feld." },
  "mappings[].input_path": {
    title: "Pfad im Ereignis",
    description: "Ein Name für jede Ebene. Ziffern wählen ein Element einer Liste.",
  },
  "mappings[].name": { title: "Name", description: "Wie Menschen diesen Wert nennen." },
  pull_on_millestones: {
    title: "Meilensteine",
    description: "Meilensteine, deren Ereignisse verarbeitet werden. Leer lassen für alle.",
  },
  pull_on_folders: {
    title: "Ordner",
    description: "Ordner, deren Ereignisse verarbeitet werden. Leer lassen für alle.",
  },
  interval: { title: "Abstand", description: "Sekunden zwischen zwei Abfragen. Standard: 300." },
};

import type { BuiltInTexts } from "../../built-in-texts.ts";
import { http } from "./http.ts";

const collection_id = { description: "Id einer Sammlung der App." };
const record_id = { description: "Id eines Datensatzes der Sammlung." };
const file_id = { description: "Id einer Datei der App." };
const tags = { description: "Ids von Tags der App." };
const changes = { description: "Werte nach Entität und Feld. null entfernt ein Feld oder eine Entität." };
const expected_version = {
  description: "Version, die der Datensatz haben muss. Sonst schlägt der Schritt fehl.",
};

export const services: BuiltInTexts["services"] = {
  events: {
    title: "Ereignisse",
    actions: {
      emit: {
        title: "Ereignis auslösen",
        description:
          "Löst ein Ereignis der App aus. Es setzt jeden Lauf fort, der darauf wartet, und startet jeden Workflow, der damit beginnt.",
      },
      wait: {
        title: "Auf ein Ereignis warten",
        description:
          "Wartet auf ein Ereignis mit diesem Namen (name) und, falls angegeben, diesem Gegenstand (subject). condition ist ein CEL-Ausdruck über event, der wahr sein muss. Mit lookback zählen auch Ereignisse der letzten N Sekunden (höchstens sieben Tage). Wie lange der Schritt wartet, begrenzt sein Zeitlimit.",
      },
    },
  },
  files: {
    title: "Dateien",
    actions: {
      create: {
        title: "Datei anlegen",
        description: "Legt eine Datei aus Text, aus Base64-codierten Bytes oder von einer URL an.",
      },
      read: {
        title: "Datei lesen",
        description:
          "Gibt eine Datei von höchstens 8 MiB als decodierten Text zurück, oder als Base64, wenn sie binär ist.",
        input: { file_id },
      },
      extract_text: {
        title: "Text eines Dokuments extrahieren",
        description:
          "Gibt den Text eines PDF, eines Office-Dokuments, einer Webseite, einer E-Mail oder einer Textdatei zurück.",
        input: { file_id },
      },
      delete: {
        title: "Datei löschen",
        description: "Löscht eine Datei der App und ihren Inhalt.",
        input: { file_id },
      },
    },
  },
  http,
  inputs: {
    title: "Formulare für Personen",
    actions: {
      create_link: {
        title: "Link zu einem Formular erstellen",
        description:
          "Erstellt einen Link zum Formular eines Eingabeschritts dieses Laufs (step_key), für eine Person ohne API-Schlüssel. Der Lauf darf den Schritt auch später erreichen. Das Formular nimmt eine Antwort an. expires_in zählt in Sekunden und beträgt ohne Angabe sieben Tage. title und dazu text oder markdown stehen über dem Formular.",
      },
    },
  },
  records: {
    title: "Datensätze",
    actions: {
      list: {
        title: "Datensätze auflisten",
        description: "Gibt eine Seite der Datensätze einer Sammlung zurück, die neuesten zuerst.",
        input: {
          collection_id,
          search: { description: "Text, der in einem beliebigen Feld vorkommt." },
          tags,
          page_token: { description: "next_page_token der vorherigen Seite." },
        },
      },
      get: {
        title: "Datensatz lesen",
        description: "Gibt einen Datensatz mit seinen Werten, seinen Tags und den Ergebnissen der Regeln zurück.",
        input: { collection_id, record_id },
      },
      create: {
        title: "Datensatz anlegen",
        description: "Legt einen Datensatz an und wartet bis zu 10 Sekunden auf die Regeln seiner Sammlung.",
        input: {
          collection_id,
          data: { description: "Werte nach Entität und Feld. { file_id } verweist auf eine Datei der App." },
          tags,
        },
      },
      update: {
        title: "Datensatz ändern",
        description: "Ändert die angegebenen Felder und wartet bis zu 10 Sekunden auf die Regeln der Sammlung.",
        input: { collection_id, record_id, data: changes, tags, expected_version },
      },
      upsert: {
        title: "Datensatz ändern oder anlegen",
        description:
          "Ändert den Datensatz, dessen Feld (path, als Entität:Feld) den angegebenen Wert hat, oder legt ihn an.",
        input: { collection_id, data: changes, tags },
      },
      delete: {
        title: "Datensatz löschen",
        description: "Löscht einen Datensatz einer Sammlung.",
        input: { collection_id, record_id, expected_version },
      },
    },
  },
  rules: {
    title: "Regeln",
    actions: {
      list: {
        title: "Regeln einer Sammlung auflisten",
        description: "Gibt die Regeln zurück, mit denen eine Sammlung ihre Datensätze prüft.",
        input: { collection_id },
      },
      evaluate: {
        title: "Datensatz prüfen",
        description:
          "Prüft einen Datensatz erneut mit den Regeln einer Sammlung und wartet bis zu 10 Sekunden auf ihre Ergebnisse.",
        input: { collection_id },
      },
    },
  },
  scheduler: {
    title: "Zeitsteuerung",
    actions: {
      create: {
        title: "Workflow planen",
        description:
          "Startet einen Workflow einmal (at), in einem Abstand in Sekunden (every) oder nach einem Cron-Ausdruck (cron).",
      },
      list: { title: "Zeitpläne auflisten", description: "Gibt die Zeitpläne der App zurück." },
      cancel: {
        title: "Zeitplan löschen",
        description: "Löscht einen Zeitplan, sodass er keine Läufe mehr startet.",
      },
      delay: {
        title: "Warten",
        description:
          "Hält den Lauf für eine Zahl von Sekunden an (höchstens 366 Tage) oder bis zu einem Zeitpunkt (ISO 8601). Liegt dieser in der Vergangenheit, geht der Lauf sofort weiter.",
      },
    },
  },
  web_search: {
    title: "Websuche",
    actions: {
      search: {
        title: "Im Web suchen",
        description: "Gibt Webseiten zurück, die passendste zuerst, mit Titel, URL und Textauszug.",
      },
    },
  },
  webhooks: {
    title: "Eingehende Webhooks",
    actions: {
      respond: {
        title: "Antworten",
        description:
          "Beantwortet die Anfrage des eingehenden Webhooks, die den Lauf gestartet hat. Der Lauf geht weiter. Stepwell sendet nur die erste Antwort, innerhalb von 30 Sekunden nach der Anfrage. In anderen Läufen hat der Schritt keine Wirkung.",
      },
    },
  },
};

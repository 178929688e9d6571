import type { Messages } from "../../messages.ts";

/** Words by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep: Messages["addStep"] = {
  words: {
    input:
      "Freigabe, Genehmigung, Mensch, Person, warten, hochladen, Upload, Datei, Formular, Auslöser, Start, Frage, approval",
    code: "JavaScript, TypeScript, Skript, umwandeln, umformen, setzen, Funktion, Schleife, für jedes, wiederholen, iterieren, Liste, script, transform, loop",
    http_request: "E-Mail, Mail, HTTP, API, abrufen, Webhook, REST, curl, URL, fetch",
    branch: "wenn, falls, Bedingung, Filter, sonst, Verzweigung, Weiche, Entscheidung, switch, if",
    model: "LLM, KI, AI, GPT, Chat, Prompt, Agent, Claude",
    workflow: "Unterworkflow, Teilworkflow, aufrufen, ausführen, subworkflow, call",
    browser: "auslesen, HTML, Screenshot, Website, scrape",
    note: "Kommentar, Anmerkung, Bemerkung, Zettel, Text, comment",
  },
  loopWords: "Schleife, für jedes, wiederholen, Wiederholung, iterieren, loop, for each, foreach",
  loop: (when, forEach) =>
    `Jeder Schritt kann sich wiederholen. Stellen Sie dazu in seinen Einstellungen unter „${when}“ den Punkt „${forEach}“ ein.`,
  errorWords:
    "abfangen, auffangen, Fehler, erneut versuchen, Wiederholung, Versuch, Zeitüberschreitung, catch, error, retry, timeout",
  error: (errors) =>
    `Jeder Schritt hat eigene Versuche und Auffangwege. Sie stehen in seinen Einstellungen unter „${errors}“.`,
};

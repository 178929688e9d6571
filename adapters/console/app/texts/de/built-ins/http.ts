import type { ServiceTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of both actions. */
const request = {
  url: {
    description:
      "Eine URL mit http: oder https:. Mit einer Verbindung darf sie relativ zur base_url der Verbindung sein.",
  },
  query: { description: "Query-Parameter. Eine Liste wiederholt einen Parameter, null lässt ihn weg." },
  response_timeout: {
    description:
      "Sekunden, in denen die Antwort beginnen muss. Standard: 30. Das Zeitlimit des Schritts begrenzt den ganzen Versuch.",
  },
  method: { description: "Standard: POST mit einem Inhalt, sonst GET." },
  json: { description: "Inhalt, der als application/json gesendet wird." },
  text: { description: "Inhalt, der als Text in UTF-8 gesendet wird." },
  form: { description: "Inhalt, der als application/x-www-form-urlencoded gesendet wird." },
};

export const http: ServiceTexts = {
  title: "HTTP",
  connection: {
    base_url: {
      title: "Basis-URL",
      description:
        "Basis-URL der API. Stepwell hängt relative URLs von Schritten an sie an und sendet Anfragen nur an ihren Origin.",
    },
    origins: {
      title: "Weitere Origins",
      description: "Weitere Origins, die die Zugangsdaten erhalten dürfen.",
    },
    "origins[]": { title: "Origin", description: "Ein Origin wie https://files.example.com." },
    "bearer.type": { title: "Bearer-Token" },
    "bearer.token": token,
    "basic.type": { title: "Benutzername und Passwort" },
    "basic.username": { title: "Benutzername" },
    "basic.password": { title: "Passwort" },
    "header.type": { title: "Header" },
    "header.name": { title: "Name des Headers" },
    "header.value": { title: "Wert", description: "Wert des Headers." },
    "query.type": { title: "Query-Parameter" },
    "query.name": { title: "Name des Parameters", description: "Name des Query-Parameters." },
    "query.value": { title: "Wert", description: "Wert des Query-Parameters." },
    "oauth2.type": { title: "OAuth 2.0 (Client Credentials)" },
    "oauth2.token_url": {
      title: "Token-URL",
      description: "Token-Endpunkt des Autorisierungsservers (RFC 6749, Client Credentials).",
    },
    "oauth2.client_id": { title: "Client-Id", description: "Id des Clients." },
    "oauth2.client_secret": { title: "Client-Secret", description: "Geheimnis des Clients." },
    "oauth2.scope": { title: "Scope", description: "Scopes, durch Leerzeichen getrennt." },
    "oauth2.audience": { title: "Audience", description: "Audience, für Server, die eine verlangen." },
    "oauth2.client_auth": {
      title: "Authentifizierung des Clients",
      description:
        "Ob das Client-Secret im Header Authorization (basic) oder im Inhalt (body) gesendet wird. Standard: basic.",
    },
  },
  actions: {
    request: {
      title: "HTTP-Anfrage senden",
      description:
        "Sendet eine Anfrage, mit den Zugangsdaten der Verbindung, falls eine gewählt ist. Die Antwort wird zu JSON, zu Text oder zu einer Datei der App. Ab dem Status 400 schlägt der Schritt fehl.",
      input: {
        ...request,
        multipart: { description: "Inhalt, der als multipart/form-data gesendet wird: Texte und Dateien der App." },
        "multipart[].file_id": { description: "Id einer Datei der App." },
        file_id: { description: "Id einer Datei der App, die als Inhalt gesendet wird." },
        response: {
          description:
            "auto gibt JSON oder Text zurück, wenn die Antwort einen solchen Medientyp hat, und speichert sonst eine Datei.",
        },
        file_name: { description: "Name der gespeicherten Datei. Standard: der Name, den der Server sendet." },
        visibility: { description: "Sichtbarkeit der gespeicherten Datei." },
      },
    },
    paginate: {
      title: "Liste Seite für Seite lesen",
      description:
        "Ruft die Seiten einer Liste ab und gibt alle Elemente zurück. has_more ist true, wenn vor der letzten Seite eine Grenze erreicht wurde.",
      input: {
        ...request,
        next: { description: "Wie die nächste Seite gefunden wird." },
        "next.link": { description: 'Folgt dem Header Link mit rel="next" (RFC 8288).' },
        "next.url": { description: "Folgt einer URL im Inhalt. path: ihr JSON Pointer." },
        "next.cursor": {
          description: "Sendet einen Wert des Inhalts als Query-Parameter. path: sein JSON Pointer.",
        },
        "next.cursor.parameter": { description: "Query-Parameter. Standard: cursor." },
        "next.page": { description: "Ruft nummerierte Seiten ab, bis eine keine Elemente hat." },
        "next.page.parameter": { description: "Query-Parameter. Standard: page." },
        "next.offset": {
          description: "Sendet die Zahl der bisher erhaltenen Elemente als Offset, bis eine Seite keine Elemente hat.",
        },
        "next.offset.parameter": { description: "Query-Parameter. Standard: offset." },
        items: { description: "JSON Pointer der Liste in jedem Inhalt. Standard: Der Inhalt ist die Liste." },
        max_pages: { description: "Standard: 100." },
        max_items: { description: "Standard: 10000." },
      },
    },
  },
};

import type { ServiceTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of both actions. */
const request = {
  url: {
    description: "URL en http: ou https:. Avec une connexion, elle peut être relative à la base_url de celle-ci.",
  },
  query: { description: "Paramètres de requête. Une liste répète un paramètre, null l’omet." },
  response_timeout: {
    description:
      "Délai en secondes dans lequel la réponse doit commencer. Par défaut : 30. Le délai d’expiration de l’étape limite la tentative entière.",
  },
  method: { description: "Par défaut : POST avec un corps, sinon GET." },
  json: { description: "Corps à envoyer en application/json." },
  text: { description: "Corps à envoyer en texte UTF-8." },
  form: { description: "Corps à envoyer en application/x-www-form-urlencoded." },
};

export const http: ServiceTexts = {
  title: "HTTP",
  connection: {
    base_url: {
      title: "URL de base",
      description:
        "URL de base de l’API. Stepwell y ajoute les URL relatives des étapes et n’envoie de requêtes qu’à son origine.",
    },
    origins: {
      title: "Origines supplémentaires",
      description: "Autres origines autorisées à recevoir les identifiants.",
    },
    "origins[]": { title: "Origine", description: "Une origine, comme https://files.example.com." },
    "bearer.type": { title: "Jeton Bearer" },
    "bearer.token": token,
    "basic.type": { title: "Nom d’utilisateur et mot de passe" },
    "basic.username": { title: "Nom d’utilisateur" },
    "basic.password": { title: "Mot de passe" },
    "header.type": { title: "En-tête" },
    "header.name": { title: "Nom de l’en-tête" },
    "header.value": { title: "Valeur", description: "Valeur de l’en-tête." },
    "query.type": { title: "Paramètre de requête" },
    "query.name": { title: "Nom du paramètre", description: "Nom du paramètre de requête." },
    "query.value": { title: "Valeur", description: "Valeur du paramètre de requête." },
    "oauth2.type": { title: "OAuth 2.0 (client credentials)" },
    "oauth2.token_url": {
      title: "URL du jeton",
      description: "Point de terminaison de jeton du serveur d’autorisation (RFC 6749, client credentials).",
    },
    "oauth2.client_id": { title: "ID du client", description: "ID du client." },
    "oauth2.client_secret": { title: "Secret du client", description: "Secret du client." },
    "oauth2.scope": { title: "Portée", description: "Portées (scopes), séparées par des espaces." },
    "oauth2.audience": { title: "Audience", description: "Audience, pour les serveurs qui l’exigent." },
    "oauth2.client_auth": {
      title: "Authentification du client",
      description:
        "Indique si le secret du client est envoyé dans l’en-tête Authorization (basic) ou dans le corps (body). Par défaut : basic.",
    },
  },
  actions: {
    request: {
      title: "Envoyer une requête HTTP",
      description:
        "Envoie une requête, avec les identifiants de la connexion s’il y en a une. La réponse devient du JSON, du texte ou un fichier de l’application. Un statut de 400 ou plus fait échouer l’étape.",
      input: {
        ...request,
        multipart: { description: "Corps à envoyer en multipart/form-data : textes et fichiers de l’application." },
        "multipart[].file_id": { description: "ID d’un fichier de l’application." },
        file_id: { description: "ID d’un fichier de l’application à envoyer comme corps." },
        response: {
          description:
            "auto renvoie du JSON ou du texte si la réponse a un type de média correspondant, et stocke un fichier sinon.",
        },
        file_name: { description: "Nom du fichier stocké. Par défaut : le nom envoyé par le serveur." },
        visibility: { description: "Visibilité du fichier stocké." },
      },
    },
    paginate: {
      title: "Lire une liste page par page",
      description:
        "Demande les pages d’une liste et renvoie tous les éléments. has_more vaut true si une limite a été atteinte avant la dernière page.",
      input: {
        ...request,
        next: { description: "Comment trouver la page suivante." },
        "next.link": { description: 'Suit l’en-tête Link avec rel="next" (RFC 8288).' },
        "next.url": { description: "Suit une URL du corps. path : son pointeur JSON (JSON Pointer)." },
        "next.cursor": {
          description:
            "Envoie une valeur du corps comme paramètre de requête. path : son pointeur JSON (JSON Pointer).",
        },
        "next.cursor.parameter": { description: "Paramètre de requête. Par défaut : cursor." },
        "next.page": { description: "Demande des pages numérotées jusqu’à ce que l’une n’ait plus d’éléments." },
        "next.page.parameter": { description: "Paramètre de requête. Par défaut : page." },
        "next.offset": {
          description:
            "Envoie le nombre d’éléments déjà reçus comme décalage, jusqu’à ce qu’une page n’ait plus d’éléments.",
        },
        "next.offset.parameter": { description: "Paramètre de requête. Par défaut : offset." },
        items: {
          description:
            "Pointeur JSON (JSON Pointer) de la liste dans chaque corps. Par défaut : le corps est la liste.",
        },
        max_pages: { description: "Par défaut : 100." },
        max_items: { description: "Par défaut : 10000." },
      },
    },
  },
};

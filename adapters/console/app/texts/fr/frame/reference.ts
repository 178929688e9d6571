import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const reference: Messages["reference"] = {
  title: "Référence de l’API",
  intro:
    "Toutes les routes de ce serveur. Les mêmes fonctions existent dans le processus et dans le client, sous le nom des opérations.",
  document: "Document OpenAPI",
  search: "Rechercher une opération",
  nothing: "Aucune opération ne correspond.",
  found: (count) => plural("fr", count, { one: "opération", other: "opérations" }),
  all: "Toutes les opérations",
  noOperation: (id) => `L’opération ${id} n’existe pas.`,
  access: "Accès",
  open: "Tout le monde",
  adminKey: "La clé d’administration",
  appKey: (scopes) => `Une clé de l’application avec ${scopes}`,
  anyKey: "Toute clé de l’application",
  orOpen: "Tout le monde, pour les ressources publiques",
  path: "Chemin",
  query: "Paramètres de requête",
  header: "En-têtes",
  body: "Corps",
  responses: "Réponses",
  required: "obligatoire",
  oneOf: "L’un de",
  listOf: "liste de",
  examples: "Exemples",
  tryIt: "Essayer",
  tryHint: "Envoie la requête avec votre session. Les modifications sont bien réelles.",
  send: "Envoyer",
  result: "Réponse",
  tooLarge: "La réponse est affichée jusqu’à 64 Kio.",
};

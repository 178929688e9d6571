import type { Messages } from "../../messages.ts";

export const connections: Messages["connections"] = {
  title: "Connexions",
  empty: "Aucune connexion.",
  emptyText:
    "Une connexion conserve les identifiants d’un service, chiffrés. Les étapes et les déclencheurs l’utilisent par son ID.",
  noSecret:
    "Ce serveur n’a pas de secret pour chiffrer les identifiants. Son exploitant doit définir l’option « secret ».",
  create: "Nouvelle connexion",
  service: "Service",
  credentials: "Identifiants",
  replace: "Remplacer les identifiants",
  replaceHint: "Les nouveaux identifiants remplacent tous ceux qui sont conservés.",
  inUse: "Cette connexion est encore utilisée. Sa suppression fera échouer :",
  force: "Supprimer quand même",
};

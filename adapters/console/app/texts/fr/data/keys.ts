import type { Messages } from "../../messages.ts";

export const keys: Messages["keys"] = {
  title: "Clés d’API",
  empty: "Aucune clé.",
  adminOnly:
    "Seul un administrateur peut voir et modifier les clés. Connectez-vous avec la clé d’administration ou adressez-vous à l’exploitant de ce serveur.",
  create: "Nouvelle clé",
  nameHint: "La personne ou le système qui l’utilise, par exemple « Back-office ».",
  scopes: "Autorisations",
  allScopes: "Tout dans cette application",
  someScopes: "Seulement la sélection",
  scopeTable: "Autorisations par ressource",
  resource: "Ressource",
  read: "Lecture",
  write: "Écriture",
  act: "Agir pour des utilisateurs",
  actHint: "Les requêtes peuvent indiquer l’utilisateur pour lequel elles agissent.",
  expires: "Expiration",
  expiresHint: "Laisser vide pour une clé sans expiration.",
  lastUsed: "Dernière utilisation",
  notUsed: "jamais",
  issued: "Votre nouvelle clé",
  issuedHint:
    "Copiez-la maintenant. Elle n’est affichée qu’une seule fois : le serveur n’en conserve qu’une empreinte.",
  revoke: "Révoquer",
  revokeTitle: (name) => `Révoquer « ${name} » ?`,
  revokeText:
    "Les requêtes avec cette clé échoueront immédiatement. Les sessions de la console ouvertes avec elle prendront fin.",
};

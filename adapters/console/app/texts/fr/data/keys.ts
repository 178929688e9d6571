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
  chooseScopes: "Choisissez au moins une autorisation.",
  scopeTable: "Autorisations par ressource",
  resource: "Ressource",
  read: "Lecture",
  write: "Écriture",
  noScopes: "Aucune",
  allReading: "Toute la lecture",
  usedRecently: "au cours de la dernière heure",
  resources: {
    workflows: { name: "Workflows", opens: "Définitions, brouillons et versions." },
    runs: {
      name: "Exécutions",
      opens:
        "Exécutions avec leurs entrées, sorties et journaux ; écriture : les lancer, y répondre, les annuler et les supprimer.",
    },
    files: { name: "Fichiers", opens: "Fichiers téléversés et adresses de téléversement." },
    collections: { name: "Collections", opens: "Collections avec leurs enregistrements, règles et étiquettes." },
    events: {
      name: "Événements entre exécutions",
      opens: "Événements que les exécutions attendent ou qui les lancent ; écriture : les envoyer.",
    },
    schedules: { name: "Planifications", opens: "Quand les workflows s’exécutent d’eux-mêmes." },
    connections: {
      name: "Connexions",
      opens: "Comptes d’autres services. Leurs identifiants ne sont jamais affichés.",
    },
    hooks: { name: "Webhooks entrants", opens: "Adresses auxquelles d’autres systèmes lancent des workflows." },
    webhooks: { name: "Webhooks sortants", opens: "Notifications à d’autres systèmes et leurs livraisons." },
    jobs: {
      name: "Tâches de fond",
      opens: "Progression des importations et des actions sur de nombreuses exécutions ; écriture : les arrêter.",
    },
  },
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
  revokedKey: (name: string) => `« ${name} » a été révoquée.`,
  revokeTitle: (name) => `Révoquer « ${name} » ?`,
  revokeText:
    "Les requêtes avec cette clé échoueront immédiatement. Les sessions de la console ouvertes avec elle prendront fin.",
};

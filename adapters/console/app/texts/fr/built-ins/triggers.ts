import type { BuiltInTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of the types whose events can have any form. */
const filterPaths = {
  milestone_path: {
    title: "Chemin du jalon",
    description:
      "Où un événement dit ce qui est atteint. Nécessaire pour ne traiter que les événements de certains jalons.",
  },
  folder_path: {
    title: "Chemin du dossier",
    description:
      "Où un événement dit à quel dossier il appartient. Nécessaire pour ne traiter que les événements de certains dossiers.",
  },
};

export const triggerTypes: BuiltInTexts["triggerTypes"] = {
  loan_origination: {
    title: "Octroi de prêts",
    connection: {
      url: { title: "URL", description: "URL qui liste les modifications des prêts." },
      token,
    },
  },
  poll: {
    title: "Interroger une URL",
    config: {
      url: { title: "URL", description: "URL de la liste." },
      items_path: {
        title: "Chemin des éléments",
        description: "Emplacement de la liste dans la réponse. Laisser vide si la réponse est la liste.",
      },
      id_path: { title: "Chemin de l’ID", description: "Emplacement de l’ID dans un élément." },
      ...filterPaths,
    },
  },
  webhook: {
    title: "Webhook",
    config: {
      id_path: {
        title: "Chemin de l’ID",
        description: "Emplacement de l’ID de l’événement dans le corps. Laisser vide pour utiliser l’ID de la requête.",
      },
      ...filterPaths,
    },
  },
};

/** Of triggers of every type. */
export const triggers: BuiltInTexts["triggers"] = {
  mappings: { title: "Correspondances", description: "Valeurs de l’événement à copier dans l’enregistrement." },
  "mappings[].type": {
    title: "Type",
    description: "key trouve l’enregistrement, file écrit des fichiers par leurs ID et field écrit la valeur.",
  },
  "mappings[].entity_path": { title: "Champ de l’enregistrement", description: "Au format entité:champ." },
  "mappings[].input_path": {
    title: "Chemin dans l’événement",
    description: "Un nom par niveau. Des chiffres désignent un élément d’une liste.",
  },
  "mappings[].name": { title: "Nom", description: "Le nom de cette valeur pour les personnes." },
  pull_on_millestones: {
    title: "Jalons",
    description: "Jalons dont les événements sont traités. Laisser vide pour tous.",
  },
  pull_on_folders: {
    title: "Dossiers",
    description: "Dossiers dont les événements sont traités. Laisser vide pour tous.",
  },
  interval: { title: "Intervalle", description: "Nombre de secondes entre deux interrogations. Par défaut : 300." },
};

import type { BuiltInTexts } from "../../built-in-texts.ts";
import { http } from "./http.ts";

const collection_id = { description: "ID d’une collection de l’application." };
const record_id = { description: "ID d’un enregistrement de la collection." };
const file_id = { description: "ID d’un fichier de l’application." };
const tags = { description: "ID de tags de l’application." };
const changes = { description: "Valeurs par entité et par champ. null supprime un champ ou une entité." };
const expected_version = { description: "Version que l’enregistrement doit avoir. Sinon, l’étape échoue." };

export const services: BuiltInTexts["services"] = {
  events: {
    title: "Événements",
    actions: {
      emit: {
        title: "Émettre un événement",
        description:
          "Émet un événement de l’application. Il fait reprendre toutes les exécutions qui l’attendent et démarre tous les workflows qu’il déclenche.",
      },
      wait: {
        title: "Attendre un événement",
        description:
          "Attend un événement avec ce nom (name) et, s’il est défini, ce sujet (subject). condition est une expression CEL sur event qui doit être vraie. Avec lookback, les événements des N dernières secondes (sept jours au maximum) comptent aussi. Pour limiter l’attente, définissez le délai d’expiration de l’étape.",
      },
    },
  },
  files: {
    title: "Fichiers",
    actions: {
      create: {
        title: "Créer un fichier",
        description: "Crée un fichier à partir d’un texte, d’octets encodés en Base64 ou d’une URL.",
      },
      read: {
        title: "Lire un fichier",
        description:
          "Renvoie un fichier de 8 Mio au maximum sous forme de texte décodé, ou en Base64 s’il est binaire.",
        input: { file_id },
      },
      extract_text: {
        title: "Extraire le texte d’un document",
        description:
          "Renvoie le texte d’un PDF, d’un document Office, d’une page web, d’un e-mail ou d’un fichier texte.",
        input: { file_id },
      },
      delete: {
        title: "Supprimer un fichier",
        description: "Supprime un fichier de l’application et son contenu.",
        input: { file_id },
      },
    },
  },
  http,
  inputs: {
    title: "Formulaires pour des personnes",
    actions: {
      create_link: {
        title: "Créer un lien vers un formulaire",
        description:
          "Crée un lien vers le formulaire d’une étape d’entrée de cette exécution (step_key), pour une personne sans clé d’API. L’exécution peut atteindre l’étape plus tard. Le formulaire accepte une seule réponse. expires_in est en secondes et vaut sept jours par défaut. title, ainsi que text ou markdown, s’affichent au-dessus du formulaire.",
      },
    },
  },
  records: {
    title: "Enregistrements",
    actions: {
      list: {
        title: "Lister les enregistrements",
        description: "Renvoie une page des enregistrements d’une collection, les plus récents d’abord.",
        input: {
          collection_id,
          search: { description: "Texte à rechercher dans tous les champs." },
          tags,
          page_token: { description: "Le next_page_token de la page précédente." },
        },
      },
      get: {
        title: "Lire un enregistrement",
        description: "Renvoie un enregistrement avec ses valeurs, ses tags et les résultats des règles.",
        input: { collection_id, record_id },
      },
      create: {
        title: "Créer un enregistrement",
        description: "Crée un enregistrement et attend les règles de sa collection pendant 10 secondes au maximum.",
        input: {
          collection_id,
          data: {
            description: "Valeurs par entité et par champ. { file_id } désigne un fichier de l’application.",
          },
          tags,
        },
      },
      update: {
        title: "Modifier un enregistrement",
        description:
          "Modifie les champs indiqués et attend les règles de la collection pendant 10 secondes au maximum.",
        input: { collection_id, record_id, data: changes, tags, expected_version },
      },
      upsert: {
        title: "Modifier ou créer un enregistrement",
        description:
          "Modifie l’enregistrement dont le champ (path, au format entité:champ) a la valeur indiquée, ou le crée.",
        input: { collection_id, data: changes, tags },
      },
      delete: {
        title: "Supprimer un enregistrement",
        description: "Supprime un enregistrement d’une collection.",
        input: { collection_id, record_id, expected_version },
      },
    },
  },
  rules: {
    title: "Règles",
    actions: {
      list: {
        title: "Lister les règles d’une collection",
        description: "Renvoie les règles qui vérifient les enregistrements d’une collection.",
        input: { collection_id },
      },
      evaluate: {
        title: "Vérifier un enregistrement",
        description:
          "Vérifie de nouveau un enregistrement avec les règles d’une collection et attend leurs résultats pendant 10 secondes au maximum.",
        input: { collection_id },
      },
    },
  },
  scheduler: {
    title: "Planificateur",
    actions: {
      create: {
        title: "Planifier un workflow",
        description:
          "Exécute un workflow une fois (at), à un intervalle en secondes (every) ou selon une expression cron (cron).",
      },
      list: { title: "Lister les planifications", description: "Renvoie les planifications de l’application." },
      cancel: {
        title: "Supprimer une planification",
        description: "Supprime une planification, qui ne lance alors plus d’exécutions.",
      },
      delay: {
        title: "Attendre",
        description:
          "Suspend l’exécution pendant un nombre de secondes (366 jours au maximum) ou jusqu’à une date (ISO 8601). Si cette date est passée, l’exécution reprend immédiatement.",
      },
    },
  },
  web_search: {
    title: "Recherche web",
    actions: {
      search: {
        title: "Rechercher sur le web",
        description: "Renvoie des pages web, les plus pertinentes d’abord, avec leur titre, leur URL et un extrait.",
      },
    },
  },
  webhooks: {
    title: "Webhooks entrants",
    actions: {
      respond: {
        title: "Répondre",
        description:
          "Répond à la requête du webhook entrant qui a démarré l’exécution. L’exécution continue. Stepwell n’envoie que la première réponse, dans les 30 secondes qui suivent la requête. Sans effet dans les autres exécutions.",
      },
    },
  },
};

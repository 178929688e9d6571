import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const every = (count: number, start: string, one: string, other: string) =>
  count === 1 ? `${start} ${other}` : `${start} ${plural("fr", count, { one, other })}`;

export const schedules: Messages["schedules"] = {
  title: "Planifications",
  empty: "Aucune planification.",
  emptyText:
    "Une planification exécute un workflow à une date donnée, à intervalle régulier ou selon une expression cron.",
  create: "Nouvelle planification",
  workflow: "Workflow",
  named: (workflow, when) => `${workflow} : ${when}`,
  timing: "Quand",
  kinds: { cron: "Expression cron", every: "Intervalle", at: "Une fois" },
  cron: "Expression cron",
  cronHint: "Minute, heure, jour, mois, jour de la semaine : 0 9 * * mon-fri s’exécute en semaine à neuf heures.",
  cronProblems: {
    fields: {
      second: "Seconde",
      minute: "Minute",
      hour: "Heure",
      day: "Jour",
      month: "Mois",
      weekday: "Jour de la semaine",
    },
    count: (given) =>
      `Saisissez cinq champs séparés par des espaces : minute, heure, jour, mois, jour de la semaine. Champs actuels : ${given}.`,
    value: (value, field, first, last) =>
      `${field} : « ${value} » n’est pas valide. Utilisez une valeur de ${first} à ${last}.`,
  },
  timezone: "Fuseau horaire",
  every: "Intervalle entre les exécutions",
  unit: "Unité",
  units: { seconds: "secondes", minutes: "minutes", hours: "heures", days: "jours" },
  everyInterval: {
    seconds: (count) => every(count, "Toutes les", "seconde", "secondes"),
    minutes: (count) => every(count, "Toutes les", "minute", "minutes"),
    hours: (count) => every(count, "Toutes les", "heure", "heures"),
    days: (count) => every(count, "Tous les", "jour", "jours"),
  },
  runNow: "Exécuter maintenant",
  at: "Date et heure",
  input: "Entrée",
  inputHint: "Ce que reçoit chaque exécution. Les champs vides prennent leur valeur par défaut.",
  missed: "Exécutions manquées",
  missedHint: "Que faire des exécutions prévues pendant que le serveur était arrêté.",
  policies: {
    skip: "Les ignorer",
    once: "Une seule exécution pour toutes",
    all: "Exécuter chacune d’elles",
  },
  version: "Version",
  latest: "La plus récente au moment de l’exécution",
  next: "Prochaine exécution",
  upcoming: "Prochaines exécutions",
  upcomingIn: (zone) => `Prochaines exécutions (${zone})`,
  noNext: "aucune",
  last: "Dernier résultat",
  paused: "Suspendue",
  pause: "Suspendre",
  resume: "Réactiver",
  started: "Exécution démarrée",
};

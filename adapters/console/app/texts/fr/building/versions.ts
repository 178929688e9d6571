import { capitalized } from "../../capitalized.ts";
import type { Compared } from "../../en/building/versions.ts";
import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const compared = (version: Compared): string =>
  typeof version === "number" ? `version ${version}` : version === "draft" ? "brouillon" : "version la plus récente";

export const versions: Messages["versions"] = {
  title: (workflow) => `Versions de ${workflow}`,
  version: (version) => `Version ${version}`,
  versionOf: (version, workflow) => `${version} de ${workflow}`,
  latest: "la plus récente",
  latestVersion: "Version la plus récente",
  draft: "Brouillon",
  number: "Version",
  notes: "Notes",
  notesOf: (version) => `Notes de v${version} :`,
  by: "Par",
  date: "Déploiement",
  rolledBack: (version) => `restaure v${version}`,
  compare: "Comparer",
  compareWithDraft: "Comparer avec le brouillon",
  compareWithLatest: "Comparer avec la plus récente",
  compareWithBefore: "Ce qui a changé",
  compareTitle: (from, to, workflow) => `${capitalized(compared(from))} et ${compared(to)} de ${workflow}`,
  from: "De",
  to: "À",
  rollBack: "Restaurer…",
  rollBackTitle: (version) => `Restaurer la version ${version}`,
  rollBackText: (version, next) =>
    `Déploie de nouveau la version ${version}, en tant que version ${next}. Le brouillon reste inchangé.`,
  fileReplaces: (path) =>
    `stepwell dev remplace cette version par ${path} à son prochain démarrage et à chaque enregistrement de ce fichier. Pour la conserver, téléchargez sa définition dans ce fichier.`,
  rollBackAction: "Restaurer",
  runsOf: "Exécutions",
  openDraft: "Ouvrir le brouillon",
  empty: "Rien n’est encore déployé.",
  emptyText: "Déployez le brouillon pour créer la première version.",
  same: "Aucune différence.",
  summary: (added, removed, changed) => `Ajouts : ${added}, suppressions : ${removed}, modifications : ${changed}`,
  layoutHidden: (count) =>
    `${plural("fr", count, { one: "modification", other: "modifications" })} de positions et de tailles, sans effet sur les exécutions`,
  moved: (count) => `${plural("fr", count, { one: "étape déplacée", other: "étapes déplacées" })} dans la liste`,
  stepAdded: "Ajoutée",
  stepRemoved: "Supprimée",
  stepChanged: "Modifiée",
  stepRenamed: (from) => `Renommée, auparavant ${from}`,
  part: {
    input: "Champs d’entrée",
    input_default: "Valeurs des champs",
    input_options: "Disposition du formulaire",
    settings: "Paramètres des exécutions",
  },
  before: "Avant",
  after: "Après",
  nothing: "non défini",
  equalLines: (count) => plural("fr", count, { one: "ligne identique", other: "lignes identiques" }),
  lineAdded: "ajoutée",
  lineRemoved: "supprimée",
  truncated: "Il y a d’autres différences.",
  canvases: "Les deux canevas",
  list: "Par étape et champ",
  views: "Vue",
  canvasOf: (version) => `Canevas de ${version}`,
};

import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const files: Messages["files"] = {
  title: "Fichiers",
  empty: "Aucun fichier.",
  emptyText:
    "Déposez ou collez des fichiers ici. D’autres proviennent des exécutions, des enregistrements et des personnes qui ont une adresse de téléversement.",
  size: "Taille",
  type: "Type",
  expires: "Suppression prévue",
  keptForGood: "aucune",
  visibility: "Visibilité",
  visibilities: { PRIVATE: "Privé", PUBLIC: "Public : tout le monde peut le télécharger" },
  upload: "Téléverser un fichier",
  uploading: (percent) => `Téléversement : ${percent}`,
  uploadingOf: (position, count, percent) => `Téléversement ${position} sur ${count} : ${percent}`,
  uploaded: (count) => `${plural("fr", count, { one: "fichier téléversé", other: "fichiers téléversés" })}.`,
  deleteText: "Ses liens ne fonctionnent plus. Les enregistrements et les exécutions qui le citent gardent son ID.",
  dropHere: "Déposez des fichiers pour les téléverser.",
  newAddress: "Nouvelle adresse de téléversement",
  addressTitle: "Adresse de téléversement",
  addressText:
    "Toute personne disposant de cette adresse peut téléverser un fichier, sans compte, jusqu’à son expiration.",
  validUntil: "Valable jusqu’au",
  addressKept: "Cette adresse n’est affichée que dans cet onglet. Copiez-la avant de le fermer.",
  addressUsed: "Cette adresse a été utilisée : le fichier est arrivé.",
  addressFileGone: "Cette adresse a été utilisée. Son fichier a été supprimé.",
  addressExpired: "Cette adresse a expiré. Créez-en une nouvelle.",
  openFile: "Ouvrir le fichier",
  addressGone: "Cette adresse ne peut plus être affichée.",
  addressGoneText:
    "Seul l’onglet qui a créé une adresse de téléversement l’affiche. Créez-en une nouvelle si nécessaire.",
  done: "Terminé",
  maxSize: "Taille maximale en Mio",
  allowedTypes: "Types acceptés",
  allowedTypesHint:
    "Types de média, séparés par des virgules : application/pdf, image/*. Laisser vide pour accepter tous les types.",
  validFor: "Durée de validité (heures)",
  fileName: "Nom du fichier",
  fileNameHint: "Laisser vide pour garder le nom donné par l’expéditeur.",
  preview: "Aperçu",
  noPreview: "Aucun aperçu pour ce type.",
  firstRows: (count) =>
    `Affichage limité : ${plural("fr", count, { one: "première ligne", other: "premières lignes" })}.`,
  firstColumns: (shown, all) => `Affichage limité : ${shown} colonnes sur ${all}.`,
  digest: "SHA-256",
  link: "Lien de téléchargement",
  qr: "Code QR de l’adresse",
  rename: "Renommer",
  expiresAt: "Supprimer le",
  expiresAtHint: "Laisser vide pour conserver le fichier.",
};

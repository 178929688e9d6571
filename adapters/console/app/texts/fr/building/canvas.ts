import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const canvas: Messages["canvas"] = {
  types: {
    note: "Note",
    input: "Entrée",
    branch: "Branchement",
    code: "Code",
    model: "Modèle",
    http_request: "Requête HTTP",
    browser: "Page web",
    workflow: "Workflow",
    service: "Service",
  },
  features: {
    conditional: "seulement si une condition est vraie",
    loop: "se répète jusqu’à ce qu’une condition soit vraie",
    forEach: "s’exécute pour chaque élément d’une liste",
    retry: "a ses propres règles de nouvelle tentative",
    continues: "un échec n’arrête pas l’exécution",
    auto: "un modèle remplit des champs",
    webhook: "a un webhook",
  },
  changes: { added: "ajoutée", removed: "supprimée", changed: "modifiée" },
  place: (index, count) => `${index} sur ${count}`,
  problems: (count) => plural("fr", count, { one: "problème", other: "problèmes" }),
  leadsTo: (steps, others) => (others === 0 ? `mène à ${steps}` : `mène à ${steps} et ${others} de plus`),
  leadsNowhere: "ne mène à aucune étape",
  else: "sinon",
  onError: "en cas d’erreur",
  view: "Vue",
  zoomIn: "Zoom avant",
  zoomOut: "Zoom arrière",
  fit: "Tout afficher",
  map: "Carte du canevas",
  addBehind: (step) => `Ajouter une étape après ${step}`,
  addBetween: (from, to) => `Ajouter une étape entre ${from} et ${to}`,
};

import type { Messages } from "../../messages.ts";

export const expressions: Messages["expressions"] = {
  variables: {
    input: "L’entrée de l’exécution.",
    steps: "Les étapes précédentes, par clé.",
    run: "L’exécution : ID, workflow, version, origine, tags et métadonnées.",
    app: "L’application : ID et nom.",
    now: "Moment où l’étape est devenue prête.",
    iteration: "Le numéro de l’itération, à partir de 1.",
    previous: "La sortie de l’itération précédente ; null pour la première.",
    output: "La sortie de l’itération en cours.",
    item: "L’élément de la liste.",
    index: "L’index de l’élément, à partir de 0.",
    error: "La raison de l’échec de l’étape.",
    event: "L’événement reçu.",
  },
  modes: { value: "Valeur fixe", expression: "Expression", auto: "Faire remplir par un modèle" },
  modeOf: (label) => `Mode de saisie de « ${label} »`,
  autoWish: "Ce que le modèle doit fournir",
  result: "Résultat",
  inRun: (run) => `Avec les valeurs de ${run}`,
  noValue: (reason) => `Aucune valeur dans cette exécution : ${reason}`,
  filledByModel: "Un modèle remplit ce champ lors de l’exécution de l’étape.",
  pick: "Insérer une valeur",
  insert: (path) => `insérer ${path}`,
  copyPath: (path) => `Copier ${path}`,
  anything: "quelconque",
};

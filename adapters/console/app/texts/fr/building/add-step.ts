import type { Messages } from "../../messages.ts";

/** Words by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep: Messages["addStep"] = {
  words: {
    input:
      "approbation, validation, humain, personne, attendre, téléverser, importer, fichier, formulaire, déclencheur, début, question, upload, approval",
    code: "JavaScript, TypeScript, script, transformer, définir, fonction, boucle, pour chaque, itérer, répéter, liste, loop",
    http_request: "e-mail, courriel, mail, HTTP, API, récupérer, webhook, REST, curl, URL, fetch",
    branch: "si, condition, filtre, filtrer, sinon, aiguillage, décision, switch, if",
    model: "LLM, IA, AI, GPT, chat, prompt, agent, Claude",
    workflow: "sous-workflow, appeler, appel, exécuter, subworkflow, call",
    browser: "extraire, HTML, capture, site, scrape",
    note: "commentaire, remarque, annotation, texte, comment",
  },
  loopWords: "boucle, pour chaque, itérer, itération, répéter, répétition, loop, for each, foreach",
  loop: (when, forEach) =>
    `Chaque étape peut se répéter. Dans son panneau, sous « ${when} », définissez « ${forEach} ».`,
  errorWords: "erreur, échec, intercepter, réessayer, nouvelle tentative, délai, catch, error, retry, timeout",
  error: (errors) =>
    `Chaque étape a ses propres nouvelles tentatives et branches d’erreur. Définissez-les dans son panneau, sous « ${errors} ».`,
};

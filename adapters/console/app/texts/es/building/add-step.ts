import type { Messages } from "../../messages.ts";

/** Words by which people look for a type of step, and what a setting of each step does instead of a type. */
export const addStep: Messages["addStep"] = {
  words: {
    input:
      "aprobación, aprobar, humano, persona, esperar, subir, cargar, archivo, formulario, disparador, inicio, pregunta, upload, approval",
    code: "JavaScript, TypeScript, script, transformar, asignar, función, bucle, para cada, iterar, repetir, lista, loop",
    http_request: "correo, email, HTTP, API, obtener, webhook, REST, curl, URL, fetch",
    branch: "si, condición, filtro, filtrar, si no, decisión, ruta, switch, if",
    model: "LLM, IA, AI, GPT, chat, prompt, agente, Claude",
    workflow: "subflujo, llamar, llamada, ejecutar, subworkflow, call",
    browser: "extraer, HTML, captura, sitio web, scrape",
    note: "comentario, nota, observación, texto, comment",
  },
  loopWords: "bucle, para cada, iterar, iteración, repetir, repetición, loop, for each, foreach",
  loop: (when, forEach) => `Cada paso se puede repetir. En su panel, en «${when}», configure «${forEach}».`,
  errorWords: "error, fallo, capturar, reintentar, reintento, tiempo de espera, catch, retry, timeout",
  error: (errors) =>
    `Cada paso tiene sus propios reintentos y ramas de error. Configúrelos en su panel, en «${errors}».`,
};

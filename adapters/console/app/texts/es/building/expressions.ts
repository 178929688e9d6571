import type { Messages } from "../../messages.ts";

export const expressions: Messages["expressions"] = {
  variables: {
    input: "La entrada de la ejecución.",
    steps: "Los pasos anteriores a este, por clave.",
    run: "La ejecución: ID, flujo de trabajo, versión, origen, etiquetas y metadatos.",
    app: "La aplicación: ID y nombre.",
    now: "Momento en que el paso quedó listo.",
    iteration: "El número de la iteración, desde 1.",
    previous: "La salida de la iteración anterior; null en la primera.",
    output: "La salida de la iteración actual.",
    item: "El elemento de la lista.",
    index: "El índice del elemento, desde 0.",
    error: "Por qué falló el paso.",
    event: "El evento recibido.",
  },
  modes: { value: "Valor fijo", expression: "Expresión", auto: "Dejar que lo rellene un modelo" },
  modeOf: (label) => `Cómo se indica «${label}»`,
  autoWish: "Lo que el modelo debe aportar",
  result: "Resultado",
  inRun: (run) => `Con los valores de ${run}`,
  noValue: (reason) => `Sin valor en esta ejecución: ${reason}`,
  filledByModel: "Un modelo rellena este campo cuando se ejecuta el paso.",
  pick: "Insertar un valor",
  insert: (path) => `insertar ${path}`,
  copyPath: (path) => `Copiar ${path}`,
  anything: "cualquiera",
};

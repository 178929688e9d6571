import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const canvas: Messages["canvas"] = {
  types: {
    note: "Nota",
    input: "Entrada",
    branch: "Bifurcación",
    code: "Código",
    model: "Modelo",
    http_request: "Solicitud HTTP",
    browser: "Página web",
    workflow: "Flujo de trabajo",
    service: "Servicio",
  },
  features: {
    conditional: "solo si se cumple una condición",
    loop: "se repite hasta que se cumple una condición",
    forEach: "se ejecuta para cada elemento de una lista",
    retry: "tiene su propia política de reintentos",
    continues: "un fallo no detiene la ejecución",
    auto: "un modelo rellena campos",
    webhook: "tiene un webhook",
  },
  changes: { added: "añadido", removed: "eliminado", changed: "modificado" },
  place: (index, count) => `${index} de ${count}`,
  problems: (count) => plural("es", count, { one: "problema", other: "problemas" }),
  leadsTo: (steps, others) => (others === 0 ? `lleva a ${steps}` : `lleva a ${steps} y ${others} más`),
  leadsNowhere: "no lleva a ningún paso",
  else: "si no",
  onError: "en caso de error",
  view: "Vista",
  zoomIn: "Acercar",
  zoomOut: "Alejar",
  fit: "Mostrar todo",
  map: "Mapa del lienzo",
  addBehind: (step) => `Añadir un paso después de ${step}`,
  addBetween: (from, to) => `Añadir un paso entre ${from} y ${to}`,
};

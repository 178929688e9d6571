import { capitalized } from "../../capitalized.ts";
import type { Compared } from "../../en/building/versions.ts";
import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

const compared = (version: Compared): string =>
  typeof version === "number" ? `versión ${version}` : version === "draft" ? "borrador" : "versión más reciente";

export const versions: Messages["versions"] = {
  title: (workflow) => `Versiones de ${workflow}`,
  version: (version) => `Versión ${version}`,
  versionOf: (version, workflow) => `${version} de ${workflow}`,
  latest: "la más reciente",
  latestVersion: "Versión más reciente",
  draft: "Borrador",
  number: "Versión",
  notes: "Notas",
  notesOf: (version) => `Notas de v${version}:`,
  by: "Por",
  date: "Despliegue",
  rolledBack: (version) => `restaura v${version}`,
  compare: "Comparar",
  compareWithDraft: "Comparar con el borrador",
  compareWithLatest: "Comparar con la más reciente",
  compareWithBefore: "Qué ha cambiado",
  compareTitle: (from, to, workflow) => `${capitalized(compared(from))} y ${compared(to)} de ${workflow}`,
  from: "De",
  to: "A",
  rollBack: "Restaurar…",
  rollBackTitle: (version) => `Restaurar la versión ${version}`,
  rollBackText: (version, next) =>
    `Despliega de nuevo la versión ${version}, como versión ${next}. El borrador no cambia.`,
  fileReplaces: (path) =>
    `stepwell dev sustituye esta versión por ${path} la próxima vez que se inicie y cada vez que se guarde el archivo. Para conservarla, descargue su definición en ese archivo.`,
  rollBackAction: "Restaurar",
  runsOf: "Ejecuciones",
  openDraft: "Abrir el borrador",
  empty: "Aún no se ha desplegado nada.",
  emptyText: "Despliegue el borrador para crear la primera versión.",
  same: "No hay diferencias.",
  summary: (added, removed, changed) => `Añadidos: ${added}, eliminados: ${removed}, modificados: ${changed}`,
  layoutHidden: (count) =>
    `${plural("es", count, { one: "cambio", other: "cambios" })} de posición y tamaño, sin efecto en las ejecuciones`,
  moved: (count) => `${plural("es", count, { one: "paso movido", other: "pasos movidos" })} en la lista`,
  stepAdded: "Añadido",
  stepRemoved: "Eliminado",
  stepChanged: "Modificado",
  stepRenamed: (from) => `Renombrado, antes ${from}`,
  part: {
    input: "Campos de entrada",
    input_default: "Valores de los campos",
    input_options: "Diseño del formulario",
    settings: "Configuración de las ejecuciones",
  },
  before: "Antes",
  after: "Después",
  nothing: "sin definir",
  equalLines: (count) => plural("es", count, { one: "línea igual", other: "líneas iguales" }),
  lineAdded: "añadida",
  lineRemoved: "eliminada",
  truncated: "Hay más diferencias.",
  canvases: "Ambos lienzos",
  list: "Por paso y campo",
  views: "Vista",
  canvasOf: (version) => `Lienzo de ${version}`,
};

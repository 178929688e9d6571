import type { BuiltInTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of the types whose events can have any form. */
const filterPaths = {
  milestone_path: {
    title: "Ruta del hito",
    description: "Dónde dice un evento qué se ha alcanzado. Solo hace falta para tratar los eventos de ciertos hitos.",
  },
  folder_path: {
    title: "Ruta de la carpeta",
    description:
      "Dónde dice un evento a qué carpeta pertenece. Solo hace falta para tratar los eventos de ciertas carpetas.",
  },
};

export const triggerTypes: BuiltInTexts["triggerTypes"] = {
  loan_origination: {
    title: "Concesión de préstamos",
    connection: {
      url: { title: "URL", description: "URL que lista los cambios de los préstamos." },
      token,
    },
  },
  poll: {
    title: "Consultar una URL",
    config: {
      url: { title: "URL", description: "URL de la lista." },
      items_path: {
        title: "Ruta de los elementos",
        description: "Dónde está la lista en la respuesta. Déjelo vacío si la respuesta es la lista.",
      },
      id_path: { title: "Ruta del ID", description: "Dónde está el ID en un elemento." },
      ...filterPaths,
    },
  },
  webhook: {
    title: "Webhook",
    config: {
      id_path: {
        title: "Ruta del ID",
        description: "Dónde está el ID del evento en el cuerpo. Déjelo vacío para usar el ID de la solicitud.",
      },
      ...filterPaths,
    },
  },
};

/** Of triggers of every type. */
export const triggers: BuiltInTexts["triggers"] = {
  mappings: { title: "Asignaciones", description: "Valores del evento que se copian en el registro." },
  "mappings[].type": {
    title: "Tipo",
    description: "key busca el registro, file escribe archivos por su ID y field escribe el valor.",
  },
  "mappings[].entity_path": { title: "Campo del registro", description: "Como entidad:campo." },
  "mappings[].input_path": {
    title: "Ruta en el evento",
    description: "Un nombre por nivel. Los dígitos seleccionan un elemento de una lista.",
  },
  "mappings[].name": { title: "Nombre", description: "Cómo llaman las personas a este valor." },
  pull_on_millestones: {
    title: "Hitos",
    description: "Hitos cuyos eventos se procesan. Déjelo vacío para todos.",
  },
  pull_on_folders: {
    title: "Carpetas",
    description: "Carpetas cuyos eventos se procesan. Déjelo vacío para todas.",
  },
  interval: { title: "Intervalo", description: "Segundos entre consultas. Predeterminado: 300." },
};

import type { Messages } from "../../messages.ts";
import { plural } from "../../plural.ts";

export const reference: Messages["reference"] = {
  title: "Referencia de la API",
  intro:
    "Todas las rutas de este servidor. Las mismas funciones existen en el proceso y en el cliente, con los nombres de las operaciones.",
  document: "Documento OpenAPI",
  search: "Buscar operaciones",
  nothing: "No hay operaciones que coincidan.",
  found: (count) => plural("es", count, { one: "operación", other: "operaciones" }),
  all: "Todas las operaciones",
  noOperation: (id) => `La operación ${id} no existe.`,
  access: "Acceso",
  open: "Cualquiera",
  adminKey: "La clave de administración",
  appKey: (scopes) => `Una clave de la aplicación con ${scopes}`,
  anyKey: "Cualquier clave de la aplicación",
  orOpen: "Cualquiera, para recursos públicos",
  path: "Ruta",
  query: "Parámetros de consulta",
  header: "Encabezados",
  body: "Cuerpo",
  responses: "Respuestas",
  required: "obligatorio",
  oneOf: "Uno de",
  listOf: "lista de",
  examples: "Ejemplos",
  tryIt: "Probar",
  tryHint: "Envía la solicitud con su sesión. Los cambios que haga son reales.",
  send: "Enviar",
  result: "Respuesta",
  tooLarge: "La respuesta se muestra hasta 64 KiB.",
};

import type { ServiceTexts } from "../../built-in-texts.ts";
import { token } from "./token.ts";

/** Of both actions. */
const request = {
  url: {
    description: "Una URL con http: o https:. Con una conexión, puede ser relativa a la base_url de la conexión.",
  },
  query: { description: "Parámetros de consulta. Una lista repite un parámetro; null lo omite." },
  response_timeout: {
    description:
      "Segundos en los que debe empezar la respuesta. Predeterminado: 30. El tiempo límite del paso limita el intento completo.",
  },
  method: { description: "Predeterminado: POST con un cuerpo; si no, GET." },
  json: { description: "Cuerpo que se envía como application/json." },
  text: { description: "Cuerpo que se envía como texto UTF-8." },
  form: { description: "Cuerpo que se envía como application/x-www-form-urlencoded." },
};

export const http: ServiceTexts = {
  title: "HTTP",
  connection: {
    base_url: {
      title: "URL base",
      description:
        "URL base de la API. Stepwell le añade las URL relativas de los pasos y solo envía solicitudes a su origen.",
    },
    origins: {
      title: "Orígenes adicionales",
      description: "Otros orígenes que pueden recibir las credenciales.",
    },
    "origins[]": { title: "Origen", description: "Un origen como https://files.example.com." },
    "bearer.type": { title: "Token Bearer" },
    "bearer.token": token,
    "basic.type": { title: "Nombre de usuario y contraseña" },
    "basic.username": { title: "Nombre de usuario" },
    "basic.password": { title: "Contraseña" },
    "header.type": { title: "Encabezado" },
    "header.name": { title: "Nombre del encabezado" },
    "header.value": { title: "Valor", description: "Valor del encabezado." },
    "query.type": { title: "Parámetro de consulta" },
    "query.name": { title: "Nombre del parámetro", description: "Nombre del parámetro de consulta." },
    "query.value": { title: "Valor", description: "Valor del parámetro de consulta." },
    "oauth2.type": { title: "OAuth 2.0 (client credentials)" },
    "oauth2.token_url": {
      title: "URL del token",
      description: "Endpoint de tokens del servidor de autorización (RFC 6749, client credentials).",
    },
    "oauth2.client_id": { title: "ID de cliente", description: "ID de cliente." },
    "oauth2.client_secret": { title: "Secreto de cliente", description: "Secreto de cliente." },
    "oauth2.scope": { title: "Ámbito", description: "Ámbitos (scopes), separados por espacios." },
    "oauth2.audience": { title: "Audiencia", description: "Audiencia, para los servidores que la exigen." },
    "oauth2.client_auth": {
      title: "Autenticación del cliente",
      description:
        "Indica si el secreto de cliente se envía en el encabezado Authorization (basic) o en el cuerpo (body). Predeterminado: basic.",
    },
  },
  actions: {
    request: {
      title: "Enviar una solicitud HTTP",
      description:
        "Envía una solicitud, con las credenciales de la conexión si hay una. La respuesta se convierte en JSON, en texto o en un archivo de la aplicación. Con un estado de 400 o superior, el paso falla.",
      input: {
        ...request,
        multipart: {
          description: "Cuerpo que se envía como multipart/form-data: textos y archivos de la aplicación.",
        },
        "multipart[].file_id": { description: "ID de un archivo de la aplicación." },
        file_id: { description: "ID de un archivo de la aplicación que se envía como cuerpo." },
        response: {
          description:
            "auto devuelve JSON o texto si la respuesta tiene un tipo de medio de esa clase; si no, guarda un archivo.",
        },
        file_name: {
          description: "Nombre del archivo guardado. Predeterminado: el nombre que envía el servidor.",
        },
        visibility: { description: "Visibilidad del archivo guardado." },
      },
    },
    paginate: {
      title: "Leer una lista página por página",
      description:
        "Solicita las páginas de una lista y devuelve todos los elementos. has_more es true si se alcanzó un límite antes de la última página.",
      input: {
        ...request,
        next: { description: "Cómo se encuentra la página siguiente." },
        "next.link": { description: 'Sigue el encabezado Link con rel="next" (RFC 8288).' },
        "next.url": { description: "Sigue una URL del cuerpo. path: su JSON Pointer." },
        "next.cursor": {
          description: "Envía un valor del cuerpo como parámetro de consulta. path: su JSON Pointer.",
        },
        "next.cursor.parameter": { description: "Parámetro de consulta. Predeterminado: cursor." },
        "next.page": { description: "Solicita páginas numeradas hasta que una no tiene elementos." },
        "next.page.parameter": { description: "Parámetro de consulta. Predeterminado: page." },
        "next.offset": {
          description:
            "Envía como desplazamiento el número de elementos recibidos, hasta que una página no tiene elementos.",
        },
        "next.offset.parameter": { description: "Parámetro de consulta. Predeterminado: offset." },
        items: { description: "JSON Pointer de la lista en cada cuerpo. Predeterminado: el cuerpo es la lista." },
        max_pages: { description: "Predeterminado: 100." },
        max_items: { description: "Predeterminado: 10000." },
      },
    },
  },
};

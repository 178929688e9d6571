import type { BuiltInTexts } from "../../built-in-texts.ts";
import { http } from "./http.ts";

const collection_id = { description: "ID de una colección de la aplicación." };
const record_id = { description: "ID de un registro de la colección." };
const file_id = { description: "ID de un archivo de la aplicación." };
const tags = { description: "ID de etiquetas de la aplicación." };
const changes = { description: "Valores por entidad y campo. null elimina un campo o una entidad." };
const expected_version = { description: "Versión que debe tener el registro. Si no la tiene, el paso falla." };

export const services: BuiltInTexts["services"] = {
  events: {
    title: "Eventos",
    actions: {
      emit: {
        title: "Emitir un evento",
        description:
          "Emite un evento de la aplicación. Reanuda todas las ejecuciones que lo esperan e inicia todos los flujos de trabajo que dispara.",
      },
      wait: {
        title: "Esperar un evento",
        description:
          "Espera un evento con este nombre (name) y, si se indica, este asunto (subject). condition es una expresión CEL sobre event que debe ser verdadera. Con lookback también cuentan los eventos de los últimos N segundos (siete días como máximo). Para limitar la espera, defina el tiempo límite del paso.",
      },
    },
  },
  files: {
    title: "Archivos",
    actions: {
      create: {
        title: "Crear un archivo",
        description: "Crea un archivo a partir de texto, de bytes codificados en Base64 o de una URL.",
      },
      read: {
        title: "Leer un archivo",
        description: "Devuelve un archivo de 8 MiB como máximo como texto decodificado, o en Base64 si es binario.",
        input: { file_id },
      },
      extract_text: {
        title: "Extraer el texto de un documento",
        description:
          "Devuelve el texto de un PDF, un documento de Office, una página web, un correo electrónico o un archivo de texto.",
        input: { file_id },
      },
      delete: {
        title: "Eliminar un archivo",
        description: "Elimina un archivo de la aplicación y su contenido.",
        input: { file_id },
      },
    },
  },
  http,
  inputs: {
    title: "Formularios para personas",
    actions: {
      create_link: {
        title: "Crear un enlace a un formulario",
        description:
          "Crea un enlace al formulario de un paso de entrada de esta ejecución (step_key), para una persona sin clave de API. La ejecución puede llegar al paso más tarde. El formulario acepta una sola respuesta. expires_in se indica en segundos; si falta, son siete días. title y, además, text o markdown aparecen encima del formulario.",
      },
    },
  },
  records: {
    title: "Registros",
    actions: {
      list: {
        title: "Listar registros",
        description: "Devuelve una página de los registros de una colección, los más recientes primero.",
        input: {
          collection_id,
          search: { description: "Texto que se busca en cualquier campo." },
          tags,
          page_token: { description: "El next_page_token de la página anterior." },
        },
      },
      get: {
        title: "Leer un registro",
        description: "Devuelve un registro con sus valores, sus etiquetas y los resultados de las reglas.",
        input: { collection_id, record_id },
      },
      create: {
        title: "Crear un registro",
        description: "Crea un registro y espera hasta 10 segundos a las reglas de su colección.",
        input: {
          collection_id,
          data: {
            description: "Valores por entidad y campo. { file_id } hace referencia a un archivo de la aplicación.",
          },
          tags,
        },
      },
      update: {
        title: "Modificar un registro",
        description: "Modifica los campos indicados y espera hasta 10 segundos a las reglas de la colección.",
        input: { collection_id, record_id, data: changes, tags, expected_version },
      },
      upsert: {
        title: "Modificar o crear un registro",
        description: "Modifica el registro cuyo campo (path, como entidad:campo) tiene el valor indicado, o lo crea.",
        input: { collection_id, data: changes, tags },
      },
      delete: {
        title: "Eliminar un registro",
        description: "Elimina un registro de una colección.",
        input: { collection_id, record_id, expected_version },
      },
    },
  },
  rules: {
    title: "Reglas",
    actions: {
      list: {
        title: "Listar las reglas de una colección",
        description: "Devuelve las reglas con las que una colección comprueba sus registros.",
        input: { collection_id },
      },
      evaluate: {
        title: "Comprobar un registro",
        description:
          "Vuelve a comprobar un registro con las reglas de una colección y espera sus resultados hasta 10 segundos.",
        input: { collection_id },
      },
    },
  },
  scheduler: {
    title: "Programador",
    actions: {
      create: {
        title: "Programar un flujo de trabajo",
        description:
          "Ejecuta un flujo de trabajo una vez (at), a intervalos en segundos (every) o según una expresión cron (cron).",
      },
      list: { title: "Listar programaciones", description: "Devuelve las programaciones de la aplicación." },
      cancel: {
        title: "Eliminar una programación",
        description: "Elimina una programación, que deja de iniciar ejecuciones.",
      },
      delay: {
        title: "Esperar",
        description:
          "Suspende la ejecución durante un número de segundos (366 días como máximo) o hasta un momento (ISO 8601). Si el momento ya pasó, la ejecución se reanuda de inmediato.",
      },
    },
  },
  web_search: {
    title: "Búsqueda web",
    actions: {
      search: {
        title: "Buscar en la web",
        description: "Devuelve páginas web, las más relevantes primero, con su título, su URL y un fragmento.",
      },
    },
  },
  webhooks: {
    title: "Webhooks entrantes",
    actions: {
      respond: {
        title: "Responder",
        description:
          "Responde a la solicitud del webhook entrante que inició la ejecución. La ejecución continúa. Stepwell solo envía la primera respuesta, dentro de los 30 segundos posteriores a la solicitud. No tiene efecto en otras ejecuciones.",
      },
    },
  },
};

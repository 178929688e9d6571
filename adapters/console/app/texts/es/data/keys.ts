import type { Messages } from "../../messages.ts";

export const keys: Messages["keys"] = {
  title: "Claves de API",
  empty: "No hay claves.",
  adminOnly:
    "Solo un administrador puede ver y modificar las claves. Inicie sesión con la clave de administración o consulte al operador de este servidor.",
  create: "Nueva clave",
  nameHint: "Quién o qué la usa, por ejemplo «Back office».",
  scopes: "Permisos",
  allScopes: "Todo en esta aplicación",
  someScopes: "Solo lo seleccionado",
  chooseScopes: "Elija al menos un permiso.",
  scopeTable: "Permisos por recurso",
  resource: "Recurso",
  read: "Lectura",
  write: "Escritura",
  noScopes: "Ninguno",
  allReading: "Toda la lectura",
  usedRecently: "en la última hora",
  resources: {
    workflows: { name: "Flujos de trabajo", opens: "Definiciones, borradores y versiones." },
    runs: {
      name: "Ejecuciones",
      opens:
        "Ejecuciones con sus entradas, salidas y registros; escritura: iniciarlas, responderlas, cancelarlas y eliminarlas.",
    },
    files: { name: "Archivos", opens: "Archivos subidos y direcciones de subida." },
    collections: { name: "Colecciones", opens: "Colecciones con sus registros, reglas y etiquetas." },
    events: {
      name: "Eventos entre ejecuciones",
      opens: "Eventos que las ejecuciones esperan o con los que se inician; escritura: enviarlos.",
    },
    schedules: { name: "Programaciones", opens: "Cuándo se ejecutan los flujos de trabajo por sí solos." },
    connections: { name: "Conexiones", opens: "Cuentas de otros servicios. Sus credenciales nunca se muestran." },
    hooks: { name: "Webhooks entrantes", opens: "Direcciones en las que otros sistemas inician flujos de trabajo." },
    webhooks: { name: "Webhooks salientes", opens: "Avisos a otros sistemas y sus entregas." },
    jobs: {
      name: "Tareas en segundo plano",
      opens: "Progreso de las importaciones y de las acciones sobre muchas ejecuciones; escritura: detenerlas.",
    },
  },
  act: "Actuar por usuarios",
  actHint: "Las solicitudes pueden indicar el usuario por el que actúan.",
  expires: "Expiración",
  expiresHint: "Déjelo vacío para una clave que no expira.",
  lastUsed: "Último uso",
  notUsed: "nunca",
  issued: "Su nueva clave",
  issuedHint: "Cópiela ahora. Solo se muestra una vez: el servidor únicamente guarda un resumen criptográfico de ella.",
  revoke: "Revocar",
  revokedKey: (name: string) => `«${name}» se ha revocado.`,
  revokeTitle: (name) => `¿Revocar «${name}»?`,
  revokeText:
    "Las solicitudes con esta clave fallarán desde ahora. Las sesiones de la consola abiertas con ella terminarán.",
};

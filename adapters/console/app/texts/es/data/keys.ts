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
  scopeTable: "Permisos por recurso",
  resource: "Recurso",
  read: "Lectura",
  write: "Escritura",
  act: "Actuar por usuarios",
  actHint: "Las solicitudes pueden indicar el usuario por el que actúan.",
  expires: "Expiración",
  expiresHint: "Déjelo vacío para una clave que no expira.",
  lastUsed: "Último uso",
  notUsed: "nunca",
  issued: "Su nueva clave",
  issuedHint: "Cópiela ahora. Solo se muestra una vez: el servidor únicamente guarda un resumen criptográfico de ella.",
  revoke: "Revocar",
  revokeTitle: (name) => `¿Revocar «${name}»?`,
  revokeText:
    "Las solicitudes con esta clave fallarán desde ahora. Las sesiones de la consola abiertas con ella terminarán.",
};

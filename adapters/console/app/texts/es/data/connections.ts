import type { Messages } from "../../messages.ts";

export const connections: Messages["connections"] = {
  title: "Conexiones",
  empty: "No hay conexiones.",
  emptyText:
    "Una conexión guarda las credenciales de un servicio, cifradas. Los pasos y los disparadores la usan mediante su ID.",
  noSecret: "Este servidor no tiene un secreto para cifrar credenciales. Su operador debe definir la opción «secret».",
  create: "Nueva conexión",
  service: "Servicio",
  credentials: "Credenciales",
  replace: "Reemplazar las credenciales",
  replaceHint: "Las nuevas credenciales reemplazan todas las guardadas.",
  inUse: "Esta conexión todavía se usa. Si se elimina, fallará lo siguiente:",
  force: "Eliminar de todos modos",
};

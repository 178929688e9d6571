import type { Messages } from "../../messages.ts";

export const session: Messages["session"] = {
  title: "Iniciar sesión",
  silent: "El servidor no responde.",
  silentText: "La página se abrirá en cuanto responda.",
  unknown: "El servidor no puede indicar quién ha iniciado sesión.",
  appsAdminOnly: "Solo un administrador ve las aplicaciones de este servidor. Esta sesión abre una.",
  intro: "Pegue la clave de API de una aplicación o la clave de administración.",
  key: "Clave de API",
  keyHint:
    "Se cambia por una cookie que los scripts no pueden leer y no se guarda en ningún otro lugar de este navegador.",
  signIn: "Iniciar sesión",
  refused: "Esta clave es desconocida, se ha revocado o ha expirado.",
  triesAgain: "La página lo vuelve a intentar automáticamente.",
  ended:
    "Su sesión ha terminado. Vuelva a iniciar sesión: lo que ha escrito se conserva. Con otra clave, vuelva a enviar lo que se estaba enviando.",
  replaces:
    "Ya ha iniciado sesión. Esta dirección inicia sesión como otra persona y termina aquí su sesión. ¿Continuar?",
  addressUsed: "Esta dirección ya se ha usado o ha expirado.",
  newAddress:
    "Cada dirección permite iniciar sesión una sola vez. Pida una nueva dirección donde obtuvo esta, o inicie sesión con una clave.",
  newDevAddress: "Pulse o en la terminal de stepwell dev para abrir otra, o reinícielo.",
  otherApp: "Ahora ha iniciado sesión en otra aplicación en este navegador.",
  otherAppText: "Todas las pestañas comparten una sesión. Los cambios de esta pestaña ya no llegan al servidor.",
  keyOfOther:
    "Esta clave es de otra aplicación. Para continuar aquí, inicie sesión con una clave de esta aplicación: lo que ha escrito se conserva.",
  offered: "Ha empezado otra sesión.",
  offeredText: (name) =>
    name === null ? "Lo que haga aquí se hace ahora con esa sesión." : `Lo que haga aquí se hace ahora como ${name}.`,
  typedBefore: "Lo que se escribió en esta página es de la sesión anterior. Consérvelo solo si es suyo.",
  keepTyped: "Conservarlo",
  startOver: "Empezar de nuevo",
  openOther: "Abrir la otra aplicación",
  signInAgain: "Volver a iniciar sesión",
  hostSignIn: "Iniciar sesión con su cuenta",
  noApps: "Aún no hay aplicaciones.",
  createApp: "Crear una aplicación",
  appName: "Nombre de la aplicación",
  openApp: "Abrir",
};

import type { Messages } from "../../messages.ts";

export const session: Messages["session"] = {
  title: "Se connecter",
  silent: "Le serveur ne répond pas.",
  silentText: "La page s’ouvrira dès qu’il répondra.",
  unknown: "Le serveur ne peut pas dire qui est connecté.",
  appsAdminOnly: "Seul un administrateur voit les applications de ce serveur. Cette session en ouvre une.",
  intro: "Collez la clé d’API d’une application ou la clé d’administration.",
  key: "Clé d’API",
  keyHint:
    "Elle est échangée contre un cookie que les scripts ne peuvent pas lire, et n’est conservée nulle part ailleurs dans ce navigateur.",
  signIn: "Se connecter",
  refused: "Cette clé est inconnue, révoquée ou expirée.",
  triesAgain: "La page réessaie automatiquement.",
  ended:
    "Votre session est terminée. Reconnectez-vous : votre saisie est conservée. Avec une autre clé, renvoyez ce qui était en cours d’envoi.",
  replaces:
    "Vous êtes déjà connecté. Cette adresse vous connecte en tant que quelqu’un d’autre et met fin ici à votre session. Continuer ?",
  addressUsed: "Cette adresse a déjà été utilisée ou a expiré.",
  newAddress:
    "Chaque adresse ne permet de se connecter qu’une fois. Demandez une nouvelle adresse là où vous avez obtenu celle-ci, ou connectez-vous avec une clé.",
  newDevAddress: "Appuyez sur o dans le terminal de stepwell dev pour en ouvrir une autre, ou redémarrez-le.",
  otherApp: "Vous êtes maintenant connecté à une autre application dans ce navigateur.",
  otherAppText:
    "Tous les onglets partagent une même session. Les modifications de cet onglet n’atteignent plus le serveur.",
  keyOfOther:
    "Cette clé est celle d’une autre application. Pour continuer ici, connectez-vous avec une clé de cette application : votre saisie est conservée.",
  offered: "Une autre session a commencé.",
  offeredText: (name) =>
    name === null
      ? "Ce que vous faites ici se fait maintenant avec cette session."
      : `Ce que vous faites ici se fait maintenant au nom de ${name}.`,
  typedBefore: "Ce qui a été saisi sur cette page vient de la session précédente. Ne le gardez que s’il est de vous.",
  keepTyped: "Le garder",
  startOver: "Recommencer",
  openOther: "Ouvrir l’autre application",
  signInAgain: "Se reconnecter",
  hostSignIn: "Se connecter avec votre compte",
  noApps: "Aucune application pour l’instant.",
  createApp: "Créer une application",
  appName: "Nom de l’application",
  openApp: "Ouvrir",
};

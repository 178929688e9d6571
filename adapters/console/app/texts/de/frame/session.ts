import type { Messages } from "../../messages.ts";

export const session: Messages["session"] = {
  title: "Anmelden",
  silent: "Der Server antwortet nicht.",
  silentText: "Die Seite öffnet sich, sobald er antwortet.",
  unknown: "Der Server kann nicht sagen, wer angemeldet ist.",
  appsAdminOnly: "Nur ein Admin sieht die Apps dieses Servers. Diese Sitzung öffnet eine App.",
  intro: "Fügen Sie den API-Schlüssel einer App oder den Admin-Schlüssel ein.",
  key: "API-Schlüssel",
  keyHint:
    "Er wird gegen ein Cookie getauscht, das Skripte nicht lesen können, und sonst nirgends in diesem Browser gespeichert.",
  signIn: "Anmelden",
  refused: "Dieser Schlüssel ist unbekannt, widerrufen oder abgelaufen.",
  triesAgain: "Die Seite versucht es von selbst noch einmal.",
  ended:
    "Ihre Sitzung ist zu Ende. Melden Sie sich neu an: Was Sie eingegeben haben, bleibt erhalten. Mit einem anderen Schlüssel senden Sie neu, was gerade gesendet wurde.",
  replaces:
    "Sie sind schon angemeldet. Diese Adresse meldet Sie als jemand anderen an und beendet hier Ihre Sitzung. Fortfahren?",
  addressUsed: "Diese Adresse wurde schon verwendet oder ist abgelaufen.",
  newAddress:
    "Mit jeder Adresse können Sie sich einmal anmelden. Fordern Sie dort eine neue an, wo Sie diese bekommen haben, oder melden Sie sich mit einem Schlüssel an.",
  newDevAddress: "Drücken Sie im Terminal von stepwell dev o, um eine neue zu öffnen, oder starten Sie es neu.",
  otherApp: "Sie sind in diesem Browser jetzt bei einer anderen App angemeldet.",
  otherAppText: "Alle Tabs teilen sich eine Sitzung. Änderungen in diesem Tab erreichen den Server nicht mehr.",
  keyOfOther:
    "Dieser Schlüssel gehört zu einer anderen App. Melden Sie sich mit einem Schlüssel dieser App an, um hier weiterzumachen: Ihre Eingaben bleiben erhalten.",
  offered: "Eine andere Sitzung hat begonnen.",
  offeredText: (name) =>
    name === null
      ? "Was Sie hier tun, geschieht jetzt mit dieser Sitzung."
      : `Was Sie hier tun, geschieht jetzt als ${name}.`,
  typedBefore:
    "Was auf dieser Seite eingegeben wurde, stammt aus der Sitzung davor. Behalten Sie es nur, wenn es von Ihnen ist.",
  keepTyped: "Behalten",
  startOver: "Neu beginnen",
  openOther: "Andere App öffnen",
  signInAgain: "Neu anmelden",
  hostSignIn: "Mit Ihrem Konto anmelden",
  noApps: "Es gibt noch keine App.",
  createApp: "App erstellen",
  appName: "Name der App",
  openApp: "Öffnen",
};

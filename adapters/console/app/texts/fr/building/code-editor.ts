import type { Messages } from "../../messages.ts";

export const codeEditor: Messages["codeEditor"] = {
  howToLeave: "Appuyez sur Échap, puis sur Tab, pour quitter l’éditeur.",
  leave: "Appuyez sur Tab pour quitter l’éditeur.",
  example: (code) => `Exemple : ${code}`,
};

import type { Messages } from "../../messages.ts";

export const codeEditor: Messages["codeEditor"] = {
  howToLeave: "Escape und dann Tab verlässt den Editor.",
  leave: "Tab verlässt den Editor.",
  example: (code) => `Beispiel: ${code}`,
};

import type { Messages } from "../../messages.ts";

export const codeEditor: Messages["codeEditor"] = {
  howToLeave: "Pulse Esc y luego Tab para salir del editor.",
  leave: "Pulse Tab para salir del editor.",
  example: (code) => `Ejemplo: ${code}`,
};

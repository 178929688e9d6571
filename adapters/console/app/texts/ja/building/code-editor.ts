import type { Messages } from "../../messages.ts";

export const codeEditor: Messages["codeEditor"] = {
  howToLeave: "Esc キー、Tab キーの順に押すと、エディターから抜けられます。",
  leave: "Tab キーを押すと、エディターから抜けられます。",
  example: (code) => `例: ${code}`,
};

import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";

export const codeEditor: Messages["codeEditor"] = {
  howToLeave: "اضغط Esc ثم Tab لمغادرة المحرر.",
  leave: "اضغط Tab لمغادرة المحرر.",
  example: (code) => `مثال: ${isolate(code)}`,
};

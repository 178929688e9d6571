/** Whose page it is: the app, with its name and colour. */
import { escapeHtml } from "./html.ts";

export interface Sender {
  /** Name of the app. */
  readonly name: string;
  /** Colour of its buttons, `#rrggbb`; null for that of Stepwell. */
  readonly color: string | null;
}

/** The name of the app above the title of its page. */
export const senderHtml = (sender: Sender | null): string =>
  sender === null ? "" : `<p class="app"><bdi>${escapeHtml(sender.name)}</bdi></p>\n`;

/** The style of the colour of an app. */
export function brandStyle(sender: Sender | null): string {
  const color = sender?.color ?? null;
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return "";
  return `:root { --brand: ${color}; --on-brand: ${isLight(color) ? "#000" : "#fff"} }\n`;
}

/** Whether black is easier to read on the colour than white: by the relative luminance of WCAG 2. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

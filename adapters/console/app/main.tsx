/** Starts the console in the page. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./console.tsx";
import { actLikeReact } from "./preact.ts";
import { applySettings, readSettings } from "./settings/settings.ts";
import { en } from "./texts/en/index.ts";
import { loadMessages } from "./texts/language.ts";

actLikeReact();
const settings = readSettings();
applySettings(settings);
const place = document.getElementById("console");
if (place !== null) {
  // Without them the page is shown in English, until they can be loaded.
  const messages = await loadMessages(settings.language).catch(() => en);
  createRoot(place).render(
    <StrictMode>
      <Console messages={messages} />
    </StrictMode>,
  );
}

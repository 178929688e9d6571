/** Starts the console in the page. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./console.tsx";
import { applySettings, readSettings } from "./settings/settings.ts";
import { loadMessages } from "./texts/language.ts";

const settings = readSettings();
applySettings(settings);
const place = document.getElementById("console");
if (place !== null) {
  const messages = await loadMessages(settings.language);
  createRoot(place).render(
    <StrictMode>
      <Console messages={messages} />
    </StrictMode>,
  );
}

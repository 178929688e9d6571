/** Starts the console in the page. */
import { createRoot } from "react-dom/client";

const place = document.getElementById("console");
if (place !== null) createRoot(place).render(<p>Stepwell</p>);

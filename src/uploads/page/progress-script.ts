/** The part of the page's script that shows progress, speed and remaining time. */
export const METER = /* js */ `
/** Shows progress, speed and remaining time. Announces each quarter. */
function createMeter(/** @type {number} */ size) {
  let [at, from, speed, quarter] = [Date.now(), -1, 0, 0];
  const pace = part("#pace", HTMLElement);
  pace.textContent = "";
  return (/** @type {number} */ sent) => {
    const done = percent(sent, size);
    bar.value = size === 0 ? 1 : sent / size;
    part("#percent", HTMLElement).textContent = done;
    if (state === "sending") document.title = done + " uploaded";
    const quarters = Math.floor((4 * sent) / size);
    if (quarters > quarter && quarters < 4) announce(done + " uploaded");
    quarter = Math.max(quarter, quarters);
    const seconds = (Date.now() - at) / 1_000;
    if (from < 0 || sent < from || seconds > 2) [at, from] = [Date.now(), sent];
    else if (seconds >= 0.5) {
      const now = (sent - from) / seconds;
      speed = speed === 0 ? now : 0.75 * speed + 0.25 * now;
      [at, from] = [Date.now(), sent];
      if (speed > 0) pace.textContent = readable(speed) + "/s, " + time((size - sent) / speed) + " left";
    }
  };
}

function percent(/** @type {number} */ sent, /** @type {number} */ size) {
  return (size === 0 ? 100 : Math.floor((100 * sent) / size)) + " %";
}

function readable(/** @type {number} */ bytes) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  const power = Math.max(0, Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1));
  return Number((bytes / 1024 ** power).toFixed(bytes < 1024 ? 0 : 1)) + " " + units[power];
}

function time(/** @type {number} */ seconds) {
  if (seconds < 10) return Math.ceil(seconds) + " s";
  if (seconds < 60) return 5 * Math.ceil(seconds / 5) + " s";
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? minutes + " min" : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}
`;

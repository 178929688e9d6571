/** The part of the page's script that shows progress, speed and remaining time. */
export const METER = /* js */ `
/** Shows progress, speed and remaining time. Announces each quarter. */
function createMeter(/** @type {number} */ size) {
  let [sampledAt, sampledBytes, bytesPerSecond, quarter] = [Date.now(), -1, 0, 0];
  const rate = part("#rate", HTMLElement);
  rate.textContent = "";
  return (/** @type {number} */ sent) => {
    const done = percent(sent, size);
    bar.value = size === 0 ? 1 : sent / size;
    part("#percent", HTMLElement).textContent = done;
    if (state === "sending") document.title = say(TEXT.upload_progress, { done }).join("");
    const quarters = Math.floor((4 * sent) / size);
    if (quarters > quarter && quarters < 4) announce(say(TEXT.upload_progress, { done }).join(""));
    quarter = Math.max(quarter, quarters);
    const seconds = (Date.now() - sampledAt) / 1_000;
    if (sampledBytes < 0 || sent < sampledBytes || seconds > 2) [sampledAt, sampledBytes] = [Date.now(), sent];
    else if (seconds >= 0.5) {
      const latest = (sent - sampledBytes) / seconds;
      bytesPerSecond = bytesPerSecond === 0 ? latest : 0.75 * bytesPerSecond + 0.25 * latest;
      [sampledAt, sampledBytes] = [Date.now(), sent];
      if (bytesPerSecond > 0) {
        const left = time((size - sent) / bytesPerSecond);
        rate.textContent = say(TEXT.upload_rate, { rate: readable(bytesPerSecond, "-per-second"), time: left }).join("");
      }
    }
  };
}

function percent(/** @type {number} */ sent, /** @type {number} */ size) {
  return new Intl.NumberFormat(TEXT.locale, { style: "percent" }).format(size === 0 ? 1 : Math.floor((100 * sent) / size) / 100);
}

/** A number of bytes, or of bytes in a unit of time. */
function readable(/** @type {number} */ bytes, per = "") {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = bytes < 10000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const unitDisplay = power === 0 ? "long" : "short";
  return new Intl.NumberFormat(TEXT.locale, { style: "unit", unit: units[power] + per, unitDisplay, maximumFractionDigits: power === 0 ? 0 : 1 }).format(bytes / 1000 ** power);
}

function time(/** @type {number} */ seconds) {
  if (seconds < 10) return amount(Math.ceil(seconds), "second");
  if (seconds < 60) return amount(5 * Math.ceil(seconds / 5), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return amount(minutes, "minute");
  const hours = amount(Math.floor(minutes / 60), "hour");
  return new Intl.ListFormat(TEXT.locale, { type: "unit" }).format([hours, amount(minutes % 60, "minute")]);
}

function amount(/** @type {number} */ value, /** @type {string} */ unit) {
  return new Intl.NumberFormat(TEXT.locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
`;

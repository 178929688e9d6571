import type { Messages } from "../../messages.ts";

/** They describe a run and a step, which are both feminine. */
export const statuses: Messages["statuses"] = {
  queued: "في قائمة الانتظار",
  pending: "لم يحن دورها",
  running: "قيد التشغيل",
  waiting: "منتظرة",
  succeeded: "ناجحة",
  failed: "فاشلة",
  skipped: "متخطّاة",
  canceled: "ملغاة",
};

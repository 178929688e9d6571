import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { counted, countedProblems } from "../counted.ts";
import { quoted } from "../quoted.ts";

export const canvas: Messages["canvas"] = {
  types: {
    note: "ملاحظة",
    input: "إدخال",
    branch: "تفرّع",
    code: "تعليمات برمجية",
    model: "نموذج",
    http_request: "طلب HTTP",
    browser: "صفحة ويب",
    workflow: "سير عمل",
    service: "خدمة",
  },
  features: {
    conditional: "فقط إذا تحقّق شرط",
    loop: "تتكرر حتى يتحقّق شرط",
    forEach: "تُنفَّذ لكل عنصر في قائمة",
    retry: "لها سياسة إعادة محاولة خاصة",
    continues: "لا يوقف فشلها عملية التشغيل",
    auto: "يعبّئ نموذج بعض الحقول",
    webhook: "لها خطاف ويب",
  },
  changes: { added: "أُضيفت", removed: "أُزيلت", changed: "تغيّرت" },
  place: (index, count) => `${index} من أصل ${count}`,
  problems: countedProblems,
  leadsTo: (steps, others) =>
    others === 0 ? `تؤدي إلى ${isolate(steps)}` : `تؤدي إلى ${isolate(steps)} و${others} غيرها`,
  leadsNowhere: "لا تؤدي إلى خطوة أخرى",
  else: "وإلا",
  onError: "عند الخطأ",
  edge: (from, to) => `توصيلة من ${quoted(from)} إلى ${quoted(to)}`,
  selected: (count) =>
    `المحدَّد: ${counted(count, { one: "خطوة واحدة", two: "خطوتان", few: "خطوات", many: "خطوة", other: "خطوة" })}`,
  selectionCleared: "أُلغي التحديد.",
  view: "العرض",
  zoomIn: "تكبير",
  zoomOut: "تصغير",
  fit: "إظهار الكل",
  map: "خريطة اللوحة",
  addBehind: (step) => `إضافة خطوة بعد ${quoted(step)}`,
  addBetween: (from, to) => `إضافة خطوة بين ${quoted(from)} و${quoted(to)}`,
};

import type { Messages } from "../../messages.ts";

export const settings: Messages["settings"] = {
  title: "الإعدادات",
  intro: "تنطبق هذه الإعدادات على هذا المتصفح فقط.",
  language: "اللغة",
  theme: "المظهر",
  themes: { system: "النظام", light: "فاتح", dark: "داكن" },
  density: "كثافة العرض",
  densities: { comfortable: "مريحة", compact: "مدمجة" },
  motion: "الحركة",
  motions: { system: "النظام", reduced: "مخففة" },
  prefersOutline: "فتح مهام سير العمل كمخطط تفصيلي",
  prefersOutlineHint: "يتيح المخطط التفصيلي كل ما تتيحه اللوحة، من دون رسم.",
  hasShortcuts: "اختصارات الحرف الواحد",
};

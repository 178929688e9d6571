import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { counted } from "../counted.ts";
import { quoted } from "../quoted.ts";

export const workflows: Messages["workflows"] = {
  title: "مهام سير العمل",
  searchLabel: "البحث في مهام سير العمل",
  newWorkflow: "سير عمل جديد",
  import: "استيراد…",
  importTitle: "استيراد سير عمل",
  importText: "مستند مصدَّر، أو تعريف فيه خطوات.",
  importDraft: "يحتوي المستند على مسودة. لا يُنشر سير العمل المستورَد.",
  importVersion: (version) => `يحتوي المستند على الإصدار ${version}، ويُنشر في سير العمل المستورَد.`,
  importFile: "ملف",
  importJson: "JSON",
  importTaken: (name) => `يوجد بالفعل سير عمل باسم ${quoted(name)}. يحصل المستورَد على هذا الاسم.`,
  importAction: "استيراد",
  importRefused: (message) => `هذا ليس JSON: ${isolate(message)}`,
  importNoObject: "هذا ليس كائن JSON. الصق مستندًا مصدَّرًا أو تعريفًا فيه خطوات.",
  importUnreadable: "تعذّرت قراءة الملف. اختره مرة أخرى.",
  importedName: "سير عمل مستورد",
  imported: (count) =>
    counted(count, {
      one: "استُورد سير عمل واحد.",
      two: "استُوردت مهمتا سير عمل.",
      few: "مهام سير عمل استُوردت.",
      many: "مهمة سير عمل استُوردت.",
      other: "مهمة سير عمل استُوردت.",
    }),
  nameLabel: "الاسم",
  newTitle: "سير عمل جديد",
  copyName: (name) => `${name} (نسخة)`,
  duplicate: "تكرار",
  version: "المنشور",
  versionNumber: (version) => `v${version}`,
  notDeployed: "غير منشور",
  deployFirst: "ليس لسير العمل هذا إصدار منشور. انشره، وإلا فلن يُشغَّل.",
  lastRun: "آخر تشغيل",
  noRun: "لا يوجد",
  openRuns: "عمليات التشغيل",
  openVersions: "الإصدارات",
  run: "تشغيل…",
  empty: "لا يوجد أي سير عمل بعد.",
  emptyText: "سير العمل قائمة خطوات تُنفَّذ وتتابع عملها حتى بعد الأعطال. أنشئ سير عمل، أو استورد JSON.",
  noMatch: "لا يوجد سير عمل مطابق.",
  deleteText: "تُحذف معه مسودته وإصداراته وخطافات الويب الخاصة به. تتابع عمليات التشغيل الجارية عملها.",
  usedText:
    "يستخدمه ما يلي. يؤدي حذفه إلى إيقاف الجداول الزمنية مؤقتًا وتعطيل القواعد، وتفشل الخطوات التي تستدعيه في مهام سير العمل الأخرى.",
  actionsOf: (name) => `إجراءات ${quoted(name)}`,
  deletedOne: (id) => `${isolate(id)} (محذوف)`,
  isTool: "أداة للوكلاء",
};

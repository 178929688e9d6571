import type { Compared } from "../../en/building/versions.ts";
import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { counted, countedLines } from "../counted.ts";
import { quoted } from "../quoted.ts";

const compared = (version: Compared): string =>
  typeof version === "number" ? `الإصدار ${version}` : version === "draft" ? "المسودة" : "أحدث إصدار";

export const versions: Messages["versions"] = {
  title: (workflow) => `إصدارات ${quoted(workflow)}`,
  version: (version) => `الإصدار ${version}`,
  versionOf: (version, workflow) => `${version} من ${quoted(workflow)}`,
  latest: "الأحدث",
  latestVersion: "أحدث إصدار",
  draft: "المسودة",
  number: "الإصدار",
  notes: "ملاحظات الإصدار",
  notesOf: (version) => `ملاحظات الإصدار v${version}:`,
  by: "الناشر",
  date: "تاريخ النشر",
  rolledBack: (version) => `رجوع إلى v${version}`,
  compare: "مقارنة",
  compareWithDraft: "مقارنة بالمسودة",
  compareWithLatest: "مقارنة بالأحدث",
  compareWithBefore: "ما الذي تغيّر",
  compareTitle: (from, to, workflow) => `${compared(from)} و${compared(to)} من ${quoted(workflow)}`,
  from: "من",
  to: "إلى",
  rollBack: "الرجوع إليه…",
  rollBackTitle: (version) => `الرجوع إلى الإصدار ${version}`,
  rollBackText: (version, next) => `يُنشر الإصدار ${version} من جديد بصفته الإصدار ${next}. تبقى المسودة كما هي.`,
  fileReplaces: (path) =>
    `يستبدل ${isolate("stepwell dev")} هذا الإصدار بمحتوى ${isolate(path)} عند بدء تشغيله التالي وعند حفظ الملف. للاحتفاظ بهذا الإصدار، نزّل تعريفه في ذلك الملف.`,
  rollBackAction: "رجوع إلى الإصدار",
  runsOf: "عمليات التشغيل",
  openDraft: "فتح المسودة",
  empty: "لم يُنشر شيء بعد.",
  emptyText: "انشر المسودة لإنشاء الإصدار الأول.",
  same: "لا يوجد فرق.",
  summary: (added, removed, changed) => `أُضيف ${added}، أُزيل ${removed}، تغيّر ${changed}`,
  layoutHidden: (count) =>
    counted(count, {
      one: "تغيير واحد في المواضع والأحجام لا يؤثر في التشغيل",
      two: "تغييران في المواضع والأحجام لا يؤثران في التشغيل",
      few: "تغييرات في المواضع والأحجام لا تؤثر في التشغيل",
      many: "تغييرًا في المواضع والأحجام لا يؤثر في التشغيل",
      other: "تغيير في المواضع والأحجام لا يؤثر في التشغيل",
    }),
  moved: (count) =>
    counted(count, {
      one: "نُقلت خطوة واحدة في القائمة",
      two: "نُقلت خطوتان في القائمة",
      few: "خطوات نُقلت في القائمة",
      many: "خطوة نُقلت في القائمة",
      other: "خطوة نُقلت في القائمة",
    }),
  stepAdded: "أُضيفت",
  stepRemoved: "أُزيلت",
  stepChanged: "تغيّرت",
  stepRenamed: (from) => `كان اسمها ${quoted(from)}`,
  part: {
    input: "حقول الإدخال",
    input_default: "قيم الحقول",
    input_options: "تخطيط الاستمارة",
    settings: "إعدادات عمليات التشغيل",
  },
  before: "قبل",
  after: "بعد",
  nothing: "غير محدَّد",
  equalLines: (count) => `متطابق: ${countedLines(count)}`,
  lineAdded: "مُضاف",
  lineRemoved: "مُزال",
  truncated: "توجد فروق أخرى.",
  canvases: "اللوحتان معًا",
  list: "حسب الخطوة والحقل",
  views: "العرض",
  canvasOf: (version) => `لوحة ${version}`,
};

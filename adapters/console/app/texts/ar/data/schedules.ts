import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { counted } from "../counted.ts";

export const schedules: Messages["schedules"] = {
  title: "الجداول الزمنية",
  empty: "لا توجد جداول زمنية.",
  emptyText: "يشغّل الجدول الزمني سير عمل في وقت محدد، أو على فترات، أو وفق تعبير cron.",
  create: "جدول زمني جديد",
  workflow: "سير العمل",
  named: (workflow, when) => `${isolate(workflow)}: ${isolate(when)}`,
  timing: "متى",
  kinds: { cron: "تعبير cron", every: "فترة متكررة", at: "مرة واحدة" },
  cron: "تعبير cron",
  cronHint: `الدقيقة، الساعة، اليوم، الشهر، يوم الأسبوع: ${isolate("0 9 * * mon-fri")} يعني أيام العمل في التاسعة.`,
  cronProblems: {
    fields: {
      second: "الثانية",
      minute: "الدقيقة",
      hour: "الساعة",
      day: "اليوم",
      month: "الشهر",
      weekday: "يوم الأسبوع",
    },
    count: (given) =>
      `اكتب خمسة حقول تفصل بينها مسافات: الدقيقة، الساعة، اليوم، الشهر، يوم الأسبوع. عدد الحقول الآن: ${given}.`,
    value: (value, field, first, last) =>
      `${field}: القيمة ${isolate(value)} غير صالحة. استخدم قيمة من ${first} إلى ${last}.`,
  },
  timezone: "المنطقة الزمنية",
  every: "الفترة بين عمليات التشغيل",
  unit: "الوحدة",
  units: { seconds: "ثوانٍ", minutes: "دقائق", hours: "ساعات", days: "أيام" },
  everyInterval: {
    seconds: (count) =>
      `كل ${counted(count, { one: "ثانية", two: "ثانيتين", few: "ثوانٍ", many: "ثانية", other: "ثانية" })}`,
    minutes: (count) =>
      `كل ${counted(count, { one: "دقيقة", two: "دقيقتين", few: "دقائق", many: "دقيقة", other: "دقيقة" })}`,
    hours: (count) => `كل ${counted(count, { one: "ساعة", two: "ساعتين", few: "ساعات", many: "ساعة", other: "ساعة" })}`,
    days: (count) => `كل ${counted(count, { one: "يوم", two: "يومين", few: "أيام", many: "يومًا", other: "يوم" })}`,
  },
  runNow: "تشغيل الآن",
  at: "الوقت",
  input: "المدخلات",
  inputHint: "ما تتلقاه كل عملية تشغيل. تأخذ الحقول الفارغة قيمها الافتراضية.",
  missed: "عمليات التشغيل الفائتة",
  missedHint: "ما يُفعل بعمليات التشغيل التي حان وقتها والخادم متوقف.",
  policies: { skip: "تخطّيها", once: "تشغيل واحد عنها جميعًا", all: "تشغيل كل منها" },
  version: "الإصدار",
  latest: "الأحدث وقت التشغيل",
  next: "التشغيل التالي",
  upcoming: "عمليات التشغيل التالية",
  upcomingIn: (zone) => `عمليات التشغيل التالية (${isolate(zone)})`,
  noNext: "لا يوجد",
  last: "آخر نتيجة",
  paused: "متوقف مؤقتًا",
  pause: "إيقاف مؤقت",
  resume: "استئناف",
  started: "بدأت عملية تشغيل",
};

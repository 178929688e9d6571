import { isolate } from "../../isolate.ts";
import type { Messages } from "../../messages.ts";
import { counted } from "../counted.ts";

export const reference: Messages["reference"] = {
  title: "مرجع API",
  intro: "جميع مسارات هذا الخادم. تتوفر الوظائف نفسها داخل العملية وفي العميل، بأسماء العمليات ذاتها.",
  document: "مستند OpenAPI",
  search: "البحث في العمليات",
  nothing: "لا توجد عملية مطابقة.",
  found: (count) =>
    counted(count, { one: "عملية واحدة", two: "عمليتان", few: "عمليات", many: "عملية", other: "عملية" }),
  all: "جميع العمليات",
  noOperation: (id) => `لا توجد عملية ${id}.`,
  access: "الوصول",
  open: "أي شخص",
  adminKey: "مفتاح المسؤول",
  appKey: (scopes) => `مفتاح للتطبيق بالصلاحيات ${isolate(scopes)}`,
  anyKey: "أي مفتاح للتطبيق",
  orOpen: "أي شخص للموارد العامة",
  path: "المسار",
  query: "الاستعلام",
  header: "الترويسات",
  body: "النص الأساسي",
  responses: "الاستجابات",
  required: "مطلوب",
  oneOf: "أحد الآتي",
  listOf: "قائمة من",
  examples: "أمثلة",
  tryIt: "تجربة",
  tryHint: "يُرسل الطلب ضمن جلستك. ما يغيّره الطلب يتغيّر فعلًا.",
  notSet: "غير محدد",
  separated: "افصل بين القيم المتعددة بفواصل «,».",
  asJson: "بصيغة JSON:",
  send: "إرسال",
  result: "الاستجابة",
  connectionLost: "انقطع الاتصال قبل انتهاء الاستجابة.",
  tooLarge: `تُعرض الاستجابة حتى ${isolate("64 KiB")}.`,
};
